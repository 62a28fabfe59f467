/*
 * `npm run bench idle`: what sessions cost in which nothing happens. Three servers at once: one without sessions, one that
 * recorded 1,000 whose clients all live, one that indexed 120,000 events of 3,000 whose clients are gone.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type RunningServer, startServer } from '#e2e/rig/running-server.ts';
import { bashCall, bashResult } from './rig/bash-call.ts';
import { indexedEvents } from './rig/indexed-events.ts';
import { cpuMs } from './rig/process-usage.ts';
import { begin, report } from './rig/report.ts';
import { createPoster } from './rig/steady-load.ts';

const SECONDS = 60;
/** A session is quiet after a minute; before it, what was indexed is written and synced. */
const REST_SECONDS = 70;
const EVENTS = 40;
const PROJECTS = 20;

const folder = mkdtempSync(join(tmpdir(), 'sbx-bench-idle-'));
for (let n = 0; n < PROJECTS; n += 1) mkdirSync(join(folder, `project-${n}`));
/** Half of them worked in a worktree that is gone. */
const cwdOf = (n: number) => join(folder, n % 2 === 0 ? `project-${n % PROJECTS}` : `worktree-${n}`);
const seconds = (amount: number) => new Promise((resolve) => setTimeout(resolve, amount * 1000));

/** So many processes that wait, as clients in which nobody types do. */
async function startClients(amount: number): Promise<{ pids: number[]; stop(): void }> {
	const script = `for n in $(seq ${amount}); do sleep 1000 & echo $!; done; wait`;
	const shell = spawn('bash', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
	const pids: number[] = [];
	const lines = createInterface({ input: shell.stdout });
	lines.on('line', (pid) => {
		pids.push(Number(pid));
		if (pids.length === amount) lines.close();
	});
	await once(lines, 'close');
	return { pids, stop: () => void process.kill(-(shell.pid ?? 0)) };
}

/** A session of a few calls for each client, told through the door. */
async function record(server: RunningServer, pids: readonly number[]): Promise<void> {
	for (const [n, pid] of pids.entries()) {
		const poster = createPoster(server.socketPath, { 'x-signalbox-pid': String(pid) });
		for (let at = 0; at < 5; at += 1) {
			for (const input of [bashCall(`idle-${n}`, `toolu_${at}`), bashResult(`idle-${n}`, `toolu_${at}`)]) {
				await poster.post(JSON.stringify({ ...JSON.parse(input), cwd: cwdOf(n) }));
			}
		}
		poster.close();
	}
}

/** So many sessions as another program writes them, whose client is no process; resolves when they are indexed. */
async function write({ home }: RunningServer, sessions: number): Promise<void> {
	for (let n = 0; n < sessions; n += 1) {
		const sessionId = `written-${n}`;
		const event = (at: number, fields: object) => {
			const common = { id: `${sessionId}-${at}`, ts: new Date(Date.now() + at).toISOString(), sessionId };
			return `\n${JSON.stringify({ ...common, ...fields })}\n`;
		};
		const prompt = { type: 'prompt:submit', category: 'prompt', label: 'Prompt', source: 'user' };
		const prompts = Array.from({ length: EVENTS - 1 }, (_, at) =>
			event(at + 1, { ...prompt, prompt: `Look at part ${at} of the cart. `.repeat(8) }),
		);
		const start = {
			type: 'session:start',
			category: 'session',
			label: 'Session started',
			cwd: cwdOf(n),
			pid: 4_194_305,
		};
		mkdirSync(join(home, 'sessions', sessionId));
		const timeline = [event(0, start), ...prompts].join('');
		writeFileSync(join(home, 'sessions', sessionId, 'timeline.jsonl'), timeline, { mode: 0o600 });
	}
	while (indexedEvents(home) < sessions * EVENTS) await seconds(1);
}

const clients = await startClients(1_000);
const [none, recorded, written] = [await startServer(), await startServer(), await startServer()];
try {
	begin(`idle sessions, ${SECONDS} s`);
	await Promise.all([record(recorded, clients.pids), write(written, 3_000)]);
	await seconds(REST_SECONDS);
	const servers = [none, recorded, written];
	const before = servers.map((server) => cpuMs(server.pid()));
	await seconds(SECONDS);
	const shares = servers.map((server, n) => (cpuMs(server.pid()) - (before[n] ?? 0)) / (SECONDS * 10));
	const [base, live, many] = shares.map((share) => `${share.toFixed(2)} % of a core`);
	report('no session', base ?? '');
	report('1,000 idle sessions', live ?? '', '< 3 %');
	report('3,000 sessions of 40 events, after indexing', many ?? '');
} finally {
	clients.stop();
	for (const server of [none, recorded, written]) await server.dispose();
	rmSync(folder, { recursive: true });
}
