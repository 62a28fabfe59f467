/*
 * `npm run soak full-disk [--runs N] [--seed N]`: a home on a disk of 24 MB (a tmpfs, so it needs root) that is filled and
 * freed 40 times while hooks come, and whose server is killed in every eighth cycle while lines wait. Of each hook that was
 * answered the call must be on the timeline, or be told as lost: by the hook's own answer, or by a count. A forbidden command
 * at an entry that fails closed must be denied each time. Prints counts; exits with 1 where something did not hold.
 */
import { spawnSync } from 'node:child_process';
import {
	closeSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
	writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runHook } from '#e2e/rig/hook-process.ts';
import { startServer } from '#e2e/rig/running-server.ts';
import { seededRandom } from '#e2e/rig/storm-random.ts';
import { denies } from './rig/evader.ts';

const WRITERS = 4;
const CALLS = 4;
const KILLED_EACH = 8;
/** Longer than the server takes between two looks at its disk. */
const SETTLED_MS = 30_000;

const { values } = parseArgs({ strict: false, options: { runs: { type: 'string' }, seed: { type: 'string' } } });
const cycles = Number(values.runs ?? 40);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const random = seededRandom(seed);
console.log(`full-disk: seed ${seed}, ${cycles} cycles`);

const home = mkdtempSync(join(tmpdir(), 'full-disk-'));
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m,mode=700', 'tmpfs', home], { encoding: 'utf8' });
if (mounted.status !== 0) {
	rmSync(home, { recursive: true });
	console.error(`full-disk: no small disk can be mounted, which needs root: ${mounted.stderr?.trim()}`);
	process.exit(1);
}

const project = mkdtempSync(join(tmpdir(), 'full-disk-project-'));
mkdirSync(join(project, '.git'));
writeFileSync(join(home, 'config.json'), JSON.stringify({ commands: { exclude: ['zap'] } }));
const server = await startServer({ OVERTONE_HOME: home });
const fill = join(home, 'fill');
function fillDisk(): void {
	const fd = openSync(fill, 'a');
	for (const size of [1 << 20, 4096, 1]) {
		try {
			for (;;) if (writeSync(fd, Buffer.alloc(size, 1)) < size) break;
		} catch {
			// That is full for this size.
		}
	}
	closeSync(fd);
}

interface HookAnswer {
	id: string;
	sessionId: string;
	/** The hook itself said that it could not be handled, or recorded. */
	isTold: boolean;
}
const hookAnswers: HookAnswer[] = [];
const counts = {
	'events that waited at a kill': 0,
	hooks: 0,
	'forbidden at a closed entry': 0,
	'let through there': 0,
	kills: 0,
};
async function write(writer: number, cycle: number): Promise<void> {
	for (let n = 0; n < CALLS; n += 1) {
		const isForbidden = random.below(5) < 2;
		const id = `t-${writer}-${String(cycle).padStart(4, '0')}-${n}`;
		const input = {
			...{ session_id: `s${writer}`, cwd: project, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: id },
			// Every fifth has a value that is too large for a line.
			tool_input: { command: isForbidden ? 'zap x' : `ls ${random.below(5) === 0 ? 'a'.repeat(100_000) : ''}` },
		};
		const end = await runHook(home, input, { profile: isForbidden ? 'closed' : 'open', timeoutSeconds: 60 }).ended;
		counts.hooks += 1;
		if (isForbidden) counts['forbidden at a closed entry'] += 1;
		if (isForbidden && !denies(end)) counts['let through there'] += 1;
		hookAnswers.push({
			id,
			sessionId: `s${writer}`,
			isTold: /could not be (?:handled|written)|no space/i.test(end.stdout + end.stderr),
		});
	}
}

const linesOf = (session: string): Record<string, unknown>[] => {
	const path = join(home, 'sessions', session, 'timeline.jsonl');
	return readFileSync(path, 'utf8')
		.split('\n')
		.flatMap((line) => {
			try {
				return line === '' ? [] : [JSON.parse(line)];
			} catch {
				return [];
			}
		});
};
const waits = () => Number(readFileSync(join(home, 'unwritten'), 'latin1'));
async function waitUntilWritten(): Promise<void> {
	for (const until = Date.now() + SETTLED_MS; waits() > 0; await wait(50)) {
		if (Date.now() > until) throw new Error(`after ${SETTLED_MS} ms with room ${waits()} lines still wait`);
	}
}

let most = 0;
try {
	for (let cycle = 0; cycle < cycles; cycle += 1) {
		fillDisk();
		await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer, cycle)));
		most = Math.max(most, waits());
		if (cycle % KILLED_EACH === KILLED_EACH - 1) {
			counts['events that waited at a kill'] += waits();
			await server.kill();
			counts.kills += 1;
			rmSync(fill);
			await server.start();
		} else rmSync(fill);
		await waitUntilWritten();
	}
	const lines = new Map(readdirSync(join(home, 'sessions')).map((session) => [session, linesOf(session)]));
	const all = [...lines.values()].flat();
	const onTimeline = new Set(all.filter(({ type }) => type === 'tool:call').map(({ toolUseId }) => toolUseId));
	const missing = hookAnswers.filter(({ id }) => !onTimeline.has(id));
	const lost = all
		.filter(({ type, code }) => type === 'system:warning' && code === 'disk/full')
		.reduce(
			(sum, { message }) =>
				sum + (/^(\d+) events .*are lost/.test(String(message)) ? Number.parseInt(String(message), 10) : 0),
			0,
		);
	const silent = missing.filter(({ isTold }) => !isTold);
	const outOfOrder = [...lines.values()].filter((own) => {
		const ids = [...new Set(own.filter(({ type }) => type === 'tool:call').map(({ toolUseId }) => String(toolUseId)))];
		return ids.join() !== [...ids].sort().join();
	});
	const result = {
		...counts,
		'calls on the timeline': hookAnswers.length - missing.length,
		'calls that are not': missing.length,
		'of those told by the hook itself': missing.length - silent.length,
		'events told as lost': lost,
		'most lines that waited': most,
		'lost untold': Math.max(0, silent.length - lost, counts['events that waited at a kill'] - lost),
		'sessions out of order': outOfOrder.length,
	};
	for (const [what, count] of Object.entries(result)) console.log(`  ${what.padEnd(46)} ${count}`);
	if (result['lost untold'] + result['let through there'] + result['sessions out of order'] > 0) process.exitCode = 1;
} finally {
	await server.kill();
	spawnSync('umount', ['-l', home]);
	for (const folder of [home, project, server.home]) rmSync(folder, { recursive: true, force: true });
}
