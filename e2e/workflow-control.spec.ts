import { CONNECTION_LOST, expect, test } from './fixtures.ts';
import { axeFindings } from './rig/axe-findings.ts';
import { postHook } from './rig/door.ts';
import { agentCall } from './rig/routing.ts';
import { signalbox } from './rig/signalbox-command.ts';

test.use({ trace: 'off' });

test('R374 a workflow is started, paused, resumed and stopped in the browser, and the agent feels it', async ({
	ownServer,
	operatorPage,
	project,
	hook,
	expectConsole,
}) => {
	const server = await ownServer({ SIGNALBOX_HOLD_SECONDS: '0' });
	const { dir } = await project({ name: 'shop', server });
	const send = (hook_event_name: string, fields: object = {}) =>
		postHook(server.socketPath, { session_id: 'control', cwd: dir, hook_event_name, ...fields });
	const stop = async () => {
		const printed = await hook(
			{ session_id: 'control', cwd: dir, hook_event_name: 'Stop', stop_hook_active: false, background_tasks: [] },
			{ server },
		).ended;
		return printed.stdout === '' ? null : JSON.parse(printed.stdout);
	};
	await send('SessionStart', { source: 'startup' });
	const page = await operatorPage('/sessions/control', { server });
	const workflow = page.getByLabel('Workflow', { exact: true });
	const button = (name: string) => page.getByRole('button', { name, exact: true });

	await button('Start workflow').focus();
	await page.keyboard.press('Enter');
	const dialog = page.getByRole('dialog');
	await expect(dialog.getByRole('radio')).toHaveCount(18);
	expect(await axeFindings(page)).toEqual([]);
	await dialog.getByRole('radio', { name: /^quick/ }).check();
	await dialog.getByLabel('Feature').fill('Not A Name');
	await expect(dialog.getByRole('button', { name: 'Start quick' })).toHaveAttribute('aria-disabled', 'true');
	await dialog.getByLabel('Feature').fill('cart');
	await page.keyboard.press('Enter');
	await expect(dialog).toHaveCount(0);
	await expect(workflow.getByTitle(/ pending\b/)).toHaveCount(4);
	await page.getByRole('tab', { name: 'Overview' }).click();
	await expect(page.getByRole('region', { name: 'Detail' })).toContainText('cart');
	expect(await stop()).toMatchObject({ decision: 'block' });

	await button('Pause').click();
	await expect(workflow).toContainText('paused by a person');
	expect(await axeFindings(page)).toEqual([]);
	expect(await stop()).toBeNull();
	await page.goto('/');
	await expect(page.getByRole('link', { name: /workflow paused/ })).toBeVisible();
	await page.goto('/sessions/control');
	expectConsole(CONNECTION_LOST);
	await server.stop();
	await server.start();
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	expect(await signalbox(server.home, ['workflow', 'status', '--session', 'control'])).toContain('is paused');
	const late = await hook(agentCall({ sessionId: 'control', cwd: dir, agent: 'code-reviewer' }), { server }).ended;
	expect(JSON.parse(late.stdout).hookSpecificOutput.permissionDecision).toBe('allow');
	await page.reload();
	await button('Resume').click();
	await expect(button('Pause')).toBeVisible();
	expect(await stop()).toMatchObject({ decision: 'block' });

	await button('Stop loop').click();
	await expect(dialog).toContainText('sent on no more');
	expect(await axeFindings(page)).toEqual([]);
	await dialog.getByRole('button', { name: 'Stop loop' }).click();
	await page.getByRole('tab', { name: 'Overview' }).click();
	await expect(page.getByRole('region', { name: 'Detail' })).toContainText('ended: stopped');
	expect(await stop()).toMatchObject({ systemMessage: expect.stringContaining('was aborted') });
	await expect(workflow).toContainText('Workflowaborted');

	await button('Start workflow').click();
	await dialog.getByRole('radio', { name: /^debug/ }).check();
	await dialog.getByRole('button', { name: 'Start debug' }).click();
	await expect(workflow).toContainText('DEBUG');
	await button('Stop workflow').click();
	await dialog.getByRole('button', { name: 'Cancel' }).click();
	await expect(button('Stop workflow')).toBeVisible();
	await button('Stop workflow').click();
	// Somebody else is faster: the refusal is shown and nothing is lost.
	await signalbox(server.home, ['workflow', 'stop', '--session', 'control']);
	await expect(workflow).toContainText('Workflowaborted');
	expectConsole(/409 \(Conflict\)/);
	await dialog.getByRole('button', { name: 'Stop workflow' }).click();
	await expect(dialog.getByRole('alert')).toHaveText('No workflow runs in this session.');
	await dialog.getByRole('button', { name: 'Cancel' }).click();
	await send('SessionEnd', { reason: 'other' });
	await expect(button('Start workflow')).toHaveCount(0);

	await page.goto('/rules');
	await page.getByRole('button', { name: /^No stop before the workflow/ }).click();
	await expect(page.getByRole('row', { name: /loop.open-stages/ })).toContainText('2');
	expect(await axeFindings(page)).toEqual([]);
	await page.goto('/features');
	await button('New feature').click();
	expect(await axeFindings(page)).toEqual([]);
	await dialog.getByLabel('Name').fill('search');
	await dialog.getByLabel('Workflow').selectOption('quick');
	await dialog.getByLabel('Into the backlog').check();
	await page.keyboard.press('Enter');
	await expect(page.getByRole('region', { name: 'Backlog' })).toContainText('0 of 4 tasks done');
});
