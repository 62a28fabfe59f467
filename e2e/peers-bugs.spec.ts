import type { Page } from '@playwright/test';
import type { ApprovalRecord } from '#lib/contract/approvals/approval-record.ts';
import { writeStory } from '#server/testing/story.ts';
import { expect, test } from './fixtures.ts';
import { watchPage } from './hostile/inert-page.ts';
import { postHook } from './rig/door.ts';
import { agentCall, planFor } from './rig/routing.ts';

/** The buttons of a waiting call. */
const buttonsOf = (page: Page) =>
	page.getByRole('main').getByRole('button', { name: /^(A |D )?(Approve once|Approve|Deny)$/ });

test('clawd-on-desk#988 claude-code#30489: what was decided elsewhere is open nowhere', async ({
	ownServer,
	operatorPage,
	project,
	hook,
	token,
	api,
}) => {
	const server = await ownServer();
	const { dir } = await project({ name: 'elsewhere', plan: planFor('developer'), server });
	const pages: Page[] = [];
	for (const path of ['/', '/approvals', '/sessions/elsewhere', '/features']) {
		const page = await operatorPage(path, { server });
		await expect(page.getByText('Live', { exact: true })).toBeVisible();
		pages.push(page);
	}
	const waiting = hook(agentCall({ sessionId: 'elsewhere', cwd: dir, agent: 'architect' }), { server });
	const [list, inbox, session, elsewhere] = pages as [Page, Page, Page, Page];
	const notice = elsewhere.getByRole('complementary', { name: 'Waiting for you' });
	await expect(notice).toBeVisible();
	for (const page of [list, inbox]) await expect(buttonsOf(page)).not.toHaveCount(0);
	await session.goto('/sessions/elsewhere?row=call:toolu_elsewhere');
	await expect(buttonsOf(session)).not.toHaveCount(0);

	const operator = await token('operator', server);
	const found = await (await api('/api/approvals?state=waiting', operator, { server })).json();
	const [{ id }] = found.approvals as [ApprovalRecord];
	const decided = await api(`/api/approvals/${id}`, operator, {
		server,
		data: { decision: 'deny', reason: 'not now' },
	});
	expect(decided.status()).toBe(200);
	await waiting.ended;
	for (const page of [list, inbox, session]) await expect(buttonsOf(page)).toHaveCount(0);
	await expect(notice).toHaveCount(0);
	await expect(session.getByRole('article').getByRole('status')).toHaveText(
		/^Denied by an operator \(unnamed token\): “not now”$/,
	);
	expect((await api(`/api/approvals/${id}`, operator, { server, data: { decision: 'approve' } })).status()).toBe(409);
});

test('humanlayer#835: every kind of question has its answers on every page that shows it, on a phone too', async ({
	ownServer,
	operatorPage,
	project,
	hook,
}) => {
	const server = await ownServer();
	const { dir } = await project({ name: 'kinds', plan: planFor('developer'), server });
	const page = await operatorPage('/', { server, viewport: { width: 390, height: 844 } });
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const base = { session_id: 'kinds', cwd: dir, permission_mode: 'default' };
	const asks = [
		agentCall({ sessionId: 'kinds', cwd: dir, agent: 'architect' }),
		{ ...base, hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { command: 'make release' } },
	];
	// One after the other: what an agent does after its prompt was shown ends the prompt.
	for (const [at, ask] of asks.entries()) {
		hook(ask, { server });
		await expect(page.getByRole('main').getByRole('button', { name: /Deny$/ })).toHaveCount(at + 1);
	}
	for (const path of ['/', '/approvals']) {
		await page.goto(path);
		await expect(
			page
				.getByRole('main')
				.getByRole('button', { name: /Approve/ })
				.and(page.locator(':not([aria-disabled="true"])')),
		).not.toHaveCount(0);
		await expect(page.getByRole('main').getByRole('button', { name: /Deny$/ })).toHaveCount(asks.length);
	}
	for (const card of await page.getByRole('article').all()) {
		await card.getByRole('button', { name: /Approve once/ }).scrollIntoViewIfNeeded();
		await expect(card.getByRole('button', { name: /Approve once/ })).toBeEnabled();
	}
});

