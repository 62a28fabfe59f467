/*
 * `npm run trip -- [--files | --json]`: how many files and functions of ours one hook runs. First to the page, which is what
 * counts: from the door's socket to its answer, with the line read back, indexed and folded, as a browser folds it, too (the
 * websocket between them apart). Then to the answer alone. Counted by V8 in the parts of a server that a hook of the same
 * kind has warmed up: what only runs once is not counted. `--json` prints the files of the two trips with a goal.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BroadcastChannel } from 'node:worker_threads';
import { doorPath } from '#hooks-bridge/disk/overtone-home.ts';
import { emptyView } from '#lib/session/fold.ts';
import { applyBatches, applySnapshot, loadingSession } from '#lib/session/session-state.ts';
import { ticketsOf } from '#server/door/exchange.ts';
import { startDoorThread } from '#server/door/start-door-thread.ts';
import type { Closers } from '#server/main/claim-home.ts';
import { createServices, openBase } from '#server/main/create-services.ts';
import { openJournal } from '#server/main/open-journal.ts';
import { createLog } from '#server/process/log.ts';
import { overCeilings } from './compare-ceilings.ts';

const ROOT = join(import.meta.dirname, '..');
/** How many equal trips are looked at. */
const TRIPS = 5;
const LONGEST_MS = 120_000;
const SETTLED_MS = 1100;

const { values } = parseArgs({ options: { files: { type: 'boolean' }, json: { type: 'boolean' } } });
const tooLong = globalThis.setTimeout(() => {
	console.error(
		`trip: no hook came through in ${LONGEST_MS / 1000} s: its event is not told, or its types have changed.`,
	);
	process.exit(1);
}, LONGEST_MS);
const folder = mkdtempSync(join(tmpdir(), 'sbx-trip-'));
const [home, project] = [join(folder, 'home'), join(folder, 'shop')];
for (const path of [home, join(project, '.vibe-engine'), join(project, '.overtone')]) {
	mkdirSync(path, { recursive: true });
}
const tasks = [{ agent: 'developer', status: 'pending' }];
const plan = { planId: 'p', status: 'pending', phases: [{ tasks }] };
writeFileSync(join(project, '.vibe-engine/routing-state.json'), JSON.stringify(plan));
const config = { commands: { exclude: ['rm'] }, gates: { routing: { onMismatch: 'deny' } } };
writeFileSync(join(project, '.overtone/config.json'), JSON.stringify(config));

// What a timer repeats is on no trip, but on a busy machine it would run during each.
const { setInterval: realInterval } = globalThis;
globalThis.setInterval = ((work: () => void) => realInterval(work, LONGEST_MS)) as typeof realInterval;

// The script ends while calls are held: what that cuts off is nobody's concern.
const log = createLog(() => undefined);
const closers: Closers = [];
process.env.SIGNALBOX_BUILT_DOOR_THREAD = join(import.meta.dirname, 'trip-door.mjs');
const door = startDoorThread({ home, log });
closers.push(() => door.stop());
const journal = await openJournal(home, log, closers);
const base = openBase(home, { door, journal }, log, closers);
await base.tail.start();
const services = createServices(base, { presence: () => 'here', forcedHoldSeconds: 60, log });
await services.approvals.start();
const { tail } = base;
const socketPath = doorPath(home);
door.connect({
	tickets: ticketsOf(services.tickets),
	report: ({ lines }) => {
		for (const [sessionId, count] of lines) tail.noteAppended(sessionId, count);
		return tail.pauseMs();
	},
	appended: tail.noteAppended,
	died(why) {
		throw why;
	},
});
await door.listen();

// Younger files are read by every hook, older ones by the first alone (small-files.ts).
await setTimeout(SETTLED_MS);

/** What a browser makes of a session's batches from here on; resolves when it has folded events of all these types. */
function watch(sessionId: string, types: readonly string[]): Promise<void> {
	const [topic, epoch] = [`session:${sessionId}` as const, base.index.epoch];
	const view = tail.viewOf(sessionId) ?? emptyView(sessionId);
	let state = applySnapshot(loadingSession(sessionId), { topic, epoch, view, rows: [] });
	const awaited = new Set(types);
	return new Promise((resolve) => {
		const stop = tail.onBatch(({ sessionId: of, events }) => {
			if (of !== sessionId) return;
			state = applyBatches(state, [{ topic, epoch, events: [...events] }]) ?? state;
			for (const { type } of events) awaited.delete(type);
			if (awaited.size > 0) return;
			stop();
			resolve();
		});
	});
}

/** Posts one hook; gives the status of its answer. */
function post(sessionId: string, call: string, tool: string, input: object): Promise<number> {
	const hook = { hook_event_name: 'PreToolUse', tool_name: tool, tool_use_id: call, tool_input: input };
	const body = JSON.stringify({ session_id: sessionId, cwd: project, ...hook });
	const headers = { 'x-signalbox-request': `run-${call}`, 'x-signalbox-profile': 'open', 'x-signalbox-timeout': '60' };
	return new Promise((resolve, reject) => {
		const options = { socketPath, path: '/hooks/claude-code', method: 'POST', headers };
		const request = http.request(options, (response) => {
			response.resume().on('end', () => resolve(response.statusCode ?? 0));
		});
		request.on('error', reject).end(body);
	});
}

