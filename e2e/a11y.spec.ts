import type { Page } from '@playwright/test';
import { stageLines, writeStory } from '#server/testing/story.ts';
import { expect, test } from './fixtures.ts';
import { axeFindings, COLOUR_RULES, findingsInBothThemes } from './rig/axe-findings.ts';
import { postHook } from './rig/door.ts';
import { recordedRun } from './rig/recorded-runs.ts';
import { agentCall, planFor } from './rig/routing.ts';

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

// A trace of axe at work is large, slow and of no use: the findings say what and where.
test.use({ trace: 'off' });

/** What axe finds; on a phone it looks again at what the size can change. The colours there: languages.spec.ts. */
async function findings(page: Page): Promise<string[]> {
	await page.setViewportSize(DESKTOP);
	const found = await findingsInBothThemes(page);
	await page.setViewportSize(PHONE);
	// What follows the size has been drawn.
	await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
	return [...found, ...(await axeFindings(page, { without: COLOUR_RULES }))];
}

test('every page is accessible in both themes, on a desktop and on a phone, with data on it', async ({
	ownServer,
	operatorPage,
	project,
	hook,
	expectConsole,
}) => {
	test.setTimeout(300_000);
	expectConsole(/404 \(Not Found\).*\/nothing/);
	const server = await ownServer();
	const page = await operatorPage('/', { server, viewport: DESKTOP });
	const visit = async (path: string, shows: () => Promise<void>) => {
		await page.goto(path);
		await shows();
		await expect(page.getByText('Live', { exact: true })).toBeVisible();
		expect(await findings(page), path).toEqual([]);
		await page.setViewportSize(DESKTOP);
	};
	const seesText = (text: string) => () => expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();
	const seesRow = () => expect(page.getByRole('list', { name: 'Story' }).getByRole('button').first()).toBeVisible();
	await visit('/', seesText('No sessions yet'));
	await visit('/approvals', seesText('Nothing waits for you'));
	await visit('/status', seesText('None registered or recorded on this machine yet'));

	for (const input of recordedRun('a04-parallel-agents', 'ended')) await postHook(server.socketPath, input);
	for (const input of recordedRun('cmp330-a03-default-background', 'running').slice(0, 8)) {
		await postHook(server.socketPath, input);
	}
	const { dir } = await project({ name: 'checkout', plan: planFor('developer', 'tester'), server });
	// Its hook says no time to wait, so nobody is asked.
	await postHook(server.socketPath, agentCall({ sessionId: 'unasked', cwd: dir, agent: 'reviewer' }));
	hook(agentCall({ sessionId: 'waiting', cwd: dir, agent: 'architect' }), { server });
	// A page that is just being left is nobody to wait for.
	await seesText('wants to start architect')();

	await visit('/', seesText('Needs you'));
	await visit('/approvals', async () => {
		await expect(page.getByRole('article')).toBeVisible();
		const unasked = page.getByRole('region', { name: 'Denied, and no one was asked' });
		await unasked.getByRole('button', { name: 'Allow the next try…' }).click();
		await expect(unasked).toContainText('It would have overridden 1 recorded denial');
	});
	await visit('/sessions/ended', seesRow);
	await visit('/sessions/running', () =>
		expect(
			page
				.getByRole('list', { name: 'Story' })
				.getByRole('button', { name: /running/ })
				.first(),
		).toBeVisible(),
	);
	await visit('/sessions/ended?reading=conversation', () =>
		expect(page.getByRole('region', { name: 'Conversation' }).getByRole('article').first()).toBeVisible(),
	);
	await visit('/sessions/waiting?row=call:toolu_waiting', () => expect(page.getByRole('article')).toBeVisible());
	for (const tab of ['plan', 'verdicts', 'raw']) {
		await visit(`/sessions/waiting?tab=${tab}`, () => expect(page.getByRole('tabpanel')).toBeVisible());
	}
	await visit('/decisions', () =>
		expect(page.getByRole('region', { name: 'Ledger' }).getByRole('link').first()).toBeVisible(),
	);
	await visit('/search?q=architect', () => expect(page.locator('mark').first()).toBeVisible());
	await visit('/sessions/none', seesText('There is no such session'));
	await visit('/nothing', seesText('There is nothing here'));
});

