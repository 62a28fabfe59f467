import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { axeFindings } from './rig/axe-findings.ts';
import { postHook } from './rig/door.ts';
import type { HookEnd } from './rig/hook-process.ts';
import { agentCall, planFor } from './rig/routing.ts';
import { signalbox } from './rig/signalbox-command.ts';

const PHONE = { width: 390, height: 844 };

const widthOf = (page: Page) => page.evaluate(() => document.querySelector('main')?.scrollWidth);

/** The decision that a hook printed. */
function decisionOf(end: HookEnd): { permissionDecision: string; permissionDecisionReason: string } {
	expect(end).toMatchObject({ exitCode: 0, stderr: '' });
	return JSON.parse(end.stdout).hookSpecificOutput;
}

test('on a phone: why it was denied, overridden once with a reason, the retry runs, and the proof of who allowed it', async ({
	server,
	operatorPage,
	project,
	hook,
}) => {
	const { dir } = await project({ name: 'override', plan: planFor('developer') });
	const of = (toolUseId: string) => agentCall({ sessionId: 'override', cwd: dir, agent: 'architect', toolUseId });
	const denied = decisionOf(await hook(of('toolu_1'), { timeoutSeconds: 13 }).ended);
	expect(denied.permissionDecision).toBe('deny');
	expect(denied.permissionDecisionReason).toContain('a person can allow a retry of it in Signalbox');

	const page = await operatorPage('/sessions/override?row=call:toolu_1', { viewport: PHONE });
	await expect(page.getByTitle('routing.agent-in-plan').first()).toBeVisible();
	await page.getByRole('button', { name: 'Allow the next try…' }).click();
	const form = page.getByRole('region', { name: 'Allow the next try' });
	await expect(form).toContainText('It lets run: agent architect while plan route-77 of project');
	await form.getByText('It would have overridden 1 recorded denial').click();
	await expect(form.getByRole('listitem')).toContainText('Design the cart');
	const allow = form.getByRole('button', { name: 'Allow it' });
	await expect(allow).toBeDisabled();
	await expect(allow).toHaveAccessibleDescription(/A reason is required/);
	await form.getByLabel('Reason').fill('the data model comes first');
	await allow.click();
	await expect(page.getByText(/Allowed for the next try until/)).toBeVisible();

	await page.goto('/approvals');
	const grants = page
		.getByRole('region', { name: 'Active grants' })
		.getByRole('listitem')
		.filter({ hasText: '(override)' });
	await expect(grants).toContainText('for the next try (override) · ');

	const retried = decisionOf(await hook(of('toolu_2')).ended);
	expect(retried).toMatchObject({
		permissionDecision: 'allow',
		permissionDecisionReason: expect.stringContaining('"the data model comes first"'),
	});
	await expect(grants).toHaveCount(0);
	// R863
	const used = page
		.getByRole('region', { name: 'Overrides used' })
		.getByRole('link')
		.filter({ hasText: 'Design the cart' });
	await expect(used).toContainText(
		/a later try ran: allowed by an operator “the data model comes first” \(headless Chrome on Linux\)/,
	);
	await expect(used).toHaveAttribute('href', '/sessions/override?row=call%3Atoolu_2');
	expect(await axeFindings(page)).toEqual([]);
	const { tool_use_id, tool_input, ...call } = of('toolu_2');
	await postHook(server.socketPath, {
		...{ ...call, hook_event_name: 'PostToolUse', tool_use_id, tool_input },
		tool_response: { status: 'completed', content: [] },
	});
	const again = decisionOf(await hook(of('toolu_3'), { timeoutSeconds: 13 }).ended);
	expect(again.permissionDecision).toBe('deny');

	await page.goto('/sessions/override?row=call:toolu_2');
	const proof = page.getByText('allowed by an operator’s grant for the next try “the data model comes first”');
	await expect(proof.last()).toBeVisible();
	await expect(page.getByText(/used .*\d\d:\d\d:\d\d.*made by browser [0-9a-f]{8} at \d\d:\d\d:\d\d/)).toBeVisible();
	// R972
	await page.goto('/sessions/override?tab=plan');
	await expect(page.getByText(/allowed by an operator’s grant for the next try .*/)).toBeVisible();
});

test('an undecided call is allowed later, and its line shows it also on a new page', async ({
	operatorPage,
	project,
	hook,
}) => {
	const { dir } = await project({ name: 'lapsed', plan: planFor('developer') });
	const page = await operatorPage('/approvals');
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const call = agentCall({ sessionId: 'lapsed', cwd: dir, agent: 'architect' });
	expect(decisionOf(await hook(call, { timeoutSeconds: 13 }).ended).permissionDecision).toBe('deny');
	await page.reload();
	const line = page.getByRole('region', { name: 'Not decided' }).getByRole('listitem').filter({ hasText: 'lapsed' });
	await line.getByRole('button', { name: 'Allow the next try…' }).click();
	await expect(line.getByLabel('Reason')).toBeFocused();
	await line.getByLabel('Reason').fill('I was at lunch');
	// Nobody grants what they have not been shown the reach of.
	await expect(line).toContainText('It would have overridden 1 recorded denial');
	await page.keyboard.press('Enter');
	await expect(line).toContainText(/Allowed for the next try until (\d+ \w+ )?\d\d:\d\d/);
	await page.reload();
	await expect(line).toContainText(/Allowed for the next try until (\d+ \w+ )?\d\d:\d\d/);
});