test('happy#1123: a click that the server refused is reported, and the next one counts', async ({
	operatorPage,
	project,
	hook,
	expectConsole,
}) => {
	expectConsole(/net::ERR_FAILED/);
	const { dir } = await project({ name: 'click', plan: planFor('developer') });
	const page = await operatorPage('/approvals');
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const waiting = hook(agentCall({ sessionId: 'click', cwd: dir, agent: 'architect' }));
	const card = page.getByRole('article').filter({ hasText: 'click' });
	await page.route('**/api/approvals/*', (route) => route.abort(), { times: 1 });
	await card.getByRole('button', { name: 'Approve once' }).click();
	await expect(card.getByRole('alert')).toContainText('The server does not answer. Nothing was changed.');
	expect(waiting.isWaiting()).toBe(true);
	await card.getByRole('button', { name: 'Approve once' }).click();
	expect(JSON.parse((await waiting.ended).stdout).hookSpecificOutput.permissionDecision).toBe('allow');
	await expect(card.getByRole('status')).toHaveText(/^Approved/);
});

test('agents-observe: instants of a wrong clock, and what calls itself a time, do not stretch or break a page', async ({
	ownServer,
	operatorPage,
}) => {
	const server = await ownServer();
	const call = (at: number) => [
		{ type: 'agent:start', agent: 'developer', agentId: `a${at}` },
		{ type: 'tool:call', toolUseId: `t${at}`, tool: 'Bash', agentId: `a${at}`, input: { command: `make ${at}` } },
		{
			type: 'tool:result',
			toolUseId: `t${at}`,
			tool: 'Bash',
			agentId: `a${at}`,
			response: 'ok',
			durationMs: 1e300,
			after: 3,
		},
	];
	const far = { after: 8.64e12 - Date.now() / 1000 - 60 };
	writeStory(server.home, 'clock', Date.now(), [
		{ type: 'session:start', cwd: '/tmp', project: 'clock' },
		...call(1),
		{ type: 'prompt:submit', prompt: 'in the year 275760', source: 'user', ...far },
		...call(2),
	]);
	writeStory(server.home, 'old', 0, [{ type: 'session:start', cwd: '/tmp', project: 'old' }, ...call(1)]);
	for (const viewport of [
		{ width: 1440, height: 900 },
		{ width: 390, height: 844 },
	]) {
		const page = await operatorPage('/', { server, viewport });
		const watch = watchPage(page, server.url);
		await expect(page.getByRole('link', { name: /clock/ }).first()).toBeVisible();
		await watch.expectInert('the list');
		for (const sessionId of ['clock', 'old']) {
			await page.goto(`/sessions/${sessionId}`);
			await expect(page.getByRole('list', { name: 'Story' })).toContainText('make 1');
			await page.getByRole('tab', { name: 'Lanes' }).click();
			await expect(page.getByRole('button', { name: /^developer: Bash make 1, ran/ })).toBeVisible();
			await watch.expectInert(`${sessionId}, lanes`);
			await expect(page.locator('body')).not.toContainText(/NaN|Infinity|Invalid Date/);
			for (const tab of ['Plan', 'Verdicts', 'Raw']) {
				await page.getByRole('tab', { name: tab }).click();
				await expect(page.getByRole('tabpanel')).not.toBeEmpty();
				await expect(page.locator('body')).not.toContainText(/NaN|Invalid Date/);
			}
		}
	}
	expect((await postHook(server.socketPath, { session_id: 'clock', hook_event_name: 'Stop' })).status).toBe(200);
});

test('ccviewer#186: unknown hook events and timeline lines are recorded and shown', async ({
	server,
	operatorPage,
}) => {
	const base = { session_id: 'new-kinds', cwd: '/tmp' };
	await postHook(server.socketPath, { ...base, hook_event_name: 'SessionStart', source: 'startup' });
	await postHook(server.socketPath, { ...base, hook_event_name: 'BrandNewHook', reading: 'never heard of' });
	writeStory(server.home, 'new-lines', Date.now(), [
		{ type: 'session:start', cwd: '/tmp', project: 'lines' },
		{ type: 'quantum:leap', reading: 'from another version' },
	]);
	const page = await operatorPage('/sessions/new-kinds');
	await page.goto('/sessions/new-kinds?tab=raw');
	const event = page.getByRole('list', { name: 'Events' }).getByRole('button').filter({ hasText: 'BrandNewHook' });
	await event.click();
	await expect(page.getByRole('region', { name: 'Raw events' })).toContainText('never heard of');
	await page.goto('/sessions/new-lines');
	await page.getByRole('list', { name: 'Story' }).getByRole('button').filter({ hasText: 'quantum:leap' }).click();
	await expect(page.getByRole('region', { name: 'Detail' })).toContainText('from another version');
});
