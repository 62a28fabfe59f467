import { writeStory } from '#server/testing/story.ts';
import { expect, test } from './fixtures.ts';
import { axeFindings } from './rig/axe-findings.ts';

const START = Date.now() - 3 * 3_600_000;

/** Two sessions in which a word was said, in a prompt, a command and Chinese, and one without it. */
function writeSessions(home: string) {
	writeStory(home, 'cart', START, [
		{ type: 'session:start', project: 'shop', branch: 'main' },
		{ type: 'prompt:submit', prompt: 'Mend the zanzibar rounding.', source: 'user' },
		{ type: 'tool:call', toolUseId: 'call-1', tool: 'Bash', input: { command: 'grep -r Zanzibar src' }, after: 1 },
		{ type: 'tool:result', toolUseId: 'call-1', tool: 'Bash', response: 'ok', after: 1 },
		...Array.from({ length: 300 }, (_, n) => ({
			type: 'prompt:submit',
			prompt: `Step ${n}.`,
			source: 'user',
			after: 1,
		})),
	]);
	writeStory(home, 'billing', START + 1000, [
		{ type: 'session:start', project: 'billing', branch: 'main' },
		{ type: 'prompt:submit', prompt: '修复 zanzibarian 订单', source: 'user' },
	]);
	writeStory(home, 'other', START + 2000, [
		{ type: 'session:start', project: 'docs', branch: 'main' },
		{ type: 'prompt:submit', prompt: 'Write the readme.', source: 'user' },
	]);
}

test('R1420 find every place where a word occurs: Ctrl-K, the word, Enter on all; 1 click opens a row', async ({
	ownServer,
	operatorPage,
}) => {
	const server = await ownServer();
	writeSessions(server.home);
	const page = await operatorPage('/', { server });
	await expect(page.getByRole('link', { name: /Write the readme/ }).first()).toBeVisible();
	await page.keyboard.press('Control+k');
	const field = page.getByRole('combobox', { name: 'Find anything' });
	await expect(field).toBeFocused();
	await page.keyboard.type('zanzibar');
	const found = page.getByRole('listbox', { name: 'Found' });
	// A prompt that is the title of its session is found as that session.
	await expect(found.getByRole('group', { name: 'Sessions' }).locator('> [role=option]')).toHaveCount(2);
	await expect(found.getByRole('group', { name: /^Found in/ })).toHaveCount(1);
	await expect(found.getByRole('group', { name: 'Found in shop/main' }).getByRole('option')).toHaveCount(1);
	expect(await axeFindings(page)).toEqual([]);
	await page.keyboard.press('ArrowUp');
	await page.keyboard.press('Enter');
	await expect(page).toHaveURL(/\/search\?q=zanzibar/);
	await expect(page.getByText('3 results in 2 sessions')).toBeVisible();
	await expect(page.locator('mark')).toHaveText([/zanzibar/i, /zanzibar/i, /zanzibar/i]);
	expect(await axeFindings(page)).toEqual([]);

	await page.getByRole('link', { name: /grep -r Zanzibar src/ }).click();
	await expect(page).toHaveURL(/\/sessions\/cart\?row=call/);
	await expect(
		page
			.getByRole('button', { name: /grep -r Zanzibar src/, pressed: true })
			.or(page.getByText('grep -r Zanzibar src'))
			.first(),
	).toBeVisible();

	await page.goto('/search');
	await page.getByRole('searchbox', { name: 'Search in all sessions' }).fill('订单');
	await expect(page.getByText('1 result in 1 session')).toBeVisible();
	await page.getByRole('searchbox', { name: 'Search in all sessions' }).fill('"nobody said');
	await expect(page.getByRole('status').filter({ hasText: 'Nobody has said that' })).toBeVisible();
});

test('R1420 the palette goes to pages, sessions and actions by the keyboard alone, also on a phone', async ({
	ownServer,
	operatorPage,
}) => {
	const server = await ownServer();
	writeSessions(server.home);
	const page = await operatorPage('/', { server, viewport: { width: 390, height: 844 } });
	await expect(page.getByRole('link', { name: /Write the readme/ }).first()).toBeVisible();
	await page.getByRole('button', { name: 'Find anything' }).click();
	await page.keyboard.type('rule');
	await page.keyboard.press('Enter');
	await expect(page).toHaveURL(/\/rules/);
	await page.keyboard.press('/');
	const field = page.getByRole('combobox', { name: 'Find anything' });
	await expect(page.getByRole('option').first()).toHaveText(/Rules/);
	await page.keyboard.type('billing');
	await expect(page.getByRole('group', { name: 'Sessions' }).getByRole('option')).toHaveCount(1);
	expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
		0,
	);
	await page.keyboard.press('Enter');
	await expect(page).toHaveURL(/\/sessions\/billing/);
	await page.keyboard.press('Control+k');
	await field.fill('shortcuts');
	await page.keyboard.press('Enter');
	await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
	await page.keyboard.press('Escape');
	await page.keyboard.press('Control+k');
	await expect(field).toBeFocused();
	await page.keyboard.press('Escape');
	await expect(field).toBeHidden();
});

test('who types before the palette has come loses no letter', async ({ ownServer, operatorPage }) => {
	const server = await ownServer();
	const page = await operatorPage('/', { server });
	// What is opened later is fetched ahead once there is a connection; here it has to be asked for.
	await page.routeWebSocket(/./, () => undefined);
	await page.goto('/status');
	await expect(page.getByRole('button', { name: 'Find anything' })).toBeEnabled();
	const held: (() => void)[] = [];
	let isHeld = true;
	await page.route('**/_next/static/**', (route) => {
		const go = () => void route.continue();
		isHeld ? held.push(go) : go();
	});
	await page.keyboard.press('Control+k');
	await page.keyboard.type('rull');
	await page.keyboard.press('Backspace');
	await page.keyboard.type('e');
	await page.keyboard.press('Enter');
	await expect.poll(() => held.length).toBeGreaterThan(0);
	isHeld = false;
	for (const go of held) go();
	await expect(page).toHaveURL(/\/rules/);
});

test('a view of the list is named once and opened by its name, after a reload, too', async ({
	ownServer,
	operatorPage,
}) => {
	const server = await ownServer();
	writeSessions(server.home);
	const page = await operatorPage('/?q=billing', { server });
	await page.getByRole('button', { name: 'Save this view' }).click();
	await page.getByRole('textbox', { name: 'Name of the view' }).fill('Money');
	await page.keyboard.press('Enter');
	await page.goto('/');
	const views = page.getByRole('navigation', { name: 'Saved views' });
	await views.getByRole('link', { name: 'Money' }).click();
	await expect(page).toHaveURL(/\?q=billing/);
	await expect(page.getByRole('link', { name: /Write the readme/ })).toHaveCount(0);
	await views.getByRole('button', { name: 'Remove the view Money' }).click();
	await expect(views.getByRole('link', { name: 'Money' })).toHaveCount(0);
});