const inspector = new Session();
inspector.connect();
await inspector.post('Profiler.enable');
await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

const doorCounts = new BroadcastChannel('trip');

/** What the door's thread has counted since the last look. */
function takeDoorCounts(): Promise<Profiler.TakePreciseCoverageReturnType> {
	return new Promise((resolve) => {
		doorCounts.onmessage = (message) =>
			resolve((message as unknown as { data: Profiler.TakePreciseCoverageReturnType }).data);
		doorCounts.postMessage('take');
	});
}

/** The functions of ours that ran on either thread since the last look, by file; the script itself and what loads modules apart. */
async function takeRun(): Promise<Map<string, string[]>> {
	const [here, there] = await Promise.all([inspector.post('Profiler.takePreciseCoverage'), takeDoorCounts()]);
	const run = new Map<string, string[]>();
	for (const { url, functions } of [...here.result, ...there.result]) {
		const path = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : '..';
		if (path.startsWith('..') || path.startsWith('node_modules') || path.startsWith('scripts/trip')) continue;
		const names = functions.flatMap(({ functionName, ranges: [range] }) => {
			const isOurs = functionName !== '__name' && range !== undefined && range.startOffset > 0;
			return isOurs && range.count > 0 ? [functionName || '(anonymous)'] : [];
		});
		if (names.length > 0) run.set(path, [...(run.get(path) ?? []), ...names]);
	}
	return run;
}

interface Trip {
	name: string;
	tool: string;
	input: object;
	/** The events that the page waits for. */
	types: readonly string[];
	/** Status of the answer. */
	answered: number;
	/** Files to the page. */
	goal?: number;
}

const trips: readonly Trip[] = [
	{
		...{ name: 'Read without a gate', tool: 'Read', input: { file_path: 'a.ts' } },
		...{ types: ['tool:call'], answered: 200, goal: 40 },
	},
	{
		...{ name: 'an agent denied and held', tool: 'Agent', input: { subagent_type: 'architect', prompt: 'design' } },
		...{ types: ['routing:mismatch', 'approval:request'], answered: 303, goal: 60 },
	},
	{
		...{ name: 'a command that may run', tool: 'Bash', input: { command: 'git status' } },
		...{ types: ['tool:call'], answered: 200 },
	},
];

/** What each file ran on each of some equal trips: what happened beside one of them is on no trip. */
async function onEach(travel: (call: number) => Promise<void>): Promise<[string, string[]][]> {
	const seen = new Map<string, string[][]>();
	await travel(0);
	await takeRun();
	for (let call = 1; call <= TRIPS; call += 1) {
		await travel(call);
		for (const [path, names] of await takeRun()) seen.set(path, [...(seen.get(path) ?? []), names]);
	}
	const middle = (runs: string[][]) => runs.sort((a, b) => a.length - b.length)[runs.length >> 1] ?? [];
	return [...seen].filter(([, runs]) => runs.length === TRIPS).map(([path, runs]) => [path, middle(runs)]);
}

/** Prints each trip to the page or, with `isRead` false, to the answer alone; gives how many files each has. */
async function report(isRead: boolean): Promise<number[]> {
	const part = isRead ? 'page' : 'answer';
	const amounts: number[] = [];
	for (const { name, tool, input, types, answered, goal } of trips) {
		const sessionId = `trip-${tool}`;
		const run = await onEach(async (call) => {
			const seen = isRead ? watch(sessionId, types) : undefined;
			const status = await post(sessionId, `${part}-${tool}-${call}`, tool, input);
			if (status !== answered) throw new Error(`${name} was answered ${status}, not ${answered}.`);
			await seen;
		});
		amounts.push(run.length);
		if (values.json) continue;
		const functions = run.reduce((sum, [, names]) => sum + names.length, 0);
		const most = isRead && goal !== undefined ? ` (goal: at most ${goal} files)` : '';
		console.log(`to the ${part}, ${name}: ${run.length} files, ${functions} functions${most}`);
		if (!values.files) continue;
		for (const [path, names] of run.sort()) console.log(`  ${path}: ${names.join(', ')}`);
	}
	return amounts;
}

const [read, held] = await report(true);
await tail.stop();
if (values.json) console.log(JSON.stringify({ read, held }));
else await report(false);
const { trip: most } = JSON.parse(readFileSync(join(import.meta.dirname, 'ceilings.json'), 'utf8'));
const over = overCeilings(
	{ 'files of the trip to the page': { read: read ?? 0, held: held ?? 0 } },
	{ 'files of the trip to the page': most },
);
for (const sentence of over) console.error(sentence);
if (over.length > 0) process.exitCode = 1;

clearTimeout(tooLong);
inspector.disconnect();
doorCounts.close();
await services.approvals.stop();
await door.close();
for (const close of closers.reverse()) await close();
rmSync(folder, { recursive: true });
