import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CURRENT_CLIENT, installClient } from '#e2e/claude-code/install-client.ts';
import { createProject, type TestProject } from '#e2e/claude-code/project.ts';
import { clientEnvironment, runClient } from '#e2e/claude-code/run-client.ts';
import { call, delegate, replyText } from '#e2e/claude-code/script.ts';
import { startScriptedApi } from '#e2e/claude-code/scripted-api.ts';
import { expect, test } from '#e2e/fixtures.ts';
import { signalbox } from '#e2e/rig/signalbox-command.ts';
import { recordedEvents } from '#hooks-bridge/testing/recorded-events.ts';

const projects: TestProject[] = [];
test.afterEach(() => {
	for (const project of projects.splice(0)) project.remove();
});

/** A project in which only the plugin brings the hooks. */
async function projectWithPlugin(home: string): Promise<TestProject> {
	const project = createProject({ name: 'plugin-shop' });
	projects.push(project);
	await signalbox(home, ['init', '--plugin', '--project', project.dir]);
	return project;
}

test('Claude Code 2.1.330 accepts the plugin and its marketplace', async ({ server }) => {
	const project = await projectWithPlugin(server.home);
	const [program, ...leading] = (await installClient(CURRENT_CLIENT)).command;
	for (const folder of ['plugin', 'plugin/ot']) {
		const { stdout } = await promisify(execFile)(
			program,
			[...leading, 'plugin', 'validate', join(server.home, folder)],
			{ cwd: project.dir, env: clientEnvironment(project, 'http://127.0.0.1:9') as NodeJS.ProcessEnv },
		);
		expect(stdout).toContain('Validation passed');
	}
});

test('R347 Claude Code 2.1.330: with the plugin alone a workflow is started, worked through and complete', async ({
	server,
}) => {
	const project = await projectWithPlugin(server.home);
	project.trust();
	const skill = readFileSync(join(server.home, 'plugin/ot/skills/single/SKILL.md'), 'utf8');
	const start = /```sh\n(.+)\n```/.exec(skill)?.[1] ?? '';
	const model = await startScriptedApi({
		main: [
			call('Bash', { command: start }),
			{ blocks: [delegate('ot:developer', 'Build the cart.', { background: false })] },
			replyText('The cart is built.'),
		],
		subagent: [replyText('Built.\n\n<!-- VERDICT: {"result": "PASS"} -->')],
	});
	const end = await runClient({
		client: await installClient(CURRENT_CLIENT),
		project,
		apiUrl: model.url,
		prompt: 'Build the cart.',
		args: ['--allowedTools', 'Bash,Agent'],
		env: { OVERTONE_HOME: server.home },
	}).ended;
	await model.close();
	expect(end).toMatchObject({ exitCode: 0, result: 'The cart is built.' });
	const begun = end.messages.find(({ type, subtype }) => type === 'system' && subtype === 'init');
	expect(begun?.slash_commands).toEqual(expect.arrayContaining(['ot:auto', 'ot:stop', 'ot:standard']));
	expect(begun?.agents).toEqual(expect.arrayContaining(['ot:developer', 'ot:grader']));
	const types = recordedEvents(server.home, String(begun?.session_id)).map(({ type }) => type);
	const story = ['workflow:start', 'agent:delegate', 'stage:start', 'stage:complete', 'workflow:complete'];
	expect(types).toEqual(expect.arrayContaining(story));
	// Each hook ran once: two registrations would begin the session twice.
	expect(types.filter((type) => type === 'session:start')).toHaveLength(1);
});
