import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { holdFolder } from './hub-features.ts';

let parent: string;
let child: ChildProcess | undefined;
beforeEach(() => {
	parent = join(mkdtempSync(join(tmpdir(), 'sbx-held-')), 'hub-reels');
});
afterEach(() => {
	child?.kill('SIGKILL');
	child = undefined;
	rmSync(join(parent, '..'), { recursive: true });
});

/** Holds a folder as another replica of the home does, until it is killed. */
async function otherReplica(name: string): Promise<ChildProcess> {
	const path = join(parent, name);
	mkdirSync(path, { recursive: true });
	writeFileSync(join(path, 's1.reel'), 'wound');
	const driver = new URL('../../timeline/store/open-database.ts', import.meta.url).href;
	const program = `const { openDatabase } = await import('${driver}');
		const held = openDatabase(process.argv[1]);
		held.exec('BEGIN EXCLUSIVE'); process.stdout.write('held'); setInterval(() => held.open, 1000);`;
	const args = ['--import', 'tsx', '--input-type=module', '-e', program, join(path, 'held.db')];
	child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
	await once(child.stdout ?? child, 'data');
	return child;
}

test('what a killed replica had wound goes with the first recording of the next one, and of one that runs nothing', async () => {
	const other = await otherReplica('other');
	const first = holdFolder(parent);
	const second = holdFolder(parent);
	writeFileSync(join(first.path, 's1.reel'), 'wound');
	expect(readdirSync(parent)).toHaveLength(3);
	first.release();
	const gone = once(other, 'exit');
	other.kill('SIGKILL');
	await gone;
	const third = holdFolder(parent);
	expect(
		readdirSync(parent)
			.map((name) => join(parent, name))
			.sort(),
	).toEqual([second.path, third.path].sort());
	for (const held of [second, third]) held.release();
	expect(readdirSync(parent)).toEqual([]);
});
