import type { Locator, Page } from '@playwright/test';
import type { ApprovalRecord } from '#lib/contract/approvals/approval-record.ts';
import { CONNECTION_LOST, expect, test } from './fixtures.ts';
import { postHook } from './rig/door.ts';
import type { HookEnd } from './rig/hook-process.ts';
import { openFromList } from './rig/open-from-list.ts';
import { agentCall, planFor } from './rig/routing.ts';

const cardOf = (page: Page): Locator => page.getByRole('article').filter({ hasText: 'architect' });

interface PrintedDecision {
	continue?: boolean;
	hookSpecificOutput: { permissionDecision: string; permissionDecisionReason: string };
}

/** The one JSON object that a hook printed (R1). */
function printed(end: HookEnd): PrintedDecision {
	expect(end).toMatchObject({ exitCode: 0, stderr: '' });
	expect(end.stdout.trim().split('\n')).toHaveLength(1);
	return JSON.parse(end.stdout) as PrintedDecision;
}

test('a denial is held with its deadline; approved in the browser with a reason, the hook prints allow, who and why', async ({
	server,
	operatorPage,
	project,
	hook,
}) => {
	const { dir } = await project({ name: 'checkout', plan: planFor('developer', 'tester') });
	await postHook(server.socketPath, {
		session_id: 'approved',
		cwd: dir,
		hook_event_name: 'SessionStart',
		source: 'startup',
	});
	const page = await operatorPage('/');
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const waiting = hook(agentCall({ sessionId: 'approved', cwd: dir, agent: 'architect' }));

	const line = page.getByRole('region', { name: 'Needs you' }).getByRole('listitem').filter({ hasText: 'checkout' });
	await expect(line).toContainText(/[12]m \d+s left/);
	await line.getByRole('link', { name: 'Open' }).click();
	const card = cardOf(page).filter({ hasText: 'checkout' });
	await expect(card).toContainText(/[12]m \d+s left/);
	await expect(card).toContainText('architect is not in the plan, which has developer, tester');
	await expect(card).toContainText('Sub-agents must be in the plan');
	expect(waiting.isWaiting()).toBe(true);

	await expect(card.getByText('Design the cart first, please.')).toBeVisible();
	const journal = page.getByText(/^Journal: \d+ rows?/);
	const before = await journal.textContent();
	await card.getByRole('textbox', { name: 'Reason' }).fill('the data model comes first');
	await card.getByRole('button', { name: 'Approve once' }).click();

	const decision = printed(await waiting.ended);
	expect(decision.hookSpecificOutput.permissionDecision).toBe('allow');
	expect(decision.hookSpecificOutput.permissionDecisionReason).toContain(
		'by an operator: "the data model comes first"',
	);
	await expect(card.getByRole('status')).toHaveText(
		/^Approved by an operator \(headless Chrome on Linux\): “the data model comes first”$/,
	);
	await expect(card.getByRole('status')).toHaveAttribute('title', /^browser [0-9a-f]{8}$/);
	// R974
	await expect(card).toContainText('running');
	await expect(card.getByRole('link', { name: 'Watch it run' })).toBeVisible();
	// R862
	await expect(journal).not.toHaveText(before ?? '');

	await page.goto('/sessions/approved?tab=plan');
	const mismatch = page.getByRole('list', { name: 'Mismatches' }).getByRole('listitem');
	await expect(mismatch).toContainText('architect');
	await expect(mismatch).toContainText('approved (headless Chrome on Linux): “the data model comes first”');
});

test('denied in the browser, the hook prints the gate’s denial with the person’s words', async ({
	operatorPage,
	project,
	hook,
}) => {
	const { dir } = await project({ name: 'denied', plan: planFor('developer') });
	const page = await operatorPage('/approvals');
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const waiting = hook(agentCall({ sessionId: 'denied', cwd: dir, agent: 'architect' }));
	const card = cardOf(page).filter({ hasText: 'denied' });
	await card.getByRole('textbox', { name: 'Reason' }).fill('stay with the plan');
	await card.getByRole('button', { name: 'Deny' }).click();
	const decision = printed(await waiting.ended);
	expect(decision).not.toHaveProperty('continue', false);
	expect(decision.hookSpecificOutput.permissionDecision).toBe('deny');
	expect(decision.hookSpecificOutput.permissionDecisionReason).toContain('stay with the plan');
	await expect(card.getByRole('status')).toHaveText(
		/^Denied by an operator \(headless Chrome on Linux\): “stay with the plan”$/,
	);
	await page.reload();
	const decided = page.getByRole('region', { name: 'Decided' }).getByRole('listitem');
	await expect(decided.filter({ hasText: 'stay with the plan' })).toContainText('architect');
});

