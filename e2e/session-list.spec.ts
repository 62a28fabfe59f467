import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { writeStory } from '#server/testing/story.ts';
import { expect, test } from './fixtures.ts';
import { postHook } from './rig/door.ts';

const rowsOf = (page: Page) => page.getByRole('region', { name: 'Older' }).getByRole('link');
const sideways = (page: Page) =>
	page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test('of many sessions the newest are drawn, the others are counted, and one is found by its words', async ({
	ownServer,
	operatorPage,
}) => {
	const server = await ownServer();
	const start = Date.now() - 20 * 24 * 3_600_000;
	for (let at = 0; at < 130; at += 1)
		writeStory(server.home, `past-${at}`, start + at * 60_000, [
			{ type: 'session:start', project: at === 3 ? 'billing' : 'shop', branch: 'main' },
			{ type: 'prompt:submit', prompt: `Build part ${at}.`, source: 'user' },
			{ type: 'session:end', reason: 'exit', after: 5 },
		]);
	for (let at = 0; at < 10; at += 1)
		writeStory(server.home, `silent-${at}`, Date.now() - (30 - at) * 60_000, [
			{ type: 'session:start', project: 'cart', branch: 'main' },
			{ type: 'prompt:submit', prompt: `Wait ${at}.`, source: 'user' },
		]);
	const page = await operatorPage('/', { server });
	const alarms = page.getByRole('region', { name: 'Alarms' });
	await expect(alarms.getByRole('link')).toHaveCount(8);
	await expect(alarms.getByRole('link').first()).toContainText('Wait 9.');
	await alarms.getByRole('button', { name: 'Show all 10 alarms' }).click();
	await expect(alarms.getByRole('link')).toHaveCount(10);
	await expect(rowsOf(page)).toHaveCount(100);
	await expect(rowsOf(page).first()).toContainText('Build part 129.');
	await expect(page.getByText('The newest 100 of 130 are shown.')).toBeVisible();
	await page.getByRole('button', { name: 'Show 30 more' }).click();
	await expect(rowsOf(page)).toHaveCount(130);
	await page.reload();
	await expect(rowsOf(page)).toHaveCount(130);

	const find = page.getByRole('searchbox', { name: 'Find sessions' });
	await find.fill('BILLING part');
	await expect(rowsOf(page)).toHaveCount(1);
	await expect(rowsOf(page)).toContainText('Build part 3.');
	await rowsOf(page).click();
	await expect(page).toHaveURL(/\/sessions\/past-3/);
	await page.goBack();
	await expect(find).toHaveValue('BILLING part');
	await expect(rowsOf(page)).toHaveCount(1);
	await find.fill('no such words');
	await expect(page.getByText('No session has “no such words”')).toBeVisible();
	await page.setViewportSize({ width: 390, height: 844 });
	expect(await sideways(page)).toBe(0);
});

test('of hundreds of sessions a page has the newest, knows how many there are, and finds the oldest', async ({
	ownServer,
	operatorPage,
}) => {
	const server = await ownServer();
	const start = Date.now() - 20 * 24 * 3_600_000;
	for (let at = 0; at < 430; at += 1)
		writeStory(server.home, `past-${at}`, start + at * 60_000, [
			{ type: 'session:start', project: at === 3 ? 'billing' : 'shop', branch: 'main' },
			{ type: 'prompt:submit', prompt: `Build part ${at}.`, source: 'user' },
			{ type: 'session:end', reason: 'exit', after: 5 },
		]);
	const page = await operatorPage('/', { server });
	const older = page.getByRole('heading', { name: 'Older 430' });
	await expect(older).toBeVisible();
	await page.reload();
	await expect(page.getByText('The newest 100 of 430 are shown.')).toBeVisible();
	await expect(rowsOf(page).first()).toContainText('Build part 429.');

	const find = page.getByRole('searchbox', { name: 'Find sessions' });
	await find.fill('billing');
	await expect(rowsOf(page)).toHaveCount(1);
	await expect(rowsOf(page)).toContainText('Build part 3.');
	await find.fill('shop part 1');
	// So many numbers have a 1.
	await expect(page.getByRole('heading', { name: 'Older 169' })).toBeVisible();
	await find.fill('no such words');
	await expect(page.getByText('No session has “no such words”')).toBeVisible();
	await find.fill('');
	await expect(older).toBeVisible();

	await page.getByRole('button', { name: 'Show 200 more' }).click();
	await expect(rowsOf(page)).toHaveCount(300);
	await page.getByRole('button', { name: 'Show 130 more' }).click();
	await expect(rowsOf(page)).toHaveCount(430);
	await expect(rowsOf(page).last()).toContainText('Build part 0.');

	writeStory(server.home, 'fresh', Date.now(), [
		{ type: 'session:start', project: 'shop', branch: 'main' },
		{ type: 'prompt:submit', prompt: 'Build the last part.', source: 'user' },
	]);
	await expect(page.getByRole('heading', { name: 'Running 1' })).toBeVisible();
	await expect(page.getByRole('link', { name: 'Sessions 431' })).toBeVisible();
});

