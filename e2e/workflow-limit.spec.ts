import { expect, test } from './fixtures.ts';
import { axeFindings } from './rig/axe-findings.ts';
import { postHook } from './rig/door.ts';
import { signalbox } from './rig/signalbox-command.ts';

test('R1251 the page has what the gate has: a lost agent, a silent one, and the way on after a limit', async ({
	ownServer,
	operatorPage,
	project,
}, testInfo) => {
	const server = await ownServer({ SIGNALBOX_HOLD_SECONDS: '0' });
	const { dir } = await project({ name: 'shop', server });
	const send = (hook_event_name: string, fields: object = {}) =>
		postHook(server.socketPath, { session_id: 'limit', cwd: dir, hook_event_name, ...fields });
	let calls = 0;
	const ask = async (agent: string) => {
		const tool_use_id = `toolu_${++calls}`;
		await send('PreToolUse', { tool_name: 'Agent', tool_use_id, tool_input: { subagent_type: agent } });
		return tool_use_id;
	};
	const run = async (agent: string, last_assistant_message: string) => {
		await ask(agent);
		const id = { agent_id: `agent-${calls}`, agent_type: agent };
		await send('SubagentStart', id);
		await send('SubagentStop', { ...id, last_assistant_message, background_tasks: [] });
	};
	await send('SessionStart', { source: 'startup' });
	await signalbox(server.home, ['workflow', 'start', 'quick', '--session', 'limit', '--project', dir]);
	const page = await operatorPage('/sessions/limit', { server });
	const workflow = page.getByLabel('Workflow', { exact: true });
	const stage = (key: string) =>
		page.getByRole('list', { name: 'Stages' }).getByRole('listitem').filter({ hasText: key });

	const lost = await ask('developer');
	await expect(stage('DEV')).toContainText('running');
	await send('PostToolUseFailure', {
		tool_name: 'Agent',
		tool_use_id: lost,
		tool_input: { subagent_type: 'developer' },
		error: 'API error',
	});
	await expect(workflow).toContainText('no stage runs');
	await expect(workflow).toContainText('NextDEV');
	await run('developer', 'Built the cart.');
	await expect(stage('DEV')).toContainText('done, no verdict');
	await run('code-reviewer', '');
	await expect(workflow.getByTitle('REVIEW (unclear)')).toBeVisible();
	await run('code-reviewer', 'Approved.');
	for (let n = 0; n < 3; n += 1) await run('tester', '1 test failed');
	await expect(workflow).toContainText('a person’s word: go on, or stop');
	await send('Stop', { stop_hook_active: false, background_tasks: [] });
	await expect(workflow).toContainText('aborted');
	expect(await axeFindings(page)).toEqual([]);
	await page.screenshot({ path: testInfo.outputPath('limit.png') });
	await page.getByRole('button', { name: 'Go on with quick' }).click();
	await expect(stage('REVIEW')).toContainText('pass');
	await expect(workflow).toContainText('debugger, DEV, then TEST again');
	await expect(page.getByRole('button', { name: 'Go on with quick' })).toHaveCount(0);
	expect(await signalbox(server.home, ['workflow', 'status', '--session', 'limit'])).toContain('failed 0, rejected 0');
});
