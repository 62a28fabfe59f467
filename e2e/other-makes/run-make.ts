import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createProject, type TestProject } from '#e2e/claude-code/project.ts';
import { test } from '#e2e/fixtures.ts';
import { bareEnvironment } from '#e2e/rig/bare-environment.ts';
import { signalbox } from '#e2e/rig/signalbox-command.ts';
import { setupOf } from '#hooks-bridge/agents/setup-of.ts';
import { telemetryTarget } from '#server/connect/otlp/telemetry-token.ts';
import { installMake } from './install-make.ts';
import type { RealMake } from './makes.ts';
import { type ScriptedModel, startScriptedModel } from './scripted-model.ts';
import type { Block } from './wire-formats.ts';

/** What the real client of a make is to do, and under which home. */
export interface MakeRun {
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
export interface RunningMake {
	shop: TestProject;
	model: ScriptedModel;
	client: ChildProcess;
	/** How it ended, with the last of what it said. */
	ended: Promise<{ code: number | null; said: string }>;
	close(): Promise<void>;
}

/** A project of its own for a real client, whose hooks were registered by `init`, and a model that plays to it. */
export async function prepareMake(make: RealMake, { home, name, config, script, program, before }: MakeRun) {
	const shop = createProject({ name: name ?? `${make.name}-shop` });
	const model = await startScriptedModel(make.format, script);
	shop.write('.overtone/config.json', config);
	for (const [path, text] of Object.entries(make.files(model.url))) {
		mkdirSync(dirname(join(shop.home, path)), { recursive: true });
		writeFileSync(join(shop.home, path), text);
	}
	const init = ['init', '--telemetry', '--agent', make.name, '--project', shop.dir];
	await signalbox(home, init, shop.dir, { HOME: shop.home });
	before?.(shop);
	const telemetry = setupOf(make.name).telemetry?.switch;
	const variables =
		telemetry && 'variables' in telemetry
			? telemetry.variables(await telemetryTarget(home, { OVERTONE_HOME: home }))
			: {};
	const temporary = join(shop.root, 'tmp');
	const own = { HOME: shop.home, OVERTONE_HOME: home, TMPDIR: temporary, SHELL: '/bin/bash', CI: '1' };
	const env = bareEnvironment({ ...own, ...variables, ...make.env(model.url) });
	const command = [...(make.isScript ? [process.execPath] : []), program];
	return { shop, model, env, command };
}

/**
 * The real client at work; it leads a process group, and is killed with it after three minutes. `args`: other ones than
 * those for one prompt without a person.
 */
export async function runMake(
	make: RealMake,
	run: MakeRun,
	args: readonly string[] = make.args('Go on.'),
): Promise<RunningMake> {
	const { shop, model, env, command } = await prepareMake(make, run);
	const [first = '', ...more] = [...command, ...args];
	const client = spawn(first, more, { cwd: shop.dir, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
	let said = '';
	for (const stream of [client.stdout, client.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
	const killer = setTimeout(() => killMake(client), 180_000);
	const ended = new Promise<{ code: number | null; said: string }>((resolve) =>
		client.on('close', (code) => {
			clearTimeout(killer);
			resolve({ code, said: said.slice(-2000) });
		}),
	);
	const close = async () => {
		killMake(client);
		await ended;
		await model.close();
		shop.remove();
	};
	return { shop, model, client, ended, close };
}

/** Kills a client with all that it started: some are launchers of the real one. */
export function killMake({ pid }: ChildProcess): void {
	if (pid === undefined) return;
	try {
		process.kill(-pid, 'SIGKILL');
	} catch {
		// It has ended.
	}
}

/** The program of a make; where it cannot be had the test is skipped, and counted as that. */
export async function programOf(make: RealMake): Promise<string> {
	const installed = await installMake(make);
	test.skip('missing' in installed, 'missing' in installed ? `not to be had here: ${installed.missing}` : '');
	return 'path' in installed ? installed.path : '';
}
