import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { CONNECTION_LOST, expect, test } from './fixtures.ts';
import { postHook } from './rig/door.ts';
import { recordedRun } from './rig/recorded-runs.ts';
import { SIGNALBOX } from './rig/repository.ts';
import type { RunningServer } from './rig/running-server.ts';

const PHONE = { width: 390, height: 844 };

const rowsOf = (page: Page): Locator => page.getByRole('list', { name: 'Story' }).getByRole('button');

const prompt = (sessionId: string, text: string) => ({
	session_id: sessionId,
	cwd: '/home/dev/shop',
	hook_event_name: 'UserPromptSubmit',
	prompt: text,
});

async function postAll(server: RunningServer, inputs: readonly unknown[]): Promise<void> {
	for (const input of inputs) await postHook(server.socketPath, input);
}

/** Pages never scroll sideways, whatever is in them. */
async function expectNoSidewaysScroll(page: Page): Promise<void> {
	expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
}

test('the empty state shows the exact init command, then what it registered, and turns live when the first event arrives', async ({
	ownServer,
	operatorPage,
	project,
}) => {
	const server = await ownServer();
	const page = await operatorPage('/', { server });
	await expect(page.getByRole('heading', { name: 'No sessions yet' })).toBeVisible();
	await expect(page.getByText(`node ${SIGNALBOX} init --project DIR`)).toBeVisible();
	await expect(page.getByText('Waiting for the first event')).toBeVisible();
	const { dir } = await project({ name: 'my proj', registered: 'entries', server });
	const restart = page.getByText(`${dir} is registered; restart your agent there`);
	await expect(restart).toBeVisible({ timeout: 20_000 });
	await postAll(server, [prompt('first', 'Build the cart.')]);
	await expect(page.getByRole('link', { name: /Running.*Build the cart\..*shop/ })).toBeVisible();
	await expect(page.getByRole('heading', { name: 'No sessions yet' })).toBeHidden();
});

test('a link to a session that is not there yet turns live with its first event', async ({ server, operatorPage }) => {
	const page = await operatorPage('/sessions/not-there-yet');
	await expect(page.getByRole('heading', { name: 'There is no such session' })).toBeVisible();
	await postHook(server.socketPath, {
		session_id: 'not-there-yet',
		hook_event_name: 'UserPromptSubmit',
		prompt: 'Here I am',
	});
	await expect(page.getByText('Here I am').first()).toBeVisible();
});

test('a session is watched from its first event to its last: rows, agents and status come by themselves', async ({
	server,
	operatorPage,
}) => {
	const inputs = recordedRun('cmp330-a03-default-background', 'watched');
	const until = (event: string) => inputs.findIndex(({ hook_event_name }) => hook_event_name === event) + 1;
	await postAll(server, inputs.slice(0, 1));
	const page = await operatorPage('/sessions/watched');
	await expect(page.getByText('Live', { exact: true })).toBeVisible();

	await postAll(server, inputs.slice(1, until('SubagentStart')));
	const agent = rowsOf(page).filter({ hasText: /background/ });
	await expect(agent).toContainText('running');
	await expect(page.locator('header').getByText('Running')).toBeVisible();

	await postAll(server, inputs.slice(until('SubagentStart'), until('SubagentStop')));
	await expect(agent).not.toContainText('running');
	await expect(rowsOf(page).filter({ hasText: 'Bash' })).toContainText('ran');

	await postAll(server, inputs.slice(until('SubagentStop')));
	await expect(page.locator('header').getByText('Ended')).toBeVisible();
	await expect(rowsOf(page).last()).toContainText('Session ended');
});

test('the stages of a workflow that another writer records appear live, parallel ones together', async ({
	server,
	operatorPage,
}) => {
	await postAll(server, [prompt('staged', 'Build the cart.')]);
	const page = await operatorPage('/sessions/staged');
	await expect(rowsOf(page)).toHaveCount(1);
	const record = (type: string, fields: object) =>
		appendFileSync(
			join(server.home, 'sessions/staged/timeline.jsonl'),
			`${JSON.stringify({ ts: new Date().toISOString(), type, category: type.split(':')[0], label: type, ...fields })}\n`,
		);
	const stages = page.getByRole('list', { name: 'Stages' });
	record('workflow:start', { workflowType: 'standard', stages: ['PLAN', 'DEV', 'REVIEW', 'TEST'] });
	record('stage:start', { stage: 'PLAN' });
	await expect(stages.getByText('PLAN')).toBeVisible();
	await expect(stages.getByRole('listitem').filter({ hasText: 'PLAN' })).toContainText('running');
	record('stage:complete', { stage: 'PLAN', result: 'pass' });
	await expect(stages.getByRole('listitem').filter({ hasText: 'PLAN' })).toContainText('pass');
	record('parallel:start', { group: 'quality', stages: ['REVIEW', 'TEST'] });
	await expect(stages.getByRole('listitem').filter({ hasText: 'REVIEW' })).toContainText('TEST');
});

