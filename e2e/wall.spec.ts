import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { stageLines, writeStory } from '#server/testing/story.ts';
import { expect, test } from './fixtures.ts';
import { postHook } from './rig/door.ts';
import type { RunningServer } from './rig/running-server.ts';

const MINUTE = 60_000;
const begun = (project: string, prompt: string) => [
	{ type: 'session:start', project, branch: 'main', cwd: `/home/dev/${project}` },
	{ type: 'prompt:submit', prompt, source: 'user' },
];
const verdict = { decision: 'deny', reason: 'no', facts: {} };

/** One session each that works, stopped on a stage, was denied by the plan, was blocked, and ran what was denied. */
function writeFleet(server: RunningServer): void {
	const now = Date.now();
	const stages = ['PLAN', 'DEV', 'TEST'];
	const workflow = { type: 'workflow:start', workflowType: 'standard', stages };
	writeStory(server.home, 'works', now - 6 * MINUTE, [
		...begun('shop', 'Build the cart.'),
		workflow,
		...stageLines('PLAN', 'planner', 'pass', 60),
		{ type: 'stage:start', stage: 'DEV' },
		{ type: 'agent:start', agent: 'developer', stage: 'DEV', agentId: 'a1' },
		{
			type: 'tool:call',
			toolUseId: 'e1',
			tool: 'Edit',
			agentId: 'a1',
			input: { file_path: '/home/dev/shop/src/total.ts' },
		},
	]);
	writeStory(server.home, 'stopped', now - 20 * MINUTE, [
		...begun('api', 'Mend the limiter.'),
		workflow,
		...stageLines('PLAN', 'planner', 'pass', 60),
		{ type: 'stage:start', stage: 'TEST' },
		{ type: 'stage:complete', stage: 'TEST', result: 'fail', after: 30 },
		{ type: 'stage:retry', stage: 'TEST', reason: '2 tests fail' },
		{ type: 'hook:event', name: 'Stop', fields: {} },
	]);
	writeStory(server.home, 'blocked', now - 30 * MINUTE, [
		...begun('site', 'Rewrite the prices.'),
		{ type: 'supervisor:review', hook: 'Stop', iteration: 2, max: 20, after: 60 },
		{
			type: 'supervisor:verdict',
			hook: 'Stop',
			iteration: 2,
			max: 20,
			allow: false,
			feedback: 'tests not run',
			after: 60,
		},
		{ type: 'tool:call', toolUseId: 'b1', tool: 'Bash', input: { command: 'npm test' }, after: 60 },
	]);
	const spawnCall = { toolUseId: 'p1', tool: 'Agent' };
	writeStory(server.home, 'mismatch', now - 10 * MINUTE, [
		...begun('infra', 'Draw the net.'),
		{ type: 'tool:call', ...spawnCall, input: { subagent_type: 'architect', description: 'Draw it' }, after: 120 },
		{ type: 'routing:mismatch', toolUseId: 'p1', planId: 'route-1', actual: 'architect', expected: ['developer'] },
		{ type: 'gate:verdict', toolUseId: 'p1', gate: 'routing-plan', rule: 'routing.agent-in-plan', ...verdict },
	]);
	writeStory(server.home, 'went-round', now - 8 * MINUTE, [
		...begun('tools', 'Clean up.'),
		{ type: 'tool:call', toolUseId: 'r1', tool: 'Bash', input: { command: 'rm -rf build' }, after: 60 },
		{ type: 'gate:verdict', toolUseId: 'r1', gate: 'command-policy', rule: 'command.excluded', ...verdict },
		{ type: 'tool:result', toolUseId: 'r1', tool: 'Bash', response: 'ok', after: 5 },
		{ type: 'tool:call', toolUseId: 'r2', tool: 'Bash', input: { command: 'sleep 900' } },
	]);
	writeStory(server.home, 'long-ago', now - 12 * 24 * 60 * MINUTE, [
		...begun('old', 'Old work.'),
		{ type: 'tool:call', toolUseId: 'o1', tool: 'Bash', input: { command: 'rm -rf old' } },
		{ type: 'gate:verdict', toolUseId: 'o1', gate: 'command-policy', rule: 'command.excluded', ...verdict },
		{ type: 'tool:result', toolUseId: 'o1', tool: 'Bash', response: 'ok' },
		{ type: 'session:end', reason: 'exit' },
	]);
}

