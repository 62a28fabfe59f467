import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareEnvironment } from '#e2e/rig/bare-environment.ts';
import { runHook } from '#e2e/rig/hook-process.ts';
import { SIGNALBOX } from '#e2e/rig/repository.ts';
import { agentCall, planFor } from '#e2e/rig/routing.ts';
import { freePort } from '#e2e/rig/running-server.ts';
import type { SeededRandom } from '#e2e/rig/storm-random.ts';
import { toldRecord } from './disk-log.ts';

/** What somebody was promised, recorded in the log of the disk: a power cut may not undo it. */
export type Promised =
	| { what: 'event'; sessionId: string; marker: string }
	| { what: 'decision'; approvalId: string }
	| { what: 'released'; toolUseId: string };

/** A life of a home, and where all that happened to its disk is noted. */
export interface HomeLife {
	/** The folder that holds the home, as `home`. */
	root: string;
	rootInode: number;
	log: string;
	startedMs: number;
}

const EVENT_EVERY_MS = 120;

/**
 * Starts a server on a home that is not there yet, and lets agents and a person work with it for some seconds, each
 * process with `library` (write-log.c) preloaded; then everything is killed. `folder` takes all files.
 */
export async function liveHome(options: {
	seconds: number;
	random: SeededRandom;
	library: string;
	folder: string;
}): Promise<HomeLife> {
	const { seconds, random, library, folder } = options;
	const root = realpathSync(mkdtempSync(join(folder, 'life-')));
	const log = `${root}.log`;
	const home = join(root, 'home');
	const project = mkdtempSync(join(folder, 'project-'));
	mkdirSync(join(project, '.vibe-engine'));
	mkdirSync(join(project, '.overtone'));
	writeFileSync(join(project, '.vibe-engine/routing-state.json'), JSON.stringify(planFor('developer')));
	writeFileSync(join(project, '.overtone/config.json'), '{"gates":{"routing":{"onMismatch":"deny"}}}');
	const preload = { LD_PRELOAD: library, POWER_LOG: log, POWER_ROOT: root, UV_USE_IO_URING: '0' };
	const env = bareEnvironment({ ...preload, OVERTONE_HOME: home, HOME: tmpdir(), SIGNALBOX_HOLD_SECONDS: '60' });
	const port = await freePort();
	const recordPromise = (promised: Promised) => appendFileSync(log, toldRecord(JSON.stringify(promised)));
	const startedMs = Date.now();
	const server = spawn(process.execPath, [SIGNALBOX, 'start', '--port', String(port)], {
		env,
		cwd: project,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const until = startedMs + seconds * 1000;
	try {
		await new Promise<void>((resolve, reject) => {
			server.stdout.on('data', (text) => String(text).includes('/login#') && resolve());
			server.on('close', (code) => reject(new Error(`The server ended before it was open (${code}).`)));
		});
		const token = await printed([SIGNALBOX, 'token', 'create', '--role', 'operator'], env);
		const ask = async (path: string, body?: unknown) =>
			fetch(`http://127.0.0.1:${port}${path}`, {
				headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
				...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
			});

		const record = async () => {
			for (let serial = 0; Date.now() < until; serial += 1) {
				const [sessionId, marker] = [`s${random.below(4)}`, `marker-${serial}-${random.below(1e6)}`];
				const input = { session_id: sessionId, cwd: project, hook_event_name: 'Notification', message: marker };
				const { exitCode } = await runHook(home, input, { env: preload }).ended;
				if (exitCode === 0) recordPromise({ what: 'event', sessionId, marker });
				await pause(random.below(2 * EVENT_EVERY_MS));
			}
		};
		const agent = async (sessionId: string) => {
			for (let serial = 0; Date.now() < until; serial += 1) {
				const toolUseId = `toolu_${sessionId}_${serial}`;
				const call = agentCall({ sessionId, cwd: project, agent: 'architect', toolUseId });
				const { stdout } = await runHook(home, call, { env: preload, timeoutSeconds: 40 }).ended;
				if (stdout.includes('"permissionDecision":"allow"')) recordPromise({ what: 'released', toolUseId });
			}
		};
		const person = async () => {
			for (; Date.now() < until; await pause(50)) {
				const { approvals } = (await (await ask('/api/approvals?state=waiting')).json()) as {
					approvals: { id: string }[];
				};
				for (const { id: approvalId } of approvals) {
					const decision = random.below(3) === 0 ? 'deny' : 'approve';
					const { status } = await ask(`/api/approvals/${approvalId}`, { decision, reason: 'because' });
					if (status === 200) recordPromise({ what: 'decision', approvalId });
				}
			}
		};
		await Promise.race([
			Promise.all([record(), agent('asks-1'), agent('asks-2'), person()]),
			pause(seconds * 1000 + 1000),
		]);
	} finally {
		server.removeAllListeners('close');
		server.kill('SIGKILL');
	}
	return { root, rootInode: statSync(root).ino, log, startedMs };
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** What a program prints, until it ends. Rejects where it fails. */
function printed(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
	const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
	let out = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		out += text;
	});
	return new Promise((resolve, reject) =>
		child.on('close', (code) =>
			code === 0 ? resolve(out.trim()) : reject(new Error(`${args[1]} ended with ${code}`)),
		),
	);
}