test('the story follows only at its end; elsewhere it counts what is new', async ({ server, operatorPage }) => {
	await postAll(
		server,
		Array.from({ length: 80 }, (_, at) => prompt('followed', `Step ${at + 1} of many.`)),
	);
	const page = await operatorPage('/sessions/followed');
	await expect(rowsOf(page).filter({ hasText: 'Step 80 of many.' })).toBeInViewport();
	await postAll(server, [prompt('followed', 'At the end.')]);
	await expect(rowsOf(page).filter({ hasText: 'At the end.' })).toBeInViewport();

	await rowsOf(page).last().hover();
	await page.mouse.wheel(0, -1200);
	await expect(rowsOf(page).filter({ hasText: 'At the end.' })).not.toBeInViewport();
	const reading = await rowsOf(page).evaluateAll((rows) => {
		const inView = rows.find((row) => row.getBoundingClientRect().top > window.innerHeight / 2);
		return /Step \d+ of many\./.exec(inView?.textContent ?? '')?.[0] ?? 'no row in the middle';
	});
	await postAll(server, [prompt('followed', 'One new.'), prompt('followed', 'Two new.')]);
	const follow = page.getByRole('button', { name: /2 new/ });
	await expect(follow).toBeVisible();
	await expect(rowsOf(page).filter({ hasText: reading })).toBeInViewport();
	await follow.click();
	await expect(rowsOf(page).filter({ hasText: 'Two new.' })).toBeInViewport();
	await expect(follow).toBeHidden();
});

test('filters, tab and selection live in the address: a reload and a copied link show the same', async ({
	server,
	operatorPage,
}) => {
	await postAll(server, recordedRun('a04-parallel-agents', 'filtered'));
	const page = await operatorPage('/sessions/filtered');
	await expect(rowsOf(page).filter({ hasText: 'Session ended' })).toBeVisible();
	const all = await rowsOf(page).count();
	await page.getByText('Filter', { exact: true }).click();
	await page.getByRole('combobox', { name: 'Filter by tool' }).selectOption('Bash');
	await expect(page).toHaveURL(/tool=Bash/);
	await expect(rowsOf(page).filter({ hasText: 'Session ended' })).toHaveCount(0);
	const filtered = await rowsOf(page).allTextContents();
	expect(filtered.length).toBeLessThan(all);
	await rowsOf(page).first().click();
	await expect(page).toHaveURL(/row=/);
	const detail = page.getByRole('region', { name: 'Detail' });
	await expect(detail.getByRole('heading', { name: /^\S+ ran / })).toBeVisible();

	await page.reload();
	await expect(detail.getByRole('heading', { name: /^\S+ ran / })).toBeVisible();
	await expect(rowsOf(page)).toHaveText(filtered);
	await page.goBack();
	await expect(page).not.toHaveURL(/row=/);
	await page.getByRole('tab', { name: 'Plan' }).click();
	await expect(page).toHaveURL(/tab=plan/);
	await expect(page.getByText('This session has no routing plan')).toBeVisible();
	await page.reload();
	await expect(page.getByRole('tab', { name: 'Plan' })).toHaveAttribute('aria-selected', 'true');
});

test('a chosen theme outlives a reload', async ({ operatorPage }) => {
	const page = await operatorPage('/', { colorScheme: 'dark' });
	const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const dark = await background();
	await page.getByRole('button', { name: 'Theme: as the system' }).click();
	await expect.poll(background).not.toBe(dark);
	await page.reload();
	await expect(page.getByRole('button', { name: 'Theme: light' })).toBeVisible();
	expect(await background()).not.toBe(dark);
});

test('R823 a server that dies and comes back: Reconnecting, Live, and nothing is missing', async ({
	ownServer,
	operatorPage,
	hook,
	expectConsole,
}) => {
	expectConsole(CONNECTION_LOST);
	const server = await ownServer();
	await postAll(server, [prompt('survivor', 'Before the crash.')]);
	const page = await operatorPage('/sessions/survivor', { server });
	await expect(rowsOf(page).filter({ hasText: 'Before the crash.' })).toBeVisible();

	await server.kill();
	await expect(page.getByText('Reconnecting')).toBeVisible();
	await expect(rowsOf(page).filter({ hasText: 'Before the crash.' })).toBeVisible();
	// A step to another page would end on the browser's own error page.
	await page.getByRole('link', { name: 'Rules' }).click();
	await expect(page.getByText('this page stays')).toBeVisible();
	await expect(rowsOf(page).filter({ hasText: 'Before the crash.' })).toBeVisible();
	// Without a server the hook does the work itself.
	const end = await hook(prompt('survivor', 'While nobody served.'), { server }).ended;
	expect(end).toMatchObject({ exitCode: 0, stderr: '' });

	await server.start();
	await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 15_000 });
	await expect(page.getByText('this page stays')).toBeHidden();
	await postAll(server, [prompt('survivor', 'After the restart.')]);
	const story = rowsOf(page).filter({ hasText: /the crash|nobody served|the restart/ });
	await expect(story).toHaveText([/Before the crash\./, /While nobody served\./, /After the restart\./]);
});

test('390 px: the list, a session and the sheet of a row fit without scrolling sideways', async ({
	server,
	operatorPage,
}) => {
	await postAll(server, recordedRun('a01-basic', 'narrow'));
	const page = await operatorPage('/', { viewport: PHONE });
	const pages = page.getByRole('navigation', { name: 'Pages' }).filter({ visible: true });
	await expect(pages.getByRole('link', { name: /Approvals/ })).toBeInViewport();
	await expectNoSidewaysScroll(page);
	await page.goto('/sessions/narrow');
	await expect(rowsOf(page).last()).toContainText('Session ended');
	await expectNoSidewaysScroll(page);
	await rowsOf(page).filter({ hasText: 'Bash' }).click();
	const sheet = page.getByRole('dialog', { name: 'Detail' });
	await expect(sheet.getByText('Outcome')).toBeVisible();
	await expectNoSidewaysScroll(page);
	await sheet.getByRole('button', { name: 'Close' }).click();
	await expect(sheet).toBeHidden();
	await pages.getByRole('link', { name: /Approvals/ }).click();
	await expect(page.getByRole('heading', { name: 'Approvals' })).toBeVisible();
});