test('the sign-in page is accessible', async ({ server, page }) => {
	await page.goto(`${server.url}/login`);
	await expect(page.getByText('You are not signed in.')).toBeVisible();
	expect(await findings(page)).toEqual([]);
});

test('the story, its detail and the way back work by keyboard alone', async ({ server, operatorPage }) => {
	for (const input of recordedRun('a01-basic', 'by-keyboard')) await postHook(server.socketPath, input);
	const page = await operatorPage('/sessions/by-keyboard');
	const rows = page.getByRole('list', { name: 'Story' }).getByRole('button');
	await expect(rows.last()).toContainText('Session ended');
	await rows.last().focus();
	await page.keyboard.press('ArrowUp');
	await page.keyboard.press('ArrowUp');
	await page.keyboard.press('Enter');
	await expect(page).toHaveURL(/row=/);
	const focused = await rows.evaluateAll((all) => all.indexOf(document.activeElement as HTMLElement));
	expect(focused).toBe((await rows.count()) - 3);
	await page.keyboard.press('Escape');
	await expect(page).not.toHaveURL(/row=/);
	await page.keyboard.press('?');
	await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
	await page.keyboard.press('Escape');
	await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the focus is never lost, and keys do nothing that was not meant', async ({
	ownServer,
	operatorPage,
	project,
	hook,
}) => {
	const server = await ownServer();
	const { dir } = await project({ name: 'by-keys', plan: planFor('developer'), server });
	const page = await operatorPage('/', { server });
	await expect(page).toHaveTitle('Sessions – Signalbox');
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const status = page.getByRole('status').filter({ hasText: 'your approval' });
	const ask = (agent: string) =>
		hook(agentCall({ sessionId: 'by-keys', cwd: dir, agent, toolUseId: `toolu_${agent}` }), { server });
	const first = ask('architect');
	await expect(status).toHaveText('Design the cart needs your approval');
	const second = ask('designer');
	const rows = page.getByRole('region', { name: 'Needs you' }).getByRole('listitem');
	await expect(rows).toHaveCount(2);
	await expect(rows.filter({ hasText: 'architect' }).getByRole('button', { name: 'Deny' })).toBeEnabled();
	await rows.filter({ hasText: 'architect' }).getByRole('button', { name: 'Deny' }).focus();
	await page.keyboard.press('Enter');
	await first.ended;
	await expect(rows).toHaveCount(1);
	await expect(rows).toBeFocused();

	await page.keyboard.press('Enter');
	const card = page.getByRole('article');
	await expect(card).toBeFocused();
	await expect(page).toHaveTitle('(1) Approvals – Signalbox');
	await expect(card.getByRole('button', { name: 'Approve and remember…' })).toBeEnabled();
	await page.keyboard.press('g');
	const form = page.getByRole('form', { name: 'Approve and remember' });
	await expect(form.getByRole('textbox', { name: /^Reason/ })).toBeFocused();
	await page.keyboard.press('a');
	await page.keyboard.press('Escape');
	await expect(form).toHaveCount(0);
	await expect(card).toBeFocused();
	await page.keyboard.press('?');
	const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
	await expect(sheet).toBeVisible();
	await page.keyboard.press('d');
	await page.keyboard.press('g');
	await page.keyboard.press('h');
	await page.keyboard.press('Escape');
	await expect(sheet).toHaveCount(0);
	await expect(card).toBeFocused();
	await expect(page).toHaveURL(/approvals/);
	expect(second.isWaiting()).toBe(true);
	await page.getByRole('checkbox', { name: 'Decide together with others' }).check();
	// The bar of what is chosen together has moved the card.
	await expect(card.getByRole('button', { name: 'Deny' })).toBeEnabled();
	await page.keyboard.press('d');
	await second.ended;
	await expect(card).toBeFocused();

	await page.reload();
	await page.getByRole('link', { name: 'Signalbox' }).focus();
	await page.keyboard.press('Shift+Tab');
	await page.keyboard.press('Enter');
	await expect(page.getByRole('main')).toBeFocused();
});