const rowOf = (page: Page, session: string) => page.locator(`[data-row="${session}"]`);
const sideways = (page: Page) =>
	page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test('see who needs me and until when, who works on what, and what the supervisor said: no click', async ({
	ownServer,
	operatorPage,
}) => {
	const server = await ownServer({ SIGNALBOX_HOLD_SECONDS: '400' });
	writeFleet(server);
	writeFileSync(join(server.home, 'config.json'), JSON.stringify({ commands: { exclude: ['rm'] } }));
	const held = postHook(server.socketPath, {
		...{ session_id: 'asks', cwd: server.home, hook_event_name: 'PreToolUse', tool_name: 'Bash' },
		...{ tool_use_id: 'toolu_1', tool_input: { command: 'rm -rf dist' } },
	}).catch(() => null);
	const page = await operatorPage('/', { server });
	const needs = page.getByRole('region', { name: 'Needs you' });
	await expect(needs).toContainText('rm -rf dist');
	await expect(needs).toContainText(/\d+s left/);
	// Who asks stands on top, and nowhere else.
	await expect(rowOf(page, 'asks')).toHaveCount(0);
	await expect(needs).toContainText('TEST waits for you: 2 tests fail');
	await expect(rowOf(page, 'works')).toContainText('developer');
	await expect(rowOf(page, 'works')).toContainText('Edit src/total.ts');
	await expect(rowOf(page, 'works')).toContainText('DEV, current');
	await expect(rowOf(page, 'blocked')).toContainText('sent back 2 of 20: tests not run');
	await expect(page.getByRole('region', { name: 'Alarms' })).toContainText('architect not in plan, denied');

	// The same in two lines on a phone, and nothing sideways.
	await page.setViewportSize({ width: 390, height: 844 });
	for (const words of ['Edit src/total.ts', 'DEV']) {
		await expect(rowOf(page, 'works').getByText(words, { exact: true }).first()).toBeVisible();
	}
	expect((await rowOf(page, 'works').boundingBox())?.height).toBeLessThan(60);
	expect(await sideways(page)).toBe(0);
	await page.close();
	await server.stop();
	await held;
});

test('see what broke the plan: one click on the strip opens the call, by mouse and by keys', async ({
	ownServer,
	operatorPage,
}) => {
	const server = await ownServer();
	writeFleet(server);
	const page = await operatorPage('/', { server });
	const strip = page.getByRole('region', { name: 'Fleet' });
	const lane = strip.getByRole('option', { name: /^infra\/main/ });
	await expect(lane).toHaveAccessibleName('infra/main: idle, 1 mark');
	await expect(strip.getByRole('option', { name: /^old/ })).toHaveCount(0);
	const mark = lane.getByText('≠');
	await mark.hover();
	await expect(strip.getByRole('status')).toContainText(/infra\/main.*not in the plan/);
	await mark.click();
	await expect(page).toHaveURL(/\/sessions\/mismatch\?row=call%3Ap1/);

	await page.goBack();
	await strip.getByRole('listbox').focus();
	while (!(await lane.evaluate((element) => element.ariaSelected === 'true'))) await page.keyboard.press('ArrowDown');
	await page.keyboard.press('ArrowLeft');
	await expect(strip.getByRole('status')).toContainText('not in the plan');
	await page.keyboard.press('Enter');
	await expect(page).toHaveURL(/\/sessions\/mismatch\?row=call%3Ap1/);

	await page.goBack();
	await strip.getByRole('button', { name: '15m' }).click();
	await expect(page).toHaveURL(/fleet=15/);
	await expect(strip.getByRole('option', { name: /^site/ })).toHaveCount(1);
});

test('an alarm has an age and a cause, is acknowledged with one click, and stays so over a restart', async ({
	ownServer,
	operatorPage,
}) => {
	const server = await ownServer();
	writeFleet(server);
	const page = await operatorPage('/', { server });
	const alarms = page.getByRole('region', { name: 'Alarms' });
	await expect(alarms).toContainText('denied, but ran Bash rm -rf build');
	// A long call is no silence, and what ended twelve days ago is no news.
	const mine = alarms.getByRole('listitem').filter({ hasText: 'tools' });
	await expect(mine).toHaveCount(1);
	await expect(alarms).not.toContainText('old');
	await expect(mine.locator('time')).toHaveText(/^\d+m \d+s$/);
	await mine.getByRole('button', { name: 'Acknowledge' }).click();
	await expect(mine).toHaveCount(0);
	await page.close();
	await server.stop();
	await server.start();
	const again = await operatorPage('/', { server });
	await expect(rowOf(again, 'went-round')).toContainText('1 alarm seen');
	await expect(again.getByRole('region', { name: 'Alarms' })).not.toContainText('tools');
	await again.goto(`${server.url}/sessions/went-round`);
	await expect(again.getByText('Alarm seen', { exact: true })).toBeVisible();
});

