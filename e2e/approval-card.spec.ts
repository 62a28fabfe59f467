import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { CONNECTION_LOST, expect, test } from './fixtures.ts';
import type { HookEnd } from './rig/hook-process.ts';
import { agentCall, planFor } from './rig/routing.ts';

const cardOf = (page: Page, project: string): Locator =>
	page.getByRole('article').filter({ hasText: 'architect' }).filter({ hasText: project });

interface Printed {
	continue?: boolean;
	stopReason?: string;
	hookSpecificOutput: { permissionDecision: string; permissionDecisionReason: string; updatedInput?: unknown };
}
function printed(end: HookEnd): Printed {
	expect(end).toMatchObject({ exitCode: 0, stderr: '' });
	return JSON.parse(end.stdout) as Printed;
}

test('approved with an edited input: the changes are shown, and the call runs with them', async ({
	operatorPage,
	project,
	hook,
	expectConsole,
}) => {
	expectConsole(/422 \(Unprocessable Entity\)/);
	const { dir } = await project({ name: 'edited', plan: planFor('developer') });
	const page = await operatorPage('/approvals', { viewport: { width: 390, height: 844 } });
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const waiting = hook(agentCall({ sessionId: 'edited', cwd: dir, agent: 'architect' }));
	const card = cardOf(page, 'edited');
	await expect(card.getByRole('button', { name: 'Edit input…' })).toBeEnabled();
	await card.focus();
	await page.keyboard.press('e');
	const form = card.getByRole('region', { name: 'Edit the input' });
	const editor = form.getByLabel('Input (JSON)');
	// R1021
	await expect(editor).toBeFocused();
	await page.keyboard.press('Escape');
	await expect(card).toBeFocused();
	await page.keyboard.press('e');
	await form.getByRole('button', { name: 'Cancel' }).focus();
	await page.keyboard.press('a');
	await page.keyboard.press('d');
	const before = await editor.inputValue();
	await editor.fill('{"prompt":');
	await expect(form.getByRole('button', { name: /^Approve with/ })).toBeDisabled();
	await editor.fill(before.replace('Design the cart first, please.', 'Design only the data model.'));
	await expect(form).toContainText('Design only the data model.');
	// R960
	await editor.fill((await editor.inputValue()).replace('"architect"', '"tester"'));
	await form.getByRole('button', { name: 'Approve with 2 changes' }).click();
	await expect(card.getByRole('alert')).toContainText(
		'tester not in expected [developer] (rule routing.agent-in-plan)',
	);
	await expect(form.getByRole('button', { name: 'Approve despite routing.agent-in-plan' })).toBeVisible();
	expect(waiting.isWaiting()).toBe(true);
	await editor.fill((await editor.inputValue()).replace('"tester"', '"architect"'));
	await form.getByRole('button', { name: 'Approve with this change' }).click();
	expect(printed(await waiting.ended).hookSpecificOutput).toMatchObject({
		permissionDecision: 'allow',
		updatedInput: { prompt: 'Design only the data model.', subagent_type: 'architect' },
	});
});

test('approved and remembered: the next call of the session runs unasked', async ({ operatorPage, project, hook }) => {
	const { dir } = await project({ name: 'remembered', plan: planFor('developer') });
	const call = (id: string) => agentCall({ sessionId: 'remembered', cwd: dir, agent: 'architect', toolUseId: id });
	const page = await operatorPage('/approvals');
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const waiting = hook(call('toolu_m1'));
	const card = cardOf(page, 'remembered');
	await card.getByRole('button', { name: 'Approve and remember…' }).click();
	const form = card.getByRole('form', { name: 'Approve and remember' });
	await expect(form).toContainText('It would have overridden 1 recorded denial');
	await expect(form.getByRole('radio', { name: 'The next try' })).toHaveCount(0);
	await form.getByLabel('Reason').fill('design week');
	await form.getByRole('button', { name: 'Approve and remember' }).click();
	expect(printed(await waiting.ended).hookSpecificOutput.permissionDecision).toBe('allow');
	const grants = page.getByRole('region', { name: 'Active grants' }).getByRole('listitem');
	await expect(grants.filter({ hasText: '(remembered)' })).toContainText('design week');
	expect(printed(await hook(call('toolu_m2')).ended).hookSpecificOutput.permissionDecisionReason).toContain(
		'by a grant',
	);
});

test('denied and stopped: the agent’s turn ends with the reason', async ({ operatorPage, project, hook }) => {
	const { dir } = await project({ name: 'stopped', plan: planFor('developer') });
	const page = await operatorPage('/approvals');
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const waiting = hook(agentCall({ sessionId: 'stopped', cwd: dir, agent: 'architect' }));
	const card = cardOf(page, 'stopped');
	await card.getByRole('textbox', { name: 'Reason' }).fill('wrong branch');
	await card.getByRole('button', { name: 'Stop the agent' }).click();
	expect(printed(await waiting.ended)).toMatchObject({
		continue: false,
		stopReason: 'Denied in Signalbox by an operator: "wrong branch"',
		hookSpecificOutput: { permissionDecision: 'deny' },
	});
});

