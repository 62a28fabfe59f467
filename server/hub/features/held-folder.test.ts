import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { builtChild } from '../../testing/built-child.ts';
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
	const args = [await builtChild('database-child'), join(path, 'held.db')];
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
