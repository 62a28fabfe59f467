import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolder } from '#hooks-bridge/disk/make-folder.ts';
import { doorPath } from '#hooks-bridge/disk/overtone-home.ts';
import { type Command, EXIT, numberOption, portOption, type Terminal } from '../process/command.ts';
import { freePort } from '../process/free-port.ts';
import { describeTakenPort, isPortTaken } from '../process/port-holder.ts';

/** How long the demo's agent waits for a decision, page open or not. */
const DECIDE_SECONDS = 120;
/** How long ago the workflow that is half done began. */
const BEFORE_MS = 330_000;
/** The client's folder of the demo, in its own. */
const CONFIG_FOLDER = 'c';
/** And how many of its stages are done by then. */
const STAGES_BEFORE = 4;
/** How long the recording waits for a page to be watched on. */
const FIRST_PAGE_MS = 120_000;

/** The recorded session, beside the program: in `dist/` as in the sources. */
export function demoRecording(): string {
	return join(import.meta.dirname, 'demo/session.jsonl');
}

/** Aborted by the first Ctrl+C or SIGTERM; more of them, until it is released, do not cut the cleaning short. */
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
function tellFork(branch: 'denied' | 'approved' | undefined, waitedMs: number, terminal: Terminal): void {
	if (branch === 'approved') terminal.say('Approved: the architect starts.');
	else if (branch === 'denied' && waitedMs >= DECIDE_SECONDS * 1000 - 500)
		terminal.say('Nobody answered in time: the denial stands, and the agent goes on without the architect.');
	else if (branch === 'denied') terminal.say('Denied: the agent reads the reason and goes on without the architect.');
	else
		terminal.say(
			'The agent calls an architect, whom its plan does not name. You decide: it waits 2 minutes from now, page open or not.',
		);
}

/** Before any page is open: what was archived long ago, two weeks of work and decisions, and a workflow that is half done. */
async function prepare(folder: string): Promise<void> {
	const [{ writeHistory }, { writePast }, { workflowBefore }, { writeStory }, { writeOpenFeature }] = await Promise.all(
		[
			import('./demo/write-history.ts'),
			import('./demo/write-past.ts'),
			import('./demo/live-stories.ts'),
			import('./demo/story.ts'),
			import('./demo/open-feature.ts'),
		],
	);
	const home = join(folder, 'o');
	const project = join(folder, 'shop');
	for (const each of [home, project]) makeFolder(each, 0o700);
	await writeHistory(home, project, Date.now());
	writePast(home, folder, Date.now());
	const begun = Date.now() - BEFORE_MS;
	writeOpenFeature(project, begun, STAGES_BEFORE);
	writeStory(home, 'demo-workflow', begun, workflowBefore(project));
}

const SUPERVISED = 'demo-supervised';

/** The supervisor's own file keeps up with the story: it is on, and each verdict is one review more. */
function superviseDemo(folder: string, { type, iteration }: { type: string; iteration?: unknown }): void {
	if (type !== 'session:start' && type !== 'supervisor:verdict') return;
	const path = join(folder, CONFIG_FOLDER, 'ccc', `supervisor-${SUPERVISED}.json`);
	makeFolder(dirname(path));
	writeFileSync(path, JSON.stringify({ session_id: SUPERVISED, enabled: true, count: Number(iteration ?? 0) }));
}

/** What further agents do beside the recorded one: a workflow, a supervised fix, a question, and one of another make. */
async function playBeside(folder: string, speed: number, signal: AbortSignal): Promise<void> {
	const [
		{ codexLive, questionEnd, questionInputs, supervisedLive, workflowLive },
		{ playStory },
		{ askDemoDoor },
		{ GIFT_CARD_STAGES, writeOpenFeature },
	] = await Promise.all([
		import('./demo/live-stories.ts'),
		import('./demo/story.ts'),
		import('./demo/play-recording.ts'),
		import('./demo/open-feature.ts'),
	]);
	const home = join(folder, 'o');
	const [shop, api, catalogue] = ['shop', 'api', 'catalogue'].map((name) => join(folder, name)) as [
		string,
		string,
		string,
	];
	const ask = async () => {
		makeFolder(catalogue, 0o700);
		const send = (input: Record<string, unknown>) => askDemoDoor(doorPath(home), catalogue, input, signal);
		const { asks, answered } = questionInputs(catalogue);
		let last = '';
		for (const input of asks) last = await send(input);
		const isAnswered = last.includes('"behavior":"allow"');
		for (const input of [...(isAnswered ? answered : []), ...questionEnd(catalogue)]) await send(input);
	};
	await Promise.all([
		playStory(home, 'demo-workflow', workflowLive(shop), { speed, signal }).then(() =>
			writeOpenFeature(shop, Date.now() - BEFORE_MS, GIFT_CARD_STAGES.length),
		),
		playStory(home, SUPERVISED, supervisedLive(api), { speed, signal, onLine: (line) => superviseDemo(folder, line) }),
		playStory(home, 'demo-codex', codexLive(join(folder, 'docs')), { speed, signal }),
		ask(),
	]);
}