test('several at once, with an honest result; and what was decided before about the same question', async ({
	ownServer,
	operatorPage,
	project,
	hook,
}) => {
	const server = await ownServer();
	const { dir } = await project({ name: 'bulk', plan: planFor('developer'), server });
	const page = await operatorPage('/approvals', { server });
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const first = hook(agentCall({ sessionId: 'bulk0', cwd: dir, agent: 'architect' }), { server });
	await page.getByRole('button', { name: 'Deny' }).click();
	expect(printed(await first.ended).hookSpecificOutput.permissionDecision).toBe('deny');

	const long = agentCall({ sessionId: 'bulk2', cwd: dir, agent: 'architect' });
	const calls = [
		agentCall({ sessionId: 'bulk1', cwd: dir, agent: 'architect' }),
		{ ...long, tool_input: { ...long.tool_input, prompt: 'long '.repeat(1000) } },
	];
	const [short, kept] = calls.map((call) => hook(call, { server }));
	const boxes = page.getByRole('checkbox', { name: 'Decide together with others' });
	await expect(boxes).toHaveCount(2);
	await expect(page.getByText('Before: 1 similar, 1 denied').first()).toBeVisible();
	for (const box of await boxes.all()) await box.check();
	const bar = page.getByRole('region', { name: 'Chosen together' });
	// What moves while it is pressed decides nothing: a person presses again.
	await expect(async () => {
		await bar.getByRole('button', { name: 'Approve 2' }).click({ timeout: 2000 });
		await expect(bar.getByRole('status')).toBeVisible({ timeout: 2000 });
	}).toPass();
	await expect(bar.getByRole('status')).toContainText('1 approved, 1 not:');
	await expect(bar.getByRole('status')).toContainText('Open the full input');
	expect(printed((await short?.ended) as HookEnd).hookSpecificOutput.permissionDecision).toBe('allow');
	expect(kept?.isWaiting()).toBe(true);
	await bar.getByRole('button', { name: 'Deny 1' }).click();
	expect(printed((await kept?.ended) as HookEnd).hookSpecificOutput.permissionDecision).toBe('deny');
});

test('without a server chosen cards stay chosen and cannot be decided; an open dialog shows it too', async ({
	ownServer,
	operatorPage,
	project,
	hook,
	expectConsole,
}) => {
	expectConsole(CONNECTION_LOST);
	expectConsole(/401 \(Unauthorized\)/);
	const server = await ownServer();
	const { dir } = await project({ name: 'away', plan: planFor('developer'), server });
	const page = await operatorPage('/approvals', { server });
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	hook(agentCall({ sessionId: 'away', cwd: dir, agent: 'architect' }), { server });
	const box = page.getByRole('checkbox', { name: 'Decide together with others' });
	await box.check();
	await page.waitForFunction(() => performance.getEntriesByName('preloaded').length > 0);
	await server.kill();
	const bar = page.getByRole('region', { name: 'Chosen together' });
	await expect(bar.getByRole('button', { name: 'Approve 1' })).toBeDisabled();
	await expect(bar.getByRole('button', { name: 'Deny 1' })).toHaveAccessibleDescription(/^Not connected/);
	await expect(box).toBeChecked();
	await page.keyboard.press('?');
	const dialog = page.getByRole('dialog');
	await expect(dialog.getByRole('status')).toContainText(/Reconnecting|Offline/);

	await server.start();
	await expect(dialog.getByRole('status')).toHaveText('');
	await page.context().clearCookies();
	await server.stop();
	await server.start();
	await dialog.getByRole('link', { name: 'Signed out' }).click();
	await expect(page).toHaveURL(/\/login$/);
});

test('with the undo setting a decision waits, on the card and in the list, and can be undone', async ({
	ownServer,
	operatorPage,
	project,
	hook,
}) => {
	const server = await ownServer();
	const undoWithin = (undoSeconds: number) =>
		writeFileSync(join(server.home, 'config.json'), JSON.stringify({ approvals: { undoSeconds } }));
	undoWithin(30);
	const { dir } = await project({ name: 'undone', plan: planFor('developer'), server });
	const page = await operatorPage('/approvals', { server });
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	// What is not taken back is decided on a page that holds it for a shorter time.
	undoWithin(2);
	const soon = await operatorPage('/approvals', { server });
	await expect(soon.getByText('Live', { exact: true })).toBeVisible();
	const waiting = hook(agentCall({ sessionId: 'undone', cwd: dir, agent: 'architect' }), { server });
	const card = cardOf(page, 'undone');
	await card.getByRole('button', { name: 'Approve once' }).click();
	await expect(card.getByRole('status')).toContainText(/Approved; the agent receives it in \d+s/);
	await card.getByRole('button', { name: 'Undo' }).click();
	await cardOf(soon, 'undone').getByRole('button', { name: 'Deny' }).click();
	expect(printed(await waiting.ended).hookSpecificOutput.permissionDecision).toBe('deny');

	undoWithin(30);
	await page.goto('/');
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	undoWithin(2);
	await soon.goto('/');
	await expect(soon.getByText('Live', { exact: true })).toBeVisible();
	const call = agentCall({ sessionId: 'undone', cwd: dir, agent: 'planner', toolUseId: 'toolu_second' });
	const second = hook(call, { server });
	const rowOn = (one: Page) => one.getByRole('region', { name: 'Needs you' }).getByRole('listitem');
	const row = rowOn(page);
	await row.getByRole('button', { name: 'Approve' }).click();
	await expect(row.getByRole('status')).toContainText(/Approved in \d+s/);
	await row.getByRole('button', { name: 'Undo' }).click();
	await rowOn(soon).getByRole('button', { name: 'Deny' }).click();
	expect(printed(await second.ended).hookSpecificOutput.permissionDecision).toBe('deny');
});
