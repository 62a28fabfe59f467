import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { doorPath } from '#hooks-bridge/disk/overtone-home.ts';
import { makeFolder } from '#hooks-bridge/disk/write-files.ts';
import { defineCommand, EXIT, portOption, type Terminal } from '../process/command.ts';
import { freePort } from '../process/free-port.ts';
import { describeTakenPort, isPortTaken } from '../process/port-holder.ts';
import type { Branch } from './demo-hooks.ts';

/** How long the demo's agent waits for a decision, page open or not. */
const DECIDE_SECONDS = 120;
/** How long the sessions wait for a page to open. */
const FIRST_PAGE_MS = 120_000;
const CHECK_MS = 200;
const SUPERVISED = 'demo-supervised';

/** Aborted by the first Ctrl+C or SIGTERM; further ones do not interrupt the clean-up. */
function interruption(): { signal: AbortSignal; release(): void } {
	const controller = new AbortController();
	const abort = () => controller.abort();
	for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, abort);
	return {
		signal: controller.signal,
		release: () => {
			for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, abort);
		},
	};
}

/** `waitedMs`: how long the agent has waited for the decision. */
function reportFork(branch: Branch | undefined, waitedMs: number, terminal: Terminal): void {
	if (branch === 'approved') terminal.say('Approved: the architect starts.');
	else if (branch === 'denied' && waitedMs >= DECIDE_SECONDS * 1000 - 500)
		terminal.say('Nobody answered in time: the denial stands, and the agent goes on without the architect.');
	else if (branch === 'denied') terminal.say('Denied: the agent reads the reason and goes on without the architect.');
	else
		terminal.say(
			'The agent calls an architect, whom its plan does not name. You decide: it waits 2 minutes from now, page open or not.',
		);
}

/**
 * Waits for an open page, a line from `keys`, or `mostMs`. Rejects when `signal` aborts. Leaves `keys` as it was, so that it
 * keeps no process alive.
 */
export async function firstPage(options: {
	isOpen: () => boolean;
	/** The terminal's input; absent without a terminal. */
	keys?: Pick<NodeJS.ReadStream, 'once' | 'off' | 'resume' | 'pause'>;
	mostMs: number;
	signal: AbortSignal;
}): Promise<void> {
	const { isOpen, keys, mostMs, signal } = options;
	let hasQuestion = false;
	const onKey = () => {
		hasQuestion = true;
	};
	const until = performance.now() + mostMs;
	keys?.once('data', onKey).resume();
	try {
		while (!isOpen() && !hasQuestion && performance.now() < until) await pause(CHECK_MS, undefined, { signal });
	} finally {
		keys?.off('data', onKey).pause();
	}
}

function placesIn(folder: string) {
	return {
		home: join(folder, 'o'),
		config: join(folder, 'c'),
		shop: join(folder, 'shop'),
		catalogue: join(folder, 'catalogue'),
	};
}

/** Registers the hooks in the demo's projects and in its own client folder, so that no real supervisor is used. */
async function registerHooks(folder: string): Promise<void> {
	const { hookEntries } = await import('../setup/hook-entries.ts');
	const { config, shop, catalogue } = placesIn(folder);
	process.env.CCC_CONFIG_DIR = config;
	for (const [settingsFolder, isSupervised] of [
		[config, true],
		[join(shop, '.claude'), false],
		[join(catalogue, '.claude'), false],
	] as const) {
		makeFolder(settingsFolder, 0o777);
		writeFileSync(
			join(settingsFolder, 'settings.json'),
			JSON.stringify({ hooks: hookEntries(DECIDE_SECONDS, isSupervised) }),
		);
	}
	makeFolder(join(shop, '.overtone'), 0o777);
	writeFileSync(join(shop, '.overtone/config.json'), '{"gates":{"routing":{"onMismatch":"deny"}}}');
}

/** The supervisor's file follows the recording: switched on, and its iteration raised with each verdict. */
function superviseDemo(config: string, { type, iteration }: { type: string; iteration?: unknown }): void {
	if (type !== 'session:start' && type !== 'supervisor:verdict') return;
	const path = join(config, 'ccc', `supervisor-${SUPERVISED}.json`);
	makeFolder(dirname(path));
	writeFileSync(path, JSON.stringify({ session_id: SUPERVISED, enabled: true, count: Number(iteration ?? 0) }));
}

