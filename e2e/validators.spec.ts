import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelRequest, startScriptedModel } from '#server/testing/scripted-model.ts';
import { expect, test } from './fixtures.ts';
import { axeFindings } from './rig/axe-findings.ts';
import { signalbox } from './rig/signalbox-command.ts';

const evidence = {
	filesCount: 8,
	functionsEstimate: 20,
	linesEstimate: null,
	integrationPoints: ['mail', '<b>billing</b>'],
	hasMultipleSteps: true,
	requiresCoordination: true,
};
const breakdown = {
	required: true,
	reasoning: 'Three components must agree.',
	suggestedSubtasks: ['Write the login form', 'Store the sessions', 'Send the mails'],
	integrationConsiderations: ['One format for sessions'],
};
const strict = ({ text }: ModelRequest) =>
	text.includes('You rate the complexity')
		? { json: { rating: 'complex', evidence, reasoning: 'It touches eight files.' } }
		: { json: breakdown };

test('a validator’s denial waits for a person, its card shows all of it, and its subtasks are made with one click', async ({
	ownServer,
	operatorPage,
	project,
	hook,
}) => {
	const model = await startScriptedModel(strict);
	const server = await ownServer();
	const llm = { provider: 'openai-compatible', model: 'local', baseUrl: model.baseUrl };
	const gates = { spawnValidator: { enabled: true } };
	writeFileSync(join(server.home, 'config.json'), JSON.stringify({ llm, gates }));
	const { dir } = await project({ name: 'shop', server });
	const session = { session_id: 'validated', cwd: dir };
	await hook({ ...session, hook_event_name: 'SessionStart', source: 'startup' }, { server }).ended;
	await signalbox(
		server.home,
		['workflow', 'start', 'quick', '--feature', 'user-login', '--session', 'validated'],
		dir,
	);
	const page = await operatorPage('/sessions/validated', { server });
	await expect(page.getByRole('heading', { name: 'shop' })).toBeVisible();

	const spawn = (id: string) => ({
		...session,
		hook_event_name: 'PreToolUse',
		tool_name: 'Agent',
		tool_input: { subagent_type: 'developer', description: 'Build the login', prompt: 'Implement authentication' },
		tool_use_id: id,
	});
	const run = hook(spawn('t1'), { server });
	await page.getByRole('tab', { name: 'Verdicts' }).click();
	const card = page.getByRole('article', { name: 'Assessment' });
	await expect(card).toContainText('denied');
	await expect(card).toContainText('It touches eight files.');
	await expect(card).toContainText('mail, <b>billing</b>');
	await expect(card.getByRole('listitem')).toHaveText([
		'Write the login form',
		'Store the sessions',
		'Send the mails',
		'One format for sessions',
	]);
	await card.getByRole('button', { name: 'Create these subtasks' }).click();
	await expect(card.getByText('3 tasks added to user-login.')).toBeVisible();
	await card.getByRole('button', { name: 'Create these subtasks' }).click();
	await expect(card.getByText('They are in user-login already.')).toBeVisible();
	expect(await axeFindings(page)).toEqual([]);

	await page.getByRole('list', { name: 'Needs you' }).getByRole('button', { name: 'Review' }).click();
	await page.getByRole('button', { name: 'Approve once' }).click();
	expect((await run.ended).stdout).toContain('"permissionDecision":"allow"');
	await page.goto('/sessions/validated?row=call%3At1');
	await expect(page.getByRole('region', { name: 'Detail' }).getByRole('article', { name: 'Assessment' })).toBeVisible();
	await model.stop();
});