test('a grant for the session is used until it is revoked in the inbox', async ({
	server,
	operatorPage,
	project,
	hook,
	api,
}) => {
	const { dir } = await project({ name: 'revoked', plan: planFor('developer') });
	const of = (toolUseId: string) => agentCall({ sessionId: 'revoked', cwd: dir, agent: 'architect', toolUseId });
	expect(decisionOf(await hook(of('toolu_r1'), { timeoutSeconds: 11 }).ended).permissionDecision).toBe('deny');
	// One of its own: it is revoked below, and the tests of a server share theirs.
	const operator = await signalbox(server.home, ['token', 'create', '--role', 'operator']);
	const data = { sessionId: 'revoked', toolUseId: 'toolu_r1', scope: 'session', reason: 'design week' };
	await expect.poll(async () => (await api('/api/grants', operator, { data })).status()).toBe(200);
	for (const id of ['toolu_r2', 'toolu_r3']) {
		expect(decisionOf(await hook(of(id)).ended).permissionDecision).toBe('allow');
	}
	const page = await operatorPage('/approvals');
	const row = page
		.getByRole('region', { name: 'Active grants' })
		.getByRole('listitem')
		.filter({ hasText: '(revoked)' });
	await expect(row).toContainText('used 2 times');
	await expect(row).toContainText('8h left');
	// R973 R971
	await page.goto('/sessions/revoked?row=call:toolu_r2');
	await page.getByRole('link', { name: 'Who that is' }).click();
	const maker = page.getByRole('region', { name: 'Tokens' }).locator('[aria-current]');
	await maker.getByRole('button', { name: 'Revoke' }).click();
	await expect(maker).toContainText('It made 1 active override, which stays when this token ends.');
	await maker.getByRole('button', { name: 'Revoke this token for good' }).click();
	await expect(page.getByRole('region', { name: 'Ended' })).toContainText(
		/token, since .* revoked .* by browser [0-9a-f]{8}/,
	);
	expect(await axeFindings(page)).toEqual([]);
	await page.goto('/approvals');
	await expect(row).toContainText(/by token, whose access ended (\d+ \w+ )?\d\d:\d\d/);
	await row.getByRole('button', { name: /Revoke the grant/ }).click();
	await expect(row).toHaveCount(0);
	expect(decisionOf(await hook(of('toolu_r4'), { timeoutSeconds: 11 }).ended).permissionDecision).toBe('deny');
});

test('R940 on a phone: who comes back finds what was denied with nobody asked, and allows its next try there', async ({
	ownServer,
	operatorPage,
	project,
	hook,
}) => {
	const server = await ownServer();
	const { dir } = await project({ name: 'meanwhile', plan: planFor('developer'), server });
	const of = (toolUseId: string, agent = 'architect') =>
		agentCall({ sessionId: 'meanwhile', cwd: dir, agent, toolUseId });
	const call = async (toolUseId: string) => decisionOf(await hook(of(toolUseId), { server }).ended).permissionDecision;
	expect([await call('toolu_1'), await call('toolu_2')]).toEqual(['deny', 'deny']);

	const page = await operatorPage('/approvals', { server, viewport: PHONE });
	await expect(page.getByText('Nothing waits for you.')).toBeVisible();
	const menu = page.getByRole('navigation').getByRole('link', { name: /Approvals/ });
	await expect(menu).toHaveText('Approvals');
	const unasked = page.getByRole('region', { name: 'Denied, and no one was asked' });
	const line = unasked.getByRole('listitem').filter({ hasText: 'architect' });
	await expect(line).toHaveCount(1);
	await expect(line).toContainText('Agent → architect “Design the cart”');
	await expect(line).toContainText('architect is not in the plan');
	await expect(line.getByTitle('routing.agent-in-plan')).toBeVisible();
	await expect(line).toContainText('2 times');
	await expect(line.getByRole('link')).toHaveAttribute('href', '/sessions/meanwhile?row=call%3Atoolu_2');
	expect(await widthOf(page)).toBe(PHONE.width);

	// One that is denied now, without anybody who waits for it, comes by itself.
	await postHook(server.socketPath, of('toolu_3', 'tester'));
	await expect(unasked.getByRole('listitem').first()).toContainText('Agent → tester');

	await line.getByRole('button', { name: 'Allow the next try…' }).click();
	const form = line.getByRole('region', { name: 'Allow the next try' });
	await expect(form).toContainText('It lets run: agent architect while plan route-77');
	await form.getByLabel('Reason').fill('the data model comes first');
	expect(await widthOf(page)).toBe(PHONE.width);
	await form.getByRole('button', { name: 'Allow it' }).click();
	await expect(line).toContainText(/Allowed for the next try until (\d+ \w+ )?\d\d:\d\d/);
	await expect(page.getByRole('region', { name: 'Active grants' })).toContainText('the data model comes first');
	expect(await call('toolu_4')).toBe('allow');
	// R974
	await expect(line).toContainText(/Used at (\d+ \w+ )?\d\d:\d\d: the next try was let run/);
	await expect(line.getByRole('link', { name: 'Show that call' })).toHaveAttribute('href', /row=call%3Atoolu_4$/);
	expect(await widthOf(page)).toBe(PHONE.width);
	expect(await axeFindings(page)).toEqual([]);

	await page.reload();
	await expect(unasked).toContainText('tester');
	await expect(line).toHaveCount(0);
	await expect(page.getByRole('region', { name: 'Overrides used' })).toContainText('the data model comes first');
});
