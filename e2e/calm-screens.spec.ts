import type { Page } from '@playwright/test';
import { type StoryLine, stageLines, writeStory } from '#server/testing/story.ts';
import { expect, test } from './fixtures.ts';
import { axeFindings } from './rig/axe-findings.ts';
import { postHook } from './rig/door.ts';
import { agentCall, planFor } from './rig/routing.ts';
import type { RunningServer } from './rig/running-server.ts';

const PHONE = { width: 390, height: 844 };
const MINUTE = 60_000;

const begin = (project: string, branch: string, prompt: string): StoryLine[] => [
	{ type: 'session:start', cwd: `/home/dev/${project}`, project, branch, model: 'claude-opus-4-5' },
	{ type: 'prompt:submit', prompt, source: 'user' },
];

/** Sessions whose names and numbers no grid was drawn for. */
const hostile: Readonly<Record<string, StoryLine[]>> = {
	long: begin('p'.repeat(300), 'b'.repeat(300), 'word '.repeat(80)),
	'right-to-left': begin('מתנות', 'feat/🎁', 'תן לאנשים לשלם בכרטיסי מתנה 🎁🎁🎁'),
	'no-task': [{ type: 'session:start', cwd: '/home/dev/none', project: 'none', branch: 'main' }],
	agents: [
		...begin('shop', 'many', 'Forty agents at once'),
		...Array.from({ length: 40 }, (_, nth): StoryLine[] => [
			{ type: 'agent:start', agent: `worker-${nth}`, agentId: `w${nth}` },
			{ type: 'tool:call', toolUseId: `w-${nth}`, tool: 'Bash', input: { command: `make ${nth}` }, agentId: `w${nth}` },
		]).flat(),
	],
	stages: [
		...begin('shop', 'wide', 'Five thousand stages'),
		{
			...{ type: 'workflow:start', workflowType: 'standard' },
			stages: Array.from({ length: 5000 }, (_, nth) => `DEV:${nth + 1}`),
		},
		{ type: 'stage:start', stage: 'DEV:40' },
	],
	failed: [
		...begin('shop', 'fix', 'Mend the cart'),
		{ type: 'workflow:start', workflowType: 'standard', stages: ['PLAN', 'DEV', 'TEST', 'REVIEW', 'DOCS'] },
		...['PLAN', 'DEV'].flatMap((stage) => stageLines(stage, 'developer', 'pass')),
		...stageLines('TEST', 'tester', 'fail'),
	],
};

function writeHostile(server: RunningServer): void {
	for (const [id, lines] of Object.entries(hostile)) writeStory(server.home, id, Date.now() - MINUTE, lines);
}