test('sixty stages leave room for the readings, and lanes find the calls before the newest rows', async ({
	server,
	operatorPage,
}) => {
	const stages = Array.from({ length: 60 }, (_, at) => `DEV:${at + 1}`);
	writeStory(server.home, 'wide', Date.now() - 3_600_000, [
		{ type: 'session:start', project: 'shop', branch: 'main' },
		{ type: 'workflow:start', workflowType: 'standard', stages },
		{
			...{ type: 'routing:plan', planId: 'route-1', status: 'active' },
			phases: [{ name: 'Build', tasks: [{ agent: 'developer', description: 'x'.repeat(90), status: 'pending' }] }],
		},
		...stages.slice(0, 50).flatMap((stage) => [
			{ type: 'stage:start', stage, after: 1 },
			{ type: 'stage:complete', stage, result: 'pass', after: 1 },
		]),
		{ type: 'stage:start', stage: 'DEV:51' },
		{ type: 'tool:call', toolUseId: 'early', tool: 'Bash', input: { command: 'npm test' }, after: 1 },
		{ type: 'tool:result', toolUseId: 'early', tool: 'Bash', response: 'ok', after: 20 },
		...Array.from({ length: 450 }, (_, at) => ({
			type: 'prompt:submit',
			prompt: `Step ${at}.`,
			source: 'user',
			after: 1,
		})),
	]);
	const page = await operatorPage('/sessions/wide?tab=lanes');
	const lanes = page.getByRole('region', { name: 'Lanes' });
	await expect(lanes.getByRole('button', { name: /npm test/ })).toBeVisible();
	const pipeline = page.getByRole('list', { name: 'Stages', exact: true });
	await expect(pipeline.getByText('DEV:51')).toBeInViewport();
	await expect(pipeline.getByText('DEV:1', { exact: true })).not.toBeInViewport();
	await page.goto(page.url().replace('lanes', 'overview'));
	await expect(page.getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/).first()).toBeVisible();
	await page.goto(page.url().replace('overview', 'plan'));
	await page.setViewportSize({ width: 390, height: 844 });
	const task = page
		.getByRole('list', { name: 'Planned' })
		.getByRole('listitem')
		.filter({ hasText: /developer x/ })
		.last();
	await expect(task).toBeVisible();
	expect(await task.evaluate((line) => line.scrollWidth - line.clientWidth)).toBe(0);
});

test('of many waiting calls the most urgent are drawn, and one named by the address is shown', async ({
	ownServer,
	operatorPage,
	token,
	api,
}) => {
	const server = await ownServer({ SIGNALBOX_HOLD_SECONDS: '580' });
	writeFileSync(join(server.home, 'config.json'), JSON.stringify({ commands: { exclude: ['rm'] } }));
	const answers = Array.from({ length: 40 }, (_, at) =>
		postHook(server.socketPath, {
			session_id: `asks-${at % 4}`,
			cwd: server.home,
			hook_event_name: 'PreToolUse',
			tool_name: 'Bash',
			tool_use_id: `toolu_${at}`,
			tool_input: { command: `rm part-${at}` },
		}).catch(() => null),
	);
	const viewer = await token('viewer', server);
	const waiting = async (): Promise<{ id: string; deadline: string }[]> =>
		(await (await api('/api/approvals?state=waiting&limit=100', viewer, { server })).json()).approvals;
	await expect.poll(async () => (await waiting()).length).toBe(40);
	const page = await operatorPage('/', { server });
	await expect(page.getByRole('region', { name: 'Needs you' }).getByRole('listitem')).toHaveCount(21);
	await page.getByRole('link', { name: '20 more wait: open Approvals' }).click();
	const cards = page.getByRole('list', { name: 'Waiting' }).getByRole('article');
	await expect(cards).toHaveCount(25);
	await page.getByRole('button', { name: 'Show 15 more' }).click();
	await expect(cards).toHaveCount(40);
	const late = (await waiting()).sort((a, b) => (a.deadline < b.deadline ? 1 : -1))[4];
	await page.goto(`${server.url}/approvals?card=${late?.id}`);
	const card = page.locator(`[data-card="${late?.id}"]`);
	await expect(card).toBeFocused();
	await expect(card).toBeInViewport();
	await page.close();
	await server.stop();
	await Promise.all(answers);
});
