/*
 * `npm run bench door [--against COMMIT]`: how many hooks a second the door answers, with append, tail, index, fold and
 * gates done; against a commit, what a hook costs this server and that one, in turns.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type RunningServer, startServer } from '#e2e/rig/running-server.ts';
import { bashCall } from './rig/bash-call.ts';
import { settledEvents } from './rig/indexed-events.ts';
import { type LoadResult, loadDoor } from './rig/load-door.ts';
import { olderBuild } from './rig/older.ts';
import { cpuMs, threadCpuMs } from './rig/process-usage.ts';
import { median } from './rig/quantile.ts';
import { begin, perSecond, report, times } from './rig/report.ts';

const ROUNDS = 5;
const WARM_UP = 5_000;
const SESSIONS = 6;

/** How hooks come. The first is what hook.sh does: a connection of its own for each, which seldom shares a turn with another. */
const LOADS = [
	{
		name: 'one connection a hook, 4 side by side, with the headers of a hook',
		...{ connections: 4, kept: false, amount: 10_000 },
		headers: [
			'Content-Type: application/json',
			'X-Signalbox-Request: 00000000-0000-4000-8000-0000NNNNNNNN',
			'X-Signalbox-Profile: open',
			'X-Signalbox-Timeout: 15',
			'X-Signalbox-Pid: 1',
			'X-Signalbox-Env-CLAUDE_PROJECT_DIR: /home/dev/shop',
		],
	},
	{ name: '16 kept connections', connections: 16, kept: true, amount: 40_000 },
	{ name: 'one kept connection', connections: 1, kept: true, amount: 20_000 },
];
type Load = (typeof LOADS)[number];

interface MeasuredLoad extends LoadResult {
	bareRate: number;
	/** Processor time of the server for each hook, in µs; and of the server that does nothing. */
	cpu: number;
	/** That of its main thread, and of the busiest of the others. */
	mainCpu: number;
	otherCpu: number;
	bareCpu: number;
}

const bodies = (nth: number) =>
	Array.from({ length: SESSIONS }, (_, n) => bashCall(`door-${nth}-${n}`, 'toolu_NNNNNNNN'));

interface BareDoor {
	socketPath: string;
	pid(): number;
	kill(): void;
}

/** Runs a load and gives also what it cost the process and its threads, in µs of processor time for each request. */
async function costed(pid: number, load: Parameters<typeof loadDoor>[0]) {
	const [before, threadsBefore] = [cpuMs(pid), threadCpuMs(pid)];
	const result = await loadDoor(load);
	const perHook = (ms: number) => (ms / load.amount) * 1000;
	const threads = [...threadCpuMs(pid)].map(([id, ms]) => ({ id, cpu: perHook(ms - (threadsBefore.get(id) ?? 0)) }));
	const mainCpu = threads.find(({ id }) => id === pid)?.cpu ?? 0;
	const otherCpu = Math.max(0, ...threads.filter(({ id }) => id !== pid).map(({ cpu }) => cpu));
	return { ...result, cpu: perHook(cpuMs(pid) - before), mainCpu, otherCpu };
}

async function startBareDoor(home: string): Promise<BareDoor> {
	const socketPath = join(home, 'bare.sock');
	const child = spawn(process.execPath, [join(import.meta.dirname, 'rig/bare-door.mjs'), socketPath]);
	await once(child.stdout, 'data');
	return { socketPath, pid: () => child.pid ?? 0, kill: () => void child.kill() };
}

async function measure(server: RunningServer, bare: BareDoor, load: Load, nth: number): Promise<MeasuredLoad> {
	const sent = { ...load, bodies: bodies(nth) };
	const { rate: bareRate, cpu: bareCpu } = await costed(bare.pid(), { ...sent, socketPath: bare.socketPath });
	const result = await costed(server.pid(), { ...sent, socketPath: server.socketPath });
	return { ...result, bareRate, bareCpu };
}