/** How many px the window, or the page's own part in it, could be scrolled sideways. */
const sideways = (page: Page) =>
	page.evaluate(() => {
		const parts = [document.documentElement, ...document.querySelectorAll('main')];
		return Math.max(...parts.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
	});
/** Elements of the page's own part whose text is smaller than 12 px, or that a thumb would miss. */
const tooSmall = (page: Page, isTouch: boolean) =>
	page.evaluate((touch) => {
		const all = [...document.querySelectorAll<HTMLElement>('main *')].filter(
			(element) => element.checkVisibility() && !element.closest('.sr-only, svg'),
		);
		const texts = all.filter(
			(element) =>
				[...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim()) &&
				Number.parseFloat(getComputedStyle(element).fontSize) < 12,
		);
		const targets = all.filter(
			(element) => touch && element.matches('a[href], button, input, select, summary') && element.offsetHeight < 40,
		);
		return [...texts, ...targets].map((element) => `${element.offsetHeight} ${element.outerHTML.slice(0, 120)}`);
	}, isTouch);

test('the header of a session is two lines, on a phone three, whatever its session is called and however it goes', async ({
	server,
	operatorPage,
}) => {
	writeHostile(server);
	const page = await operatorPage('/');
	const heightOf = async () => (await page.locator('main header').boundingBox())?.height;
	for (const id of Object.keys(hostile)) {
		await page.goto(`/sessions/${id}`);
		await expect(page.getByRole('tab', { name: 'Story' })).toBeVisible();
		for (const [size, most] of [
			[{ width: 1440, height: 900 }, 96],
			[PHONE, 120],
		] as const) {
			await page.setViewportSize(size);
			await expect.poll(heightOf, { message: `${id} at ${size.width} px` }).toBeLessThanOrEqual(most);
			await expect.poll(() => sideways(page), { message: id }).toBe(0);
		}
	}
});

test('names of any length and script, forty agents and thousands of stages move no column of Home', async ({
	ownServer,
	operatorPage,
}) => {
	const server = await ownServer();
	writeHostile(server);
	const page = await operatorPage('/', { server });
	const rows = page.getByRole('region', { name: 'Running' }).getByRole('link');
	await expect(rows.filter({ hasText: 'Mend the cart' })).toBeVisible();
	for (const width of [390, 768, 1440, 2560]) {
		await page.setViewportSize({ width, height: 900 });
		await expect.poll(() => sideways(page), { message: `${width} px` }).toBe(0);
		const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
		expect(Math.max(...heights), `${width} px`).toBeLessThanOrEqual(width < 640 ? 60 : 34);
		expect(await tooSmall(page, false)).toEqual([]);
	}
});

test('with 200 waiting calls and names of any length and script every page keeps its grid, from 390 to 2560 px', async ({
	ownServer,
	operatorPage,
	project,
}) => {
	test.setTimeout(300_000);
	const server = await ownServer({ SIGNALBOX_HOLD_SECONDS: '580' });
	writeHostile(server);
	const { dir } = await project({ name: 'ש'.repeat(60), plan: planFor('developer'), server });
	for (let nth = 0; nth < 200; nth += 1) {
		const agent = ['architect', 'q'.repeat(300), '🎁מתנה'][nth % 3] ?? '';
		// Each waits until the server ends.
		void postHook(server.socketPath, agentCall({ sessionId: `waits-${nth}`, cwd: dir, agent })).catch(() => {});
	}
	const page = await operatorPage('/', { server });
	// On a machine that is busy with other things 200 held calls take their time.
	await expect(page.getByRole('link', { name: /^Approvals 200/ })).toBeVisible({ timeout: 120_000 });
	const paths = [
		'/',
		'/approvals',
		'/decisions',
		'/features',
		'/rules',
		'/rejudge',
		'/status',
		'/access',
		'/search?q=word',
	];
	const expectGrid = async (where: string) => {
		for (const width of [390, 768, 1440, 2560]) {
			await page.setViewportSize({ width, height: 900 });
			await expect.poll(() => sideways(page), { message: `${where} at ${width} px` }).toBe(0);
		}
	};
	for (const path of paths) {
		await page.goto(path);
		await expect(page.getByRole('heading').first()).toBeAttached();
		await expectGrid(path);
	}
	const tabs: Record<string, string[]> = { agents: ['Lanes'], 'waits-1': ['Plan'] };
	for (const id of [...Object.keys(hostile), 'waits-1']) {
		await page.goto(`/sessions/${id}`);
		for (const tab of ['Story', 'Overview', ...(tabs[id] ?? [])]) {
			await page.getByRole('tab', { name: tab }).click();
			await expect(page.getByRole('tab', { name: tab, selected: true })).toBeVisible();
			await expectGrid(`${id}, ${tab}`);
		}
	}
});

test('on a phone what can be pressed on Home and in a session is large enough for a thumb', async ({
	ownServer,
	operatorPage,
}) => {
	const server = await ownServer();
	writeHostile(server);
	const page = await operatorPage('/', { server, viewport: PHONE, touch: true });
	await expect(page.getByText('Mend the cart').first()).toBeVisible();
	expect(await tooSmall(page, true)).toEqual([]);
	await page.goto('/sessions/failed');
	await expect(page.getByRole('list', { name: 'Story' }).getByRole('button').first()).toBeVisible();
	expect(await tooSmall(page, true)).toEqual([]);
	expect(await axeFindings(page)).toEqual([]);
});

test('a story is opened and closed by the arrow keys, read in three ways, and a change opens in its place', async ({
	server,
	operatorPage,
}) => {
	writeStory(server.home, 'read', Date.now() - 10 * MINUTE, [
		...begin('shop', 'main', 'Build the **cart**'),
		{ type: 'agent:start', agent: 'developer', agentId: 'd' },
		{
			...{ type: 'tool:call', toolUseId: 'e', tool: 'Edit', agentId: 'd' },
			input: { file_path: '/home/dev/shop/a.ts', old_string: 'one', new_string: 'two' },
		},
		{ type: 'tool:result', toolUseId: 'e', tool: 'Edit', response: 'ok', agentId: 'd', after: 2 },
		{ type: 'tool:call', toolUseId: 't', tool: 'Bash', agentId: 'd', input: { command: 'npm test' } },
		{ type: 'tool:result', toolUseId: 't', tool: 'Bash', agentId: 'd', response: 'a\n14 passed\n', after: 9 },
		{ type: 'agent:complete', agent: 'developer', agentId: 'd', result: 'pass', message: 'It *works*.' },
	]);
	const page = await operatorPage('/sessions/read');
	const rows = page.getByRole('list', { name: 'Story' }).getByRole('button');
	const developer = rows.filter({ hasText: 'developer' });
	await expect(developer).toContainText('pass');
	await expect(rows.filter({ hasText: 'npm test' })).toContainText('14 passed');
	await developer.focus();
	await page.keyboard.press('ArrowLeft');
	await expect(rows.filter({ hasText: 'npm test' })).toHaveCount(0);
	await expect(developer).toContainText('2 calls');
	await page.keyboard.press('ArrowRight');
	await page.keyboard.press('ArrowRight');
	const edit = rows.filter({ hasText: 'Edit' });
	await expect(edit).toBeFocused();
	await page.keyboard.press('ArrowRight');
	await expect(page.getByRole('region', { name: 'Change' })).toContainText('added: two');
	await page.keyboard.press('ArrowLeft');
	await page.keyboard.press('ArrowLeft');
	await expect(developer).toBeFocused();

	await page.getByRole('button', { name: 'Rows', exact: true }).click();
	await expect(rows.filter({ hasText: 'Agent started' })).toBeVisible();
	await page.getByRole('button', { name: 'Conversation' }).click();
	const talk = page.getByRole('region', { name: 'Conversation' });
	await expect(talk.locator('strong', { hasText: 'cart' })).toBeVisible();
	await expect(talk.locator('em', { hasText: 'works' })).toBeVisible();
	await page.goto('/sessions/read');
	await expect(talk).toBeVisible();
});
