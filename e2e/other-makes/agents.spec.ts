import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createProject } from '#e2e/claude-code/project.ts';
import { expect, test } from '#e2e/fixtures.ts';
import { bareEnvironment } from '#e2e/rig/bare-environment.ts';
import type { RunningServer } from '#e2e/rig/running-server.ts';
import { signalbox } from '#e2e/rig/signalbox-command.ts';
import { agentRow } from '#lib/agents/agent-table.ts';
import { installMake } from './install-make.ts';
import { type RealMake, realMakes } from './makes.ts';
import { startScriptedModel } from './scripted-model.ts';
import type { Block } from './wire-formats.ts';

interface Summary {
	sessionId: string;
	agent: string;
	project?: string;
	counts: Record<string, number>;
	usage?: { answers: number; inputTokens: number };
}

type Api = (
	path: string,
	token: string,
	options?: { server?: RunningServer; data?: object },
) => Promise<{ json(): Promise<unknown>; status(): number }>;

/** Looks the session of a project up, again and again. */
function findSession(api: Api, token: string, project: string, server: RunningServer) {
	return async (): Promise<Summary | undefined> => {
		const { sessions } = (await (await api('/api/sessions', token, { server })).json()) as { sessions: Summary[] };
		return sessions.find((session) => session.project === project);
	};
}

