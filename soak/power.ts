/*
 * `npm run soak power [--seed N] [--cuts N] [--keep]`: 200 simulated power cuts, a quarter of them in the first minute of
 * a home's life. Two homes live under a library that notes each write and each sync (it needs `cc`); for each cut a disk
 * is made that holds what was synced and, of the rest, what the disk's state lets it keep. From each a server must start; what
 * was decided and released must be in its journal, and of the events at most the last second may be missing. The seed
 * chooses instants and disk states; what the homes do in that time is not the same in two runs. Exits with 1 where something did
 * not hold, and keeps that disk.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bareEnvironment } from '#e2e/rig/bare-environment.ts';
import { SIGNALBOX } from '#e2e/rig/repository.ts';
import { freePort } from '#e2e/rig/running-server.ts';
import { seededRandom } from '#e2e/rig/storm-random.ts';
import { DISK_STATES, writeDiskAfterCut } from './rig/power/disk-after-cut.ts';
import { type DiskRecord, readDiskLog } from './rig/power/disk-log.ts';
import { type HomeLife, liveHome } from './rig/power/home-life.ts';
import { type LossCounts, lossesAfterCut } from './rig/power/losses-after-cut.ts';

const LIVES = 2;
const LIFE_SECONDS = 80;
const FIRST_MINUTE_MS = 60_000;

const { values } = parseArgs({
	options: { seconds: { type: 'string' }, seed: { type: 'string' }, cuts: { type: 'string' } },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const cuts = Number(values.cuts ?? 200);
const random = seededRandom(seed);
const folder = mkdtempSync(join(tmpdir(), 'power-'));
console.log(`power: seed ${seed}, ${cuts} cuts`);

/** Whether a server starts on this home and says where it is; it is then ended as hard as the first. */
async function startsOn(home: string): Promise<string | null> {
	const port = await freePort();
	const child = spawn(process.execPath, [SIGNALBOX, 'start', '--port', String(port)], {
		env: bareEnvironment({ OVERTONE_HOME: home, HOME: tmpdir() }),
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
	const open = new Promise<void>((resolve) => {
		const read = (text: Buffer) => {
			output += text;
			if (output.includes('/login#')) resolve();
		};
		child.stdout.on('data', read);
		child.stderr.on('data', read);
	});
	await Promise.race([open, ended]);
	const isOpen = child.exitCode === null && child.signalCode === null;
	child.kill('SIGKILL');
	await ended;
	return isOpen ? null : output;
}

/** Half of the cuts of the first minute fall into the start. */
function instantOf(records: readonly DiskRecord[], { startedMs }: HomeLife, nth: number): number {
	const early = records.findIndex(({ ms }) => ms > startedMs + FIRST_MINUTE_MS);
	const start = records.findIndex(({ kind }) => kind === 'told');
	if (nth % 8 === 0) return random.below(start);
	if (nth % 8 === 4) return start + random.below(early - start);
	return early + random.below(records.length - early);
}

const total: LossCounts = { decisions: 0, releases: 0, events: 0, 'events lost': 0, 'oldest lost, ms': 0 };
const wrong: string[] = [];
let early = 0;
try {
	const library = join(folder, 'write-log.so');
	const source = join(import.meta.dirname, 'rig/power/write-log.c');
	const built = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'], { stdio: 'inherit' });
	if (built.status !== 0) throw new Error('The library cannot be compiled: this target needs a C compiler as `cc`.');
	for (let life = 0; life < LIVES; life += 1) {
		const home = await liveHome({ seconds: Number(values.seconds ?? LIFE_SECONDS), random, library, folder });
		const all = readDiskLog(home.log);
		console.log(`  life ${life + 1}: ${all.length} changes and syncs`);
		for (let nth = 0; nth < cuts / LIVES; nth += 1) {
			const records = all.slice(0, instantOf(all, home, nth));
			const cutMs = records.at(-1)?.ms ?? home.startedMs;
			const diskState = DISK_STATES[random.below(DISK_STATES.length)] ?? 'nothing';
			const target = join(folder, `disk-${life}-${nth}`);
			writeDiskAfterCut({ records, root: home.root, rootInode: home.rootInode, target, diskState, random });
			if (cutMs < home.startedMs + FIRST_MINUTE_MS) early += 1;
			const failure = await startsOn(join(target, 'home'));
			const where = `cut ${life}-${nth}, ${cutMs - home.startedMs} ms after the first start, disk of ${diskState}`;
			const losses = failure === null ? lossesAfterCut(join(target, 'home'), records, cutMs, total) : [failure];
			for (const loss of losses) wrong.push(`${where}: ${loss}`);
			for (const loss of losses) console.error(`  LOST: ${where}: ${loss}`);
			if (losses.length === 0) rmSync(target, { recursive: true });
		}
	}
	console.log(`  ${'cuts in the first minute'.padEnd(26)} ${early}`);
	for (const [what, count] of Object.entries(total)) console.log(`  ${what.padEnd(26)} ${count}`);
} finally {
	if (wrong.length === 0) rmSync(folder, { recursive: true, force: true });
	else console.error(`  kept: ${folder}`);
}
if (wrong.length > 0) process.exitCode = 1;