/** Both take the same loads, one after the other and the first one changing: what the machine does meanwhile meets both. */
async function compare(server: RunningServer, { folder, commit }: { folder: string; commit: string }): Promise<void> {
	const older = await startServer({}, { program: join(folder, 'dist/signalbox.js') });
	try {
		for (const [at, load] of LOADS.slice(0, 2).entries())
			await compareBy(load, (at + 1) * 1000, { server, older, commit });
	} finally {
		await older.dispose();
	}
}

async function compareBy(
	load: Load,
	from: number,
	{ server, older, commit }: { server: RunningServer; older: RunningServer; commit: string },
): Promise<void> {
	begin(`the door beside ${commit}, ${load.name}, in turns`);
	const ratios: { rate: number; cpu: number }[] = [];
	for (let nth = 0; nth <= 2 * ROUNDS; nth += 1) {
		const sent = { ...load, amount: nth === 0 ? WARM_UP : load.amount / 4, bodies: bodies(from + nth) };
		const run = ({ socketPath, pid }: RunningServer) => costed(pid(), { ...sent, socketPath });
		const [first, second] = nth % 2 === 0 ? [server, older] : [older, server];
		const [one, other] = [await run(first), await run(second)];
		const [ours, theirs] = nth % 2 === 0 ? [one, other] : [other, one];
		if (nth > 0) ratios.push({ rate: ours.rate / theirs.rate, cpu: ours.cpu / theirs.cpu });
	}
	const reportTimes = (what: string, values: readonly number[]) =>
		report(what, `${times(median(values))} (${Math.min(...values).toFixed(2)} .. ${Math.max(...values).toFixed(2)})`);
	const [rates, cpus] = [ratios.map(({ rate }) => rate), ratios.map(({ cpu }) => cpu)];
	reportTimes('hooks a second, this / that', rates);
	reportTimes('server processor time for each hook, this / that', cpus);
}

/** This build alone, beside a server that does nothing. */
async function measureAlone(server: RunningServer, bare: BareDoor): Promise<void> {
	let sent = 0;
	let measured = 0;
	for (const load of LOADS) {
		begin(`the door, ${load.name}`);
		const warmUp = { ...load, amount: WARM_UP, bodies: bodies(++measured) };
		sent += (await loadDoor({ ...warmUp, socketPath: server.socketPath })).accepted;
		const rounds: MeasuredLoad[] = [];
		for (let n = 0; n < ROUNDS; n += 1) rounds.push(await measure(server, bare, load, ++measured));
		sent += rounds.reduce((sum, { accepted }) => sum + accepted, 0);
		const rates = rounds.map(({ rate }) => rate);
		const micros = (of: (one: MeasuredLoad) => number) => `${Math.round(median(rounds.map(of)))} µs`;
		report('hooks answered', perSecond(median(rates)));
		report('lowest and highest round', `${perSecond(Math.min(...rates))} .. ${perSecond(Math.max(...rates))}`);
		report('beside a node:http server that does nothing', times(median(rounds.map((one) => one.rate / one.bareRate))));
		report('p99', `${median(rounds.map(({ p99 }) => p99)).toFixed(1)} ms`);
		report(
			'server processor time for each hook',
			micros(({ cpu }) => cpu),
		);
		report(
			'of it on the main thread',
			micros(({ mainCpu }) => mainCpu),
		);
		report(
			'of it on the busiest other thread',
			micros(({ otherCpu }) => otherCpu),
		);
		report(
			'the same of the server that does nothing',
			micros(({ bareCpu }) => bareCpu),
		);
		report('refused', String(rounds.reduce((sum, { refused }) => sum + refused, 0)), '0');
	}
	const indexed = await settledEvents(server.home, sent);
	report('accepted hooks / events in the index', `${sent} / ${indexed}`, 'equal');
}

const server = await startServer();
const bare = await startBareDoor(server.home);
try {
	const older = olderBuild();
	await (older ? compare(server, older) : measureAlone(server, bare));
} finally {
	bare.kill();
	await server.dispose();
}
