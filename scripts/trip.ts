/*
 * `npm run trip -- [--files]`: how many files and functions of ours one hook runs, from the door's socket to its
 * answer; and with the line read back, indexed and folded, as a browser folds it, too (the websocket between them apart).
 * Counted by V8 in the parts of a server that a hook of the same kind has warmed up: what only runs once is not counted.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { applyBatches, applySnapshot, loadingSession } from '#components/live/session-state.ts';
import { doorPath } from '#hooks-bridge/disk/overtone-home.ts';
import { respond } from '#hooks-bridge/engine/respond.ts';
import { emptyView } from '#lib/session/view.ts';
import { createDoor } from '#server/door/door.ts';
import { createServices } from '#server/main/create-services.ts';
import { type Closers, openBase } from '#server/main/open-base.ts';
import { createLog } from '#server/process/log.ts';

const ROOT = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'sbx-trip-'));
const [home, project] = [join(folder, 'home'), join(folder, 'shop')];
for (const path of [home, join(project, '.vibe-engine'), join(project, '.overtone')]) {
	mkdirSync(path, { recursive: true });
}
const tasks = [{ agent: 'developer', status: 'pending' }];
const plan = { planId: 'p', status: 'pending', phases: [{ tasks }] };
writeFileSync(join(project, '.vibe-engine/routing-state.json'), JSON.stringify(plan));
const config = { commands: { exclude: ['git push'] }, gates: { routing: { onMismatch: 'deny' } } };
writeFileSync(join(project, '.overtone/config.json'), JSON.stringify(config));

// The script ends while calls are held: what that cuts off is nobody's concern.
const log = createLog(() => undefined);
const closers: Closers = [];
const base = await openBase(home, log, closers);
await base.tail.start();
const services = createServices(base, { presence: () => 'here', forcedHoldSeconds: 60, log });
await services.approvals.start();
const { ports, tail } = base;
const socketPath = doorPath(home);
const door = createDoor({ socketPath, ports, respond, together: ports.together, service: services.assessments, log });
await door.listen();

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

/** The functions of ours that ran since the last look, by file; the script itself and what loads modules apart. */
async function takeRun(): Promise<Map<string, string[]>> {
	const { result } = await inspector.post('Profiler.takePreciseCoverage');
	const run = new Map<string, string[]>();
	for (const { url, functions } of result) {
		const path = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : '..';
		if (path.startsWith('..') || path.startsWith('node_modules') || path === 'scripts/trip.ts') continue;
		const names = functions.flatMap(({ functionName, ranges: [range] }) => {
			const isOurs = functionName !== '__name' && range !== undefined && range.startOffset > 0;
			return isOurs && range.count > 0 ? [functionName || '(anonymous)'] : [];
		});
		if (names.length > 0) run.set(path, names);
	}
	return run;
}

const trips = [
	{ name: 'Read without a gate', tool: 'Read', input: { file_path: 'a.ts' }, types: ['tool:call'], most: 40 },
	{
		name: 'an agent denied and held',
		tool: 'Agent',
		input: { subagent_type: 'architect', prompt: 'design' },
		types: ['routing:mismatch', 'approval:request'],
		most: 70,
	},
	{ name: 'a command that may run', tool: 'Bash', input: { command: 'git status' }, types: ['tool:call'] },
];

async function report(part: string, isRead: boolean): Promise<void> {
	for (const { name, tool, input, types, most } of trips) {
		const sessionId = `trip-${tool}`;
		const travel = async (call: string): Promise<number> => {
			const seen = isRead ? watch(sessionId, types) : undefined;
			const status = await post(sessionId, `${part}-${tool}-${call}`, tool, input);
			await seen;
			return status;
		};
		await travel('first');
		await takeRun();
		const status = await travel('second');
		const run = await takeRun();
		const amount = [...run.values()].reduce((sum, names) => sum + names.length, 0);
		const goal = isRead && most !== undefined ? `, goal at most ${most} files` : '';
		console.log(`${name}, to ${part} (${status}): ${run.size} files, ${amount} functions${goal}`);
		if (!process.argv.includes('--files')) continue;
		for (const [path, names] of [...run].sort()) console.log(`  ${path}: ${names.join(', ')}`);
	}
}

await report('the-page', true);
await tail.stop();
await report('the-answer', false);

inspector.disconnect();
await services.approvals.stop();
await door.close();
for (const close of closers.reverse()) await close();
rmSync(folder, { recursive: true });
