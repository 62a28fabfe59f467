import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createProject, type TestProject } from '#e2e/claude-code/project.ts';
import { test } from '#e2e/fixtures.ts';
import { bareEnvironment } from '#e2e/rig/bare-environment.ts';
import { signalbox } from '#e2e/rig/signalbox-command.ts';
import { setupOf } from '#hooks-bridge/agents/setup-of.ts';
import { telemetryTarget } from '#server/connect/otlp/telemetry-token.ts';
import { installClient } from './install-client.ts';
import type { RealClient } from './real-clients.ts';
import { type ScriptedModel, startScriptedModel } from './scripted-model.ts';
import type { Block } from './wire-formats.ts';

/** What the real client of one maker is to do, and under which home. */
export interface ClientRun {
	home: string;
	/** The project's name, where tests that share a server tell their sessions apart by it. */
	name?: string;
	/** The project's own settings. */
	config: string;
	script: readonly Block[];
	program: string;
	/** What happens between `init` and the client's start. */
	before?: (shop: TestProject) => void;
}

/** A real client at work. */
export interface RunningClient {
	shop: TestProject;
	model: ScriptedModel;
	child: ChildProcess;
	/** How it ended, with the last of what it said. */
	ended: Promise<{ code: number | null; said: string }>;
	close(): Promise<void>;
}

/** A project of its own for a real client, whose hooks were registered by `init`, and a model that plays to it. */
export async function prepareClient(client: RealClient, { home, name, config, script, program, before }: ClientRun) {
	const shop = createProject({ name: name ?? `${client.name}-shop` });
	const model = await startScriptedModel(client.format, script);
	shop.write('.overtone/config.json', config);
	for (const [path, text] of Object.entries(client.files(model.url))) {
		mkdirSync(dirname(join(shop.home, path)), { recursive: true });
		writeFileSync(join(shop.home, path), text);
	}
	const init = ['init', '--telemetry', '--agent', client.name, '--project', shop.dir];
	await signalbox(home, init, shop.dir, { HOME: shop.home });
	before?.(shop);
	const telemetry = setupOf(client.name).telemetry?.switch;
	const variables =
		telemetry && 'variables' in telemetry
			? telemetry.variables(await telemetryTarget(home, { OVERTONE_HOME: home }))
			: {};
	const temporary = join(shop.root, 'tmp');
	const own = { HOME: shop.home, OVERTONE_HOME: home, TMPDIR: temporary, SHELL: '/bin/bash', CI: '1' };
	const env = bareEnvironment({ ...own, ...variables, ...client.env(model.url) });
	const command = [...(client.isScript ? [process.execPath] : []), program];
	return { shop, model, env, command };
}

/**
 * The real client at work; it leads a process group, and is killed with it after three minutes. `args`: other ones than
 * those for one prompt without a person.
 */
export async function runClient(
	client: RealClient,
	run: ClientRun,
	args: readonly string[] = client.args('Go on.'),
): Promise<RunningClient> {
	const { shop, model, env, command } = await prepareClient(client, run);
	const [first = '', ...more] = [...command, ...args];
	const child = spawn(first, more, { cwd: shop.dir, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
	let output = '';
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
	const killer = setTimeout(() => killClient(child), 180_000);
	const ended = new Promise<{ code: number | null; said: string }>((resolve) =>
		child.on('close', (code) => {
			clearTimeout(killer);
			resolve({ code, said: output.slice(-2000) });
		}),
	);
	const close = async () => {
		killClient(child);
		await ended;
		await model.close();
		shop.remove();
	};
	return { shop, model, child, ended, close };
}

/** Kills a client with all that it started: some are launchers of the real one. */
export function killClient({ pid }: ChildProcess): void {
	if (pid === undefined) return;
	try {
		process.kill(-pid, 'SIGKILL');
	} catch {
		// It has ended.
	}
}

/** The program of one maker; where it cannot be had the test is skipped, and counted as that. */
export async function programOf(client: RealClient): Promise<string> {
	const installed = await installClient(client);
	test.skip('missing' in installed, 'missing' in installed ? `not to be had here: ${installed.missing}` : '');
	return 'path' in installed ? installed.path : '';
}
