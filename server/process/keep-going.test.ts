import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { builtChild } from '../testing/built-child.ts';

const program = () => builtChild('keep-going-child');

test('a server continues when nobody reads its output any more', async () => {
	const child = spawn(process.execPath, [await program()], { stdio: 'pipe' });
	child.stdin.write('speak\n');
	await Promise.all([once(child.stdout, 'data'), once(child.stderr, 'data')]);
	child.stdout.destroy();
	child.stderr.destroy();
	child.stdin.write('speak\n');
	child.stdin.write('again\n');
	child.stdin.end();
	expect(await once(child, 'exit')).toEqual([7, null]);
});

test.runIf(process.platform === 'linux')('a server continues when the disk of its output is full', async () => {
	const full = openSync('/dev/full', 'w');
	const child = spawn(process.execPath, [await program()], { stdio: ['pipe', full, full] });
	closeSync(full);
	child.stdin?.write('speak\n');
	child.stdin?.end('again\n');
	expect(await once(child, 'exit')).toEqual([7, null]);
});