/** The real client at work in a project of its own, whose hooks were registered by `init`; it is killed after two minutes. */
async function runMake(make: RealMake, { server, config, script, program }: Run) {
	const shop = createProject({ name: `${make.name}-shop` });
	const model = await startScriptedModel(make.format, script);
	shop.write('.overtone/config.json', config);
	for (const [path, text] of Object.entries(make.files(model.url))) {
		mkdirSync(dirname(join(shop.home, path)), { recursive: true });
		writeFileSync(join(shop.home, path), text);
	}
	const init = ['init', '--telemetry', '--agent', make.name, '--project', shop.dir];
	await signalbox(server.home, init, shop.dir, { HOME: shop.home });
	const [command = '', ...args] = [...(make.isScript ? [process.execPath] : []), program, ...make.args('Go on.')];
	const temporary = join(shop.root, 'tmp');
	const own = { HOME: shop.home, OVERTONE_HOME: server.home, TMPDIR: temporary, SHELL: '/bin/bash', CI: '1' };
	const env = bareEnvironment({ ...own, ...make.env(model.url) });
	const client = spawn(command, args, { cwd: shop.dir, env, stdio: ['ignore', 'pipe', 'pipe'] });
	let said = '';
	for (const stream of [client.stdout, client.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
	const killer = setTimeout(() => client.kill('SIGKILL'), 120_000);
	const ended = new Promise<{ code: number | null; said: string }>((resolve) =>
		client.on('close', (code) => {
			clearTimeout(killer);
			resolve({ code, said: said.slice(-2000) });
		}),
	);
	const close = async () => {
		client.kill('SIGKILL');
		await ended;
		await model.close();
		shop.remove();
	};
	return { shop, model, ended, close };
}

interface Run {
	server: RunningServer;
	config: string;
	script: readonly Block[];
	program: string;
}

/** The program of a make; where it cannot be had the test is skipped, and counted as that. */
async function programOf(make: RealMake): Promise<string> {
	const installed = await installMake(make);
	test.skip('missing' in installed, 'missing' in installed ? `not to be had here: ${installed.missing}` : '');
	return 'path' in installed ? installed.path : '';
}

for (const make of realMakes) {
	const name = `${make.title} ${make.version}`;

	test(`R1337 ${name}: the session is recorded and shown, a denial holds, and the model reads why`, async ({
		server,
		api,
		token,
		operatorPage,
	}) => {
		test.setTimeout(240_000);
		const program = await programOf(make);
		const script = [make.runs('echo hello > said.txt; cat said.txt'), make.runs('touch ran.txt')];
		const config = '{"commands": {"exclude": ["touch"]}}';
		const { shop, model, ended, close } = await runMake(make, { server, config, script, program });
		try {
			const { code, said } = await ended;
			expect(code, said).toBe(0);
			expect(readFileSync(join(shop.dir, 'said.txt'), 'utf8')).toBe('hello\n');
			expect(existsSync(join(shop.dir, 'ran.txt')), 'the denied command did not run').toBe(false);
			expect(model.read).toHaveLength(2);
			expect(model.read[0]).toContain('hello');
			expect(model.read[1]).toContain('touch is not allowed here');

			const viewer = await token('viewer');
			const session = findSession(api, viewer, `${make.name}-shop`, server);
			await expect
				.poll(async () => (await session())?.counts)
				.toMatchObject({ calls: 2, denials: 1, deniedButRan: 0, alarms: 0 });
			const found = await session();
			expect(found?.agent).toBe(make.name);
			// R1937: told by its transcript or by what it exports, each answer counts once.
			if (make.exports) await expect.poll(async () => (await session())?.usage?.answers).toBe(make.exports);
			const page = await operatorPage(`/sessions/${found?.sessionId}`);
			const rows = page.getByRole('list', { name: 'Story' }).getByRole('button');
			await expect(rows.filter({ hasText: 'cat said.txt' })).toContainText('ran');
			await expect(rows.filter({ hasText: 'touch ran.txt' })).toContainText(/denied/i);
		} finally {
			await close();
		}
	});

	test(`R1340 ${name}: a denied call waits for a person, and runs as it is approved, also with another input`, {
		tag: '@full',
	}, async ({ ownServer, api, token }) => {
		test.setTimeout(240_000);
		const program = await programOf(make);
		const server = await ownServer({ SIGNALBOX_HOLD_SECONDS: '40' });
		const operator = await token('operator', server);
		const config = '{"commands": {"exclude": ["touch"]}, "gates": {"commandPolicy": {"hold": true}}}';
		const script = [make.runs('touch ran.txt'), make.runs('touch other.txt')];
		const { shop, model, ended, close } = await runMake(make, { server, config, script, program });
		try {
			const waiting = async () => {
				const answer = await api('/api/approvals?state=waiting', operator, { server });
				return ((await answer.json()) as { approvals: { id: string; input: object }[] }).approvals;
			};
			const nextAsked = async (last?: string) => {
				const ids = async () => (await waiting()).map(({ id }) => id).filter((id) => id !== last);
				await expect.poll(async () => (await ids()).length, { timeout: 90_000 }).toBe(1);
				return (await waiting())[0] ?? { id: '', input: {} };
			};
			const decide = async (id: string, data: object) =>
				(await api(`/api/approvals/${id}`, operator, { server, data: { decision: 'approve', ...data } })).status();
			const first = await nextAsked();
			expect(await decide(first.id, {})).toBe(200);
			const asked = await nextAsked(first.id);
			const other = JSON.stringify(asked.input).replace('touch other.txt', 'mkdir other');
			// What the client would not do is not decided either.
			const isEdited = (await decide(asked.id, { updatedInput: JSON.parse(other) as object })) === 200;
			expect(isEdited).toBe(agentRow(make.name).can.edit);
			if (!isEdited) expect(await decide(asked.id, {})).toBe(200);
			const { code, said } = await ended;
			expect(code, said).toBe(0);
			expect(existsSync(join(shop.dir, 'ran.txt')), 'the approved command ran').toBe(true);
			expect([existsSync(join(shop.dir, 'other')), existsSync(join(shop.dir, 'other.txt'))]).toEqual([
				isEdited,
				!isEdited,
			]);
			expect(model.read.join()).not.toContain('not allowed here');
			const session = findSession(api, operator, `${make.name}-shop`, server);
			await expect
				.poll(async () => (await session())?.counts)
				.toMatchObject({ calls: 2, overrides: 2, deniedButRan: 0, alarms: 0 });
		} finally {
			await close();
		}
	});
}