test('while a call waits, its session shows the card at once and other pages say so', async ({
	operatorPage,
	project,
	hook,
}) => {
	const { dir } = await project({ name: 'noticed', plan: planFor('developer') });
	const page = await operatorPage('/features');
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const waiting = hook(agentCall({ sessionId: 'noticed', cwd: dir, agent: 'architect' }));
	const notice = page.getByRole('complementary', { name: 'Waiting for you' });
	await expect(notice).toContainText(/noticed.* wants to start architect.*[12]m \d+s left/);
	await notice.getByRole('link', { name: 'Review' }).click();
	await expect(cardOf(page).filter({ hasText: 'noticed' })).toBeVisible();

	await page.goto('/sessions/noticed');
	const card = page.getByRole('region', { name: 'Detail' }).getByRole('article');
	await card.getByRole('button', { name: 'Deny' }).click();
	expect(printed(await waiting.ended).hookSpecificOutput.permissionDecision).toBe('deny');
	await expect(card.getByRole('status')).toHaveText(/^Denied by an operator \(headless Chrome on Linux\)$/);
});

test('the keys A and D act on the card that has the focus; without one they choose the first', async ({
	operatorPage,
	project,
	hook,
}) => {
	const { dir } = await project({ name: 'by-key', plan: planFor('developer') });
	const page = await operatorPage('/approvals');
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const waiting = hook(agentCall({ sessionId: 'by-key', cwd: dir, agent: 'architect' }));
	const card = cardOf(page).filter({ hasText: 'by-key' });
	await expect(card.getByRole('button', { name: 'Approve once' })).toBeEnabled();
	await page.keyboard.press('a');
	await expect(cardOf(page).first()).toBeFocused();
	await expect(card.getByRole('status')).toHaveCount(0);
	await card.focus();
	await expect(card.getByRole('button', { name: 'Approve once' })).toBeEnabled();
	await page.keyboard.press('a');
	expect(printed(await waiting.ended).hookSpecificOutput.permissionDecision).toBe('allow');
});

test('if nobody answers, the call stays denied at the deadline, and the card shows it', async ({
	operatorPage,
	project,
	hook,
}) => {
	const { dir } = await project({ name: 'expiry', plan: planFor('developer') });
	const page = await operatorPage('/sessions/expiry');
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	// The deadline is ten seconds before the hook's own.
	const waiting = hook(agentCall({ sessionId: 'expiry', cwd: dir, agent: 'architect' }), { timeoutSeconds: 13 });
	const decision = printed(await waiting.ended);
	expect(decision.hookSpecificOutput.permissionDecision).toBe('deny');
	await page.goto('/sessions/expiry?row=call:toolu_expiry');
	await expect(page.getByRole('article').getByRole('status')).toHaveText('Nobody answered in time');
	await expect(page.getByRole('article').getByRole('button', { name: /Approve|Deny/ })).toHaveCount(0);
});

test('the agent is killed: within moments the card says that it is gone and takes no answer', async ({
	operatorPage,
	project,
	hook,
	standIn,
}) => {
	const { dir } = await project({ name: 'killed', plan: planFor('developer') });
	const client = standIn();
	const page = await operatorPage('/');
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const waiting = hook(agentCall({ sessionId: 'killed', cwd: dir, agent: 'architect' }), { clientPid: client.pid });
	await openFromList(page, 'killed');
	const card = page.getByRole('article');
	await expect(card.getByRole('button', { name: 'Approve once' })).toBeEnabled();
	client.kill();
	await expect(card).toContainText('the agent is gone');
	await expect(card.getByRole('button', { name: /Approve|Deny/ })).toHaveCount(0);
	await expect(page.locator('header').getByText('Lost')).toBeVisible();
	expect(printed(await waiting.ended).hookSpecificOutput.permissionDecision).toBe('deny');
});