async function play(folder: string, speed: number, port: number, terminal: Terminal, signal: AbortSignal) {
	const [{ startServer }, { createLog }, { demoFile, playSteps, readSteps }, recorded] = await Promise.all([
		import('../main/start-server.ts'),
		import('../process/log.ts'),
		import('./demo-hooks.ts'),
		import('./demo-recording.ts'),
	]);
	const { home, config, shop, catalogue } = placesIn(folder);
	for (const each of [home, shop]) makeFolder(each, 0o700);
	const recording = await recorded.readDemoRecording(folder, Date.now());
	await recorded.writePast(home, folder, recording);
	await registerHooks(folder);
	const env = {
		home,
		port,
		holdSeconds: DECIDE_SECONDS,
		databaseUrl: undefined,
		redisUrl: undefined,
		objects: undefined,
		hubKey: undefined,
		metricsToken: undefined,
		dev: false,
	};
	const server = await startServer(env, { ...createLog(), info: () => undefined });
	if (!server.started) throw new Error('The demo needs a home of its own, but one was already in use.');
	try {
		terminal.print(`Open ${server.link}`);
		const { stdin } = process;
		terminal.say(
			`Five sessions play as soon as that page is open${stdin.isTTY ? ', or you press Enter' : ''}; in 2 minutes at the latest.`,
		);
		const isOpen = () => server.presence() === 'here';
		await firstPage({ isOpen, ...(stdin.isTTY && { keys: stdin }), mostMs: FIRST_PAGE_MS, signal });
		terminal.say('The sessions are playing. Ctrl+C stops it and removes everything.');
		let askedAt = 0;
		const onFork = (branch: Branch | undefined) => {
			if (branch === undefined) askedAt = performance.now();
			reportFork(branch, performance.now() - askedAt, terminal);
		};
		const steps = (name: Parameters<typeof demoFile>[0]) => readSteps(readFileSync(demoFile(name), 'utf8'), folder);
		const hooks = { door: doorPath(home), speed, signal };
		const playLive = (sessionId: string) =>
			recorded.playSession(home, sessionId, recording, {
				speed,
				signal,
				...(sessionId === SUPERVISED && { onLine: (line) => superviseDemo(config, line) }),
			});
		await Promise.all([
			playSteps({ ...hooks, steps: steps('session.jsonl'), project: shop, onFork }),
			playSteps({ ...hooks, steps: steps('question.jsonl'), project: catalogue }),
			playLive('demo-workflow').then(() =>
				recorded.writeDocuments(recording, 'gift-cards-done', join(shop, 'specs/features/in-progress/gift-cards')),
			),
			playLive(SUPERVISED),
			playLive('demo-codex'),
		]);
		terminal.say('The sessions have ended. Look around; Ctrl+C stops the server and removes everything.');
		if (!signal.aborted) await once(signal, 'abort');
	} catch (error) {
		if (!signal.aborted) throw error;
	} finally {
		await server.stop();
	}
}

export const demo = defineCommand({
	usage: 'demo [--speed N] [--port N]',
	about: [
		'Plays five sample sessions on a temporary server and home, and prints a login link. They start when you open the page',
		'or press Enter, at the latest after 2 minutes. In one, recorded from a real agent, a denied sub-agent waits 2 minutes',
		"for your decision; others show a failing stage, a supervisor's review and a question to you. Two weeks of sample",
		'history and two archived features to compare are included. Your own home is not touched.',
	].join('\n'),
	options: {
		speed: { type: 'string', value: 'N', between: [0.1, 1000], about: 'playback speed, 0.1 to 1000 (default: 1)' },
		port: { type: 'string', value: 'N', about: 'port to listen on (default: a free one)' },
	},
	examples: ['signalbox demo', 'signalbox demo --speed 10'],
	exits: { 0: 'stopped by Ctrl+C; the temporary home is deleted', 1: 'failed; the reason is on stderr' },
	async run({ speed = 1, port }, _words, terminal) {
		const chosen = port === undefined ? await freePort() : portOption(port);
		const stop = interruption();
		// Short, because a socket's path has at most 100 bytes.
		const folder = mkdtempSync(join(tmpdir(), 'sbx-demo-'));
		try {
			await play(folder, speed, chosen, terminal, stop.signal);
			return EXIT.done;
		} catch (error) {
			throw isPortTaken(error) ? new Error(describeTakenPort(error.port, 'demo')) : error;
		} finally {
			stop.release();
			rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
		}
	},
});
