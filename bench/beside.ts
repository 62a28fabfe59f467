/*
 * `npm run bench beside`: what a hook waits while the server does something large beside it: the same paced hooks with it and
 * without, in turns. Then what a page of a long list of sessions costs. SIGNALBOX_BENCH_EVENTS shortens the index that is built.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningServer, startServer } from '#e2e/rig/running-server.ts';
import { signalbox } from '#e2e/rig/signalbox-command.ts';
import { archiveFeature } from '#hooks-bridge/features/archive-feature.ts';
import { newFeature } from '#hooks-bridge/features/open-feature.ts';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import { settledEvents } from './rig/indexed-events.ts';
import { threadCpuMs } from './rig/process-usage.ts';
import { median } from './rig/quantile.ts';
import { begin, ms, report, times } from './rig/report.ts';
import { hooksP99 } from './rig/steady-load.ts';

const ROUNDS = 5;
const EVENTS = Number(process.env.SIGNALBOX_BENCH_EVENTS ?? 1_000_000);
const EXPORT_BYTES = 64 * 1024 * 1024;
const SESSIONS = 10_000;
const PAGE = 100;
/** Linux counts processor time in hundredths of a second: one page is too short for it. */
const PAGES = 100;

/** Calls of each measurement are others than those before. */
let measured = 0;
const folder = mkdtempSync(join(tmpdir(), 'sbx-bench-beside-'));
const project = join(folder, 'shop');
let written = 0;

/** A line of a timeline; `words` lengthens it. */
function line(sessionId: string, words = ''): string {
	const id = `b${written++}`;
	const call = { toolUseId: `t${id}`, tool: 'Bash', input: { command: `echo ${written} ${words}` } };
	const event = { id, ts: new Date().toISOString(), type: 'tool:call', category: 'tool', label: 'Tool', sessionId };
	return `\n${JSON.stringify({ ...event, ...call })}\n`;
}

/** Appends to a session's timeline, as another program does. */
function append({ home }: RunningServer, sessionId: string, lines: readonly string[]): void {
	mkdirSync(join(home, 'sessions', sessionId), { recursive: true });
	writeFileSync(join(home, 'sessions', sessionId, 'timeline.jsonl'), lines.join(''), { flag: 'a' });
}

const linesOf = (sessionId: string, count: number) => Array.from({ length: count }, () => line(sessionId));

/** Asks the server; resolves once the answer was read to its end. */
function ask({ port }: RunningServer, token: string, path: string): Promise<void> {
	const headers = { authorization: `Bearer ${token}` };
	return new Promise((resolve, reject) => {
		const request = http.get({ port, path, headers }, (response) => {
			if (response.statusCode !== 200) reject(new Error(`${path} was answered with ${response.statusCode}`));
			response.resume().on('end', () => resolve());
		});
		request.on('error', reject);
	});
}

/** An archived feature with so much to export. Gives its id. */
function archiveLarge(server: RunningServer): string {
	const { home } = server;
	const ports = { home, now: Date.now, append: createNodePorts({ home }).append };
	mkdirSync(join(project, '.git'), { recursive: true });
	newFeature(project, 'cart', ports, { sessionId: 'large' });
	const lines: string[] = [];
	for (let size = 0; size < EXPORT_BYTES; )
		size += lines[lines.push(line('large', 'words '.repeat(60))) - 1]?.length ?? 0;
	append(server, 'large', lines);
	const archived = archiveFeature(project, 'cart', ports);
	if (!archived.ok) throw new Error(archived.detail);
	return archived.id;
}

/** Measures hooks beside `work`, which begins it and gives how to end it, and without, in turns. */
async function beside(server: RunningServer, what: string, work: (nth: number) => () => Promise<unknown>) {
	const ratios: number[] = [];
	const alone: number[] = [];
	for (let nth = 0; nth < ROUNDS; nth += 1) {
		const quiet = () => hooksP99(server, measured++);
		const busy = async () => {
			const end = work(nth);
			const p99 = await hooksP99(server, measured++);
			await end();
			return p99;
		};
		const isQuietFirst = nth % 2 === 0;
		const [one, other] = isQuietFirst ? [await quiet(), await busy()] : [await busy(), await quiet()];
		const [without, withIt] = isQuietFirst ? [one, other] : [other, one];
		alone.push(without);
		ratios.push(withIt / without);
	}
	report(`p99 of a hook beside ${what} / without (${ms(median(alone))})`, times(median(ratios)), '<= 1.3 x');
}

/** Does it again and again until it is ended. */
function again(work: () => Promise<unknown>): () => Promise<unknown> {
	let isOver = false;
	const run = async () => {
		while (!isOver) await work();
	};
	const running = run();
	return () => {
		isOver = true;
		return running;
	};
}

/** What a page costs the busiest thread, in ms of processor time. */
async function costOfPage(server: RunningServer, token: string): Promise<number> {
	const before = threadCpuMs(server.pid());
	for (let n = 0; n < PAGES; n += 1) await ask(server, token, `/api/sessions?limit=${PAGE}`);
	const used = [...threadCpuMs(server.pid())].map(([id, now]) => now - (before.get(id) ?? 0));
	return Math.max(...used) / PAGES;
}

const server = await startServer();
try {
	begin('hooks beside large work');
	const token = await signalbox(server.home, ['token', 'create', '--role', 'viewer']);
	const piece = Math.ceil(EVENTS / ROUNDS);
	await beside(server, `an index build of ${EVENTS.toLocaleString('en')} events`, (nth) => {
		append(server, `build-${nth}`, linesOf(`build-${nth}`, piece));
		return () => settledEvents(server.home, Number.POSITIVE_INFINITY);
	});
	await beside(server, 'searching', () =>
		again(() => ask(server, token, '/api/search?q=echo%20no-such-words&limit=50')),
	);
	const set = encodeURIComponent(JSON.stringify({ 'commands.exclude': ['echo'] }));
	await beside(server, 'judging again', () => again(() => ask(server, token, `/api/rejudge?set=${set}`)));
	const id = archiveLarge(server);
	await settledEvents(server.home, Number.POSITIVE_INFINITY);
	const path = `/api/features/${id}/export?format=csv`;
	await beside(server, 'an export of 64 MB', () => again(() => ask(server, token, path)));

	for (let n = 0; n < SESSIONS; n += 1) append(server, `listed-${n}`, linesOf(`listed-${n}`, 2));
	await settledEvents(server.home, Number.POSITIVE_INFINITY);
	await ask(server, token, `/api/sessions?limit=${PAGE}`);
	const page = await costOfPage(server, token);
	report(`a page of ${PAGE} of ${SESSIONS.toLocaleString('en')} sessions, busiest thread`, ms(page), '< 50 ms');
} finally {
	await server.dispose();
	rmSync(folder, { recursive: true, force: true });
}