test('a page that is enlarged or held sideways hides nothing, prints dark on white, and keeps to forced colours', async ({
	ownServer,
	operatorPage,
	project,
	hook,
}) => {
	const server = await ownServer();
	const { dir } = await project({ name: 'low', plan: planFor('developer'), server });
	const cwd = dir;
	writeStory(server.home, 'low', Date.now() - 600_000, [
		{ type: 'session:start', cwd, project: 'low', branch: 'main' },
		{ type: 'workflow:start', workflowType: 'standard', stages: ['PLAN', 'ARCH', 'TEST', 'DEV'] },
		...['PLAN', 'ARCH', 'TEST', 'DEV'].flatMap((stage) => stageLines(stage, 'developer', 'pass')),
	]);
	const page = await operatorPage('/sessions/low', { server });
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	hook(agentCall({ sessionId: 'low2', cwd: dir, agent: 'architect' }), { server });
	await expect(page.getByText('wants to start architect')).toBeVisible();
	const isWithin = () =>
		page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
	const story = page.getByRole('list', { name: 'Story' });
	for (const viewport of [
		{ width: 640, height: 375 },
		{ width: 667, height: 375 },
		{ width: 320, height: 256 },
	]) {
		await page.setViewportSize(viewport);
		await expect.poll(isWithin).toBe(true);
		const shown = await story.locator('..').evaluate((element) => element.clientHeight);
		expect(shown).toBeGreaterThan(80);
	}
	const words = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Approvals 1' });
	expect((await words.boundingBox())?.height).toBeLessThan(50);

	await page.setViewportSize(DESKTOP);
	await page.emulateMedia({ forcedColors: 'active' });
	const framed = page.locator('[aria-current], [aria-selected=true]').filter({ visible: true });
	expect(await framed.count()).toBeGreaterThan(1);
	for (const each of await framed.all()) await expect(each).toHaveCSS('outline-style', 'solid');
	await page.emulateMedia({ forcedColors: 'none', contrast: 'more' });
	const colour = () => page.evaluate(() => getComputedStyle(document.body).color);
	await expect(page.getByRole('tab', { name: 'Lanes' })).toHaveCSS('color', await colour());
	await page.emulateMedia({ contrast: 'no-preference', media: 'print' });
	const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
	expect(background).toBe('rgb(255, 255, 255)');
	await expect(page.getByRole('banner').first()).toBeHidden();
	const box = await story.boundingBox();
	const parent = await story.locator('..').boundingBox();
	expect(parent?.height).toBeGreaterThanOrEqual(box?.height ?? Number.POSITIVE_INFINITY);
	expect(box?.height).toBeGreaterThan(200);
});

test('R1059 what decides is large enough for a thumb, and so is everything else', async ({
	ownServer,
	operatorPage,
	project,
	hook,
}) => {
	const server = await ownServer();
	const { dir } = await project({ name: 'thumb', plan: planFor('developer'), server });
	const page = await operatorPage('/approvals', { server, viewport: PHONE, touch: true });
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	hook(agentCall({ sessionId: 'thumb', cwd: dir, agent: 'architect' }), { server });
	const heightOf = async (name: string) =>
		(await page.getByRole('article').getByRole('button', { name }).boundingBox())?.height;
	expect(await heightOf('Approve once')).toBeGreaterThanOrEqual(44);
	expect(await heightOf('Deny')).toBeGreaterThanOrEqual(44);
	const tooSmall = () =>
		page.evaluate(() =>
			[...document.querySelectorAll<HTMLElement>('a[href], button, input, select, summary')]
				.map((element) => element.closest('label') ?? element)
				.filter((element) => element.checkVisibility() && !element.closest('.sr-only'))
				.filter((element) => Math.min(element.offsetWidth, element.offsetHeight) < 24)
				.map((element) => element.outerHTML.slice(0, 80)),
		);
	expect(await tooSmall()).toEqual([]);
	await page.goto('/rules');
	await expect(page.getByRole('heading', { name: 'Rules' })).toBeVisible();
	expect(await tooSmall()).toEqual([]);
});