async function play(folder: string, speed: number, port: number, terminal: Terminal, signal: AbortSignal) {
	const [{ startServer }, { createLog }, { firstPage }, { playRecording }, { readRecording }, { hookEntries }] =
		await Promise.all([
			import('../main/start-server.ts'),
			import('../process/log.ts'),
			import('./demo/first-page.ts'),
			import('./demo/play-recording.ts'),
			import('./demo/recording.ts'),
			import('../setup/hook-entries.ts'),
		]);
	const home = join(folder, 'o');
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
	await prepare(folder);
	// Nobody's own supervisors are read or switched here; those of the demo are registered.
	const config = join(folder, CONFIG_FOLDER);
	process.env.CCC_CONFIG_DIR = config;
	makeFolder(config);
	const register = (path: string, isSupervised: boolean) =>
		writeFileSync(path, JSON.stringify({ hooks: hookEntries(DECIDE_SECONDS, isSupervised) }));
	register(join(config, 'settings.json'), true);
	for (const project of ['shop', 'catalogue']) {
		makeFolder(join(folder, project, '.claude'), 0o777);
		register(join(folder, project, '.claude/settings.json'), false);
	}
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
		const steps = readRecording(readFileSync(demoRecording(), 'utf8'), folder);
		const project = join(folder, 'shop');
		makeFolder(join(project, '.overtone'), 0o777);
		writeFileSync(join(project, '.overtone/config.json'), '{"gates":{"routing":{"onMismatch":"deny"}}}');
		let askedAt = 0;
		const onFork = (branch: 'denied' | 'approved' | undefined) => {
			if (branch === undefined) askedAt = performance.now();
			tellFork(branch, performance.now() - askedAt, terminal);
		};
		await Promise.all([
			playRecording({ steps, door: doorPath(home), project, speed, signal, onFork }),
			playBeside(folder, speed, signal),
		]);
		terminal.say('The sessions have ended. Look around; Ctrl+C stops the server and removes everything.');
		if (!signal.aborted) await once(signal, 'abort');
	} catch (error) {
		if (!signal.aborted) throw error;
	} finally {
		await server.stop();
	}
}

/** `signalbox demo` */
export const demo: Command = {
	usage: 'demo [--speed N] [--port N]',
	about: [
		'Prints a login link and, once a page is open, plays five sessions into a server and a home of its own: a recorded one',
		'of a real agent, which is refused one sub-agent and waits 2 minutes for you to decide about it; a workflow of which',
		'one stage fails; one that its supervisor blocks; and one that asks you something. Two weeks of made-up work lie',
		'behind them, with two features of one name in the archive, to be compared. Without a page it begins by Enter, or',
		'after 2 minutes. Your own home is not touched.',
	].join('\n'),
	options: {
		speed: { type: 'string', value: 'N', about: 'how many times as fast as recorded, 0.1 to 1000 (default: 1)' },
		port: { type: 'string', value: 'N', about: 'the port (default: a free one)' },
	},
	examples: ['signalbox demo', 'signalbox demo --speed 10'],
	exits: { 0: 'stopped by Ctrl+C; the temporary home is gone', 1: 'it failed', 2: 'the command line does not fit' },
	async run({ speed, port }, _words, terminal) {
		const times = typeof speed === 'string' ? numberOption('speed', speed, 0.1, 1000) : 1;
		const chosen = typeof port === 'string' ? portOption(port) : await freePort();
		const stop = interruption();
		// Short, because a socket's path has at most 100 bytes.
		const folder = mkdtempSync(join(tmpdir(), 'sbx-demo-'));
		try {
			await play(folder, times, chosen, terminal, stop.signal);
			return EXIT.done;
		} catch (error) {
			if (!isPortTaken(error)) throw error;
			terminal.say(describeTakenPort(error.port, 'demo'));
			return EXIT.failed;
		} finally {
			stop.release();
			rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
		}
	},
};