test('whatever comes, no part of a row moves sideways', async ({ ownServer, operatorPage }) => {
	const server = await ownServer();
	writeFleet(server);
	const page = await operatorPage('/', { server });
	const row = rowOf(page, 'works');
	const places = () =>
		row.evaluate((element) =>
			[...element.children].map((child) => {
				const { left, width } = child.getBoundingClientRect();
				return [Math.round(left), Math.round(width)];
			}),
		);
	await expect(row).toContainText('Edit src/total.ts');
	const before = await places();
	const other = await rowOf(page, 'blocked').evaluate((element) =>
		[...element.children].map((child) => Math.round(child.getBoundingClientRect().left)),
	);
	expect(other).toEqual(before.map(([left]) => left));
	writeStory(server.home, 'more', Date.now(), begun('shop', 'x'.repeat(300)));
	const hook = { session_id: 'works', cwd: '/home/dev/shop', hook_event_name: 'PreToolUse', agent_id: 'a1' };
	await postHook(server.socketPath, {
		...{ ...hook, tool_name: 'Bash', tool_use_id: 'e2' },
		tool_input: { command: `echo ${'a long word '.repeat(40)}` },
	});
	await expect(row).toContainText('echo a long word');
	expect(await places()).toEqual(before);
});

test('while the index is built every page shows it, with the progress', async ({ operatorPage, token, api }) => {
	const page = await operatorPage('/rules');
	const building = { read: 1, total: 4 };
	const status = await (await api('/api/status', await token('operator'))).json();
	await page.route('**/api/status', (route) => route.fulfill({ json: { ...status, building } }));
	for (const path of ['/', '/rules', '/approvals']) {
		await page.goto(path);
		await expect(page.getByRole('status').filter({ hasText: 'The index is being built' })).toContainText('25 %');
	}
	await page.unroute('**/api/status');
	await expect(page.getByText('The index is being built')).toHaveCount(0);
});

test('a phone shows an incident in one line, opens the whole of it with what to do, and hides it', async ({
	ownServer,
	operatorPage,
	project,
}) => {
	const server = await ownServer();
	await project({ registered: 'entries', server });
	const page = await operatorPage('/', { server, viewport: { width: 390, height: 844 } });
	await expect(page.getByText('OVERTONE_HOME', { exact: true })).toBeVisible();
	await expect(page.getByText(`This server reads the home ${server.home}.`)).toBeVisible();
	rmSync(join(server.home, 'bin/hook.sh'));
	const notice = page.getByRole('complementary', { name: 'Incidents' });
	await expect(notice).toContainText('hooks that fail open do nothing now');
	await expect(notice).toContainText(/What to do: run .* init --project DIR/);
	expect((await notice.boundingBox())?.height).toBeLessThan(52);
	await notice.getByRole('button', { name: 'More' }).click();
	const words = notice.getByText(/hooks that fail open/);
	expect(await words.evaluate((element) => element.scrollHeight - element.clientHeight)).toBeLessThan(2);
	expect(await sideways(page)).toBe(0);
	await notice.getByRole('button', { name: 'Hide' }).click();
	await expect(notice).toHaveCount(0);
});

test('who signs out in one tab leaves nothing on screen in another', async ({ ownServer, operatorPage }) => {
	const server = await ownServer();
	writeFleet(server);
	const page = await operatorPage('/', { server });
	const other = await page.context().newPage();
	await other.goto(`${server.url}/sessions/works`);
	await expect(other.getByText('Build the cart.').first()).toBeVisible();
	// What a page fetches ahead is refused once nobody is signed in: the frame does, and so do a session's readings.
	const fetchedAhead = (tab: Page, times: number) =>
		tab.waitForFunction((least) => performance.getEntriesByName('preloaded').length >= least, times);
	await fetchedAhead(page, 1);
	await fetchedAhead(other, 2);
	await page.getByRole('button', { name: /^Access: / }).click();
	await page.getByRole('button', { name: 'Sign out' }).click();
	await expect(other).toHaveURL(/\/login/);
	await expect(other.getByText('Build the cart.')).toHaveCount(0);
});
