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
import { cpuMs } from './rig/process-usage.ts';
import { median } from './rig/quantile.ts';
import { begin, perSecond, report, times } from './rig/report.ts';

const ROUNDS = 5;
const AMOUNT = 40_000;
const WARM_UP = 5_000;
const SESSIONS = 6;

interface Round extends LoadResult {
	bareRate: number;
	/** Processor time of the server for each hook, in µs; and of the server that does nothing. */
	cpu: number;
	bareCpu: number;
}

const bodies = (round: number) =>
	Array.from({ length: SESSIONS }, (_, n) => bashCall(`door-${round}-${n}`, 'toolu_NNNNNNNN'));

interface BareDoor {
	socketPath: string;
	pid(): number;
	kill(): void;
}

/** Runs a load and gives also what it cost the process, in µs of processor time for each request. */
async function costed(pid: number, load: Parameters<typeof loadDoor>[0]) {
	const before = cpuMs(pid);
	const result = await loadDoor(load);
	return { ...result, cpu: ((cpuMs(pid) - before) / load.amount) * 1000 };
}

async function startBareDoor(home: string): Promise<BareDoor> {
	const socketPath = join(home, 'bare.sock');
	const child = spawn(process.execPath, [join(import.meta.dirname, 'rig/bare-door.mjs'), socketPath]);
	await once(child.stdout, 'data');
	return { socketPath, pid: () => child.pid ?? 0, kill: () => void child.kill() };
}

async function measure(server: RunningServer, bare: BareDoor, connections: number, round: number): Promise<Round> {
	const load = { connections, amount: AMOUNT, bodies: bodies(round) };
	const { rate: bareRate, cpu: bareCpu } = await costed(bare.pid(), { ...load, socketPath: bare.socketPath });
	const result = await costed(server.pid(), { ...load, socketPath: server.socketPath });
	return { ...result, bareRate, bareCpu };
}

/** Both take the same loads, one after the other and the first one changing: what the machine does meanwhile meets both. */
async function compare(server: RunningServer, { folder, commit }: { folder: string; commit: string }): Promise<void> {
	const older = await startServer({}, { program: join(folder, 'dist/signalbox.js') });
	try {
		begin(`the door beside ${commit}, 16 keep-alive connections, in turns`);
		const ratios: { rate: number; cpu: number }[] = [];
		for (let round = 0; round <= 2 * ROUNDS; round += 1) {
			const load = { connections: 16, amount: round === 0 ? WARM_UP : AMOUNT / 4, bodies: bodies(1000 + round) };
			const run = ({ socketPath, pid }: RunningServer) => costed(pid(), { ...load, socketPath });
			const [first, second] = round % 2 === 0 ? [server, older] : [older, server];
			const [one, other] = [await run(first), await run(second)];
			const [ours, theirs] = round % 2 === 0 ? [one, other] : [other, one];
			if (round > 0) ratios.push({ rate: ours.rate / theirs.rate, cpu: ours.cpu / theirs.cpu });
		}
		const say = (what: string, values: readonly number[]) =>
			report(what, `${times(median(values))} (${Math.min(...values).toFixed(2)} .. ${Math.max(...values).toFixed(2)})`);
		const [rates, cpus] = [ratios.map(({ rate }) => rate), ratios.map(({ cpu }) => cpu)];
		say('hooks a second, this / that', rates);
		say('server processor time for each hook, this / that', cpus);
	} finally {
		await older.dispose();
	}
}

/** This build alone, beside a server that does nothing. */
async function measureAlone(server: RunningServer, bare: BareDoor): Promise<void> {
	let sent = 0;
	let round = 0;
	for (const connections of [16, 1]) {
		begin(`the door, ${connections} keep-alive connections`);
		const warmUp = { connections, amount: WARM_UP, bodies: bodies(++round) };
		sent += (await loadDoor({ ...warmUp, socketPath: server.socketPath })).accepted;
		const rounds: Round[] = [];
		for (let n = 0; n < ROUNDS; n += 1) rounds.push(await measure(server, bare, connections, ++round));
		sent += rounds.reduce((sum, { accepted }) => sum + accepted, 0);
		const rates = rounds.map(({ rate }) => rate);
		report('hooks answered', perSecond(median(rates)), connections === 16 ? '> 10,000/s' : undefined);
		report('lowest and highest round', `${perSecond(Math.min(...rates))} .. ${perSecond(Math.max(...rates))}`);
		report('beside a node:http server that does nothing', times(median(rounds.map((one) => one.rate / one.bareRate))));
		report('p99 (whole ms)', `${median(rounds.map(({ p99 }) => p99))} ms`);
		report('server processor time for each hook', `${Math.round(median(rounds.map(({ cpu }) => cpu)))} µs`);
		report(
			'the same of the server that does nothing',
			`${Math.round(median(rounds.map(({ bareCpu }) => bareCpu)))} µs`,
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
