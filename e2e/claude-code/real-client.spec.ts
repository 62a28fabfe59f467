import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { CURRENT_CLIENT, installClient, OLDEST_CLIENT } from './install-client.ts';
import { createProject, type TestProject } from './project.ts';
import { clientEnvironment, runClient } from './run-client.ts';
import { call, delegate, type Script, say } from './script.ts';
import { type ScriptedApi, startScriptedApi } from './scripted-api.ts';

const leftovers: (() => void | Promise<void>)[] = [];

function openProject(options?: Parameters<typeof createProject>[0]): TestProject {
	const project = createProject(options);
	leftovers.push(() => project.remove());
	return project;
}

async function startApi(script: Script): Promise<ScriptedApi> {
	const api = await startScriptedApi(script);
	leftovers.push(() => api.close());
	return api;
}

test.beforeEach(() => {
	test.setTimeout(180_000);
});

test.afterEach(async () => {
	for (const clear of leftovers.splice(0).reverse()) await clear();
});

const logEverything = JSON.stringify({
	hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'cat >> hooks.log', timeout: 5 }] }] },
});

/** Runs a command of the built program in the project, with the home that its client has. Gives stdout. */
function signalbox(at: TestProject, ...args: string[]): string {
	const program = join(import.meta.dirname, '../../dist/signalbox.js');
	const env = clientEnvironment(at, '') as NodeJS.ProcessEnv;
	return execFileSync(process.execPath, [program, ...args], { cwd: at.dir, env, encoding: 'utf8' });
}

for (const version of [CURRENT_CLIENT, OLDEST_CLIENT]) {
	test(`R250 Claude Code ${version}: a sub-agent runs its own script, and its hooks carry its agent id`, async () => {
		const client = await installClient(version);
		const project = openProject({ agents: ['developer'] });
		project.write('.claude/settings.json', logEverything);
		const api = await startApi({
			main: [
				{ blocks: [{ text: 'Delegating.' }, delegate('developer', 'Build it.', { background: false })] },
				say('All done.'),
			],
			developer: [call('Bash', { command: 'echo from-the-developer' }), say('Built.')],
		});
		const end = await runClient({ client, project, apiUrl: api.url, prompt: 'do it' }).ended;
		expect(end).toMatchObject({ exitCode: 0, result: 'All done.' });

		const results = api.requests.flatMap(({ role, toolResults }) => toolResults.map(({ text }) => [role, text]));
		expect(results).toContainEqual(['developer', expect.stringContaining('from-the-developer')]);
		expect(results).toContainEqual(['main', expect.stringContaining('Built.')]);

		const lines = readFileSync(join(project.dir, 'hooks.log'), 'utf8').trim().split('\n');
		expect(lines.map((line) => JSON.parse(line))).toMatchObject([
			{ tool_name: 'Agent', tool_input: { subagent_type: 'developer' } },
			{ tool_name: 'Bash', agent_type: 'developer', agent_id: expect.any(String) },
		]);
	});

	test(`R251 Claude Code ${version}: a client that is killed ends with the signal`, async () => {
		const client = await installClient(version);
		const project = openProject();
		const api = await startApi({ main: [{ blocks: [{ text: 'never' }], after: new Promise(() => {}) }] });
		const running = runClient({ client, project, apiUrl: api.url, prompt: 'do it' });
		await api.request((request) => request.role === 'main');
		running.kill('SIGKILL');
		expect(await running.ended).toMatchObject({ signal: 'SIGKILL', result: undefined });
	});

	test(`R256 Claude Code ${version}: after init a sub-agent outside the plan is denied, and the model reads why`, async () => {
		const client = await installClient(version);
		const task = { id: 't1', agent: 'developer', description: 'Build it', status: 'pending' };
		const plan = { planId: 'route-1', status: 'in_progress' as const, phases: [{ phase: 1, tasks: [task] }] };
		const project = openProject({ agents: ['developer', 'architect'], plan });
		signalbox(project, 'init');
		const api = await startApi({
			main: [
				{ blocks: [delegate('architect', 'Design it.', { background: false })] },
				{ blocks: [delegate('developer', 'Build it.', { background: false })] },
				say('All done.'),
			],
			developer: [say('Built.')],
		});
		const end = await runClient({ client, project, apiUrl: api.url, prompt: 'do it' }).ended;
		expect(end).toMatchObject({ exitCode: 0, result: 'All done.' });
		const [refused, built] = api.requests
			.filter(({ role }) => role === 'main')
			.flatMap(({ toolResults }) => toolResults);
		expect(refused).toMatchObject({
			isError: true,
			text: expect.stringContaining('architect not in expected [developer]'),
		});
		expect(built).toMatchObject({ isError: false, text: expect.stringContaining('Built.') });
		expect(api.requests.filter(({ role }) => role === 'architect')).toEqual([]);
		expect(signalbox(project, 'doctor', '--live')).toContain('a call outside a routing plan was denied');
	});
}