test('the server dies by kill -9 while a call is held: the kept denial is printed, once', async ({
	ownServer,
	operatorPage,
	project,
	hook,
	expectConsole,
}) => {
	expectConsole(CONNECTION_LOST);
	const server = await ownServer();
	const { dir } = await project({ plan: planFor('developer'), server });
	const page = await operatorPage('/approvals', { server });
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const waiting = hook(agentCall({ sessionId: 'crashed', cwd: dir, agent: 'architect' }), { server });
	await expect(cardOf(page)).toBeVisible();
	await server.kill();
	const decision = printed(await waiting.ended);
	expect(decision.hookSpecificOutput.permissionDecision).toBe('deny');
	await expect(page.getByText('Reconnecting')).toBeVisible();
	await expect(cardOf(page).getByRole('button', { name: 'Deny' })).toBeDisabled();
	await server.start();
	await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 15_000 });
	await expect(cardOf(page).getByRole('button', { name: 'Approve once' })).toHaveCount(0);
	await page.goto('/sessions/crashed?row=call:toolu_crashed');
	await expect(page.getByRole('article').getByRole('status')).toHaveText(/the server restarted|Nobody answered/i);
});

test('the API decides by bearer token: viewer and edge 403, operator 200, a second answer 409, a late one 410', async ({
	ownServer,
	project,
	hook,
	token,
	api,
}) => {
	const server = await ownServer({ SIGNALBOX_HOLD_SECONDS: '60' });
	const { dir } = await project({ plan: planFor('developer'), server });
	const [operator, viewer, edge] = [
		await token('operator', server),
		await token('viewer', server),
		await token('edge', server),
	];
	const idsOf = async (sessionId: string, state: string) => {
		const answer = await api(`/api/approvals?state=${state}`, viewer, { server });
		const { approvals } = (await answer.json()) as { approvals: ApprovalRecord[] };
		return approvals.filter((approval) => approval.sessionId === sessionId).map(({ id }) => id);
	};
	const decide = async (id: string, who: string, decision: string) =>
		(await api(`/api/approvals/${id}`, who, { server, data: { decision, reason: 'by script' } })).status();

	const waiting = hook(agentCall({ sessionId: 'by-api', cwd: dir, agent: 'architect' }), { server });
	await expect.poll(() => idsOf('by-api', 'waiting')).toHaveLength(1);
	const [id = ''] = await idsOf('by-api', 'waiting');
	expect(await decide(id, viewer, 'approve')).toBe(403);
	expect(await decide(id, edge, 'approve')).toBe(403);
	expect(await decide(id, 'not-a-token-of-this-server', 'approve')).toBe(401);
	expect(waiting.isWaiting()).toBe(true);
	expect(await decide(id, operator, 'approve')).toBe(200);
	expect(printed(await waiting.ended).hookSpecificOutput).toMatchObject({
		permissionDecision: 'allow',
		permissionDecisionReason: expect.stringContaining('by script'),
	});
	expect(await decide(id, operator, 'deny')).toBe(409);
	expect(await decide('no-such-approval', operator, 'deny')).toBe(404);

	// Its deadline is ten seconds before the hook's own.
	const lapsing = hook(agentCall({ sessionId: 'late', cwd: dir, agent: 'architect' }), { server, timeoutSeconds: 13 });
	expect(printed(await lapsing.ended).hookSpecificOutput.permissionDecision).toBe('deny');
	const [late = ''] = await idsOf('late', 'expired');
	expect(await decide(late, operator, 'approve')).toBe(410);
});

test('without a server, or with nobody there to ask, a denial is printed at once', async ({
	ownServer,
	project,
	hook,
}) => {
	const server = await ownServer();
	const { dir } = await project({ plan: planFor('developer'), server });
	const alone = await hook(agentCall({ sessionId: 'alone', cwd: dir, agent: 'architect' }), { server }).ended;
	expect(printed(alone).hookSpecificOutput.permissionDecision).toBe('deny');
	await server.stop();
	const offline = await hook(agentCall({ sessionId: 'offline', cwd: dir, agent: 'architect' }), { server }).ended;
	expect(printed(offline).hookSpecificOutput.permissionDecision).toBe('deny');
	await server.start();
});
