import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { builtChild } from '../testing/built-child.ts';

/** Runs it to its end; what it has written wherever it could, and its exit code. */
async function run(file: string, args: readonly string[], options: SpawnOptions) {
	const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
	let text = '';
	child.stdout?.on('data', (part) => {
		text += part;
	});
	child.stderr?.on('data', (part) => {
		text += part;
	});
	const [code] = await once(child, 'close');
	return { code, text };
}

test('without a terminal a secret is written nowhere', async () => {
	expect(await run(process.execPath, [await builtChild('terminal-child')], { detached: true })).toEqual({
		code: 6,
		text: '',
	});
});

test.runIf(process.platform === 'linux')(
	'a secret is printed on the terminal only, even if the output is redirected',
	async () => {
		const line = `'${process.execPath}' '${await builtChild('terminal-child')}' > /dev/null 2>&1`;
		const { code, text } = await run('script', ['-qec', line, '/dev/null'], {});
		expect([code, text]).toEqual([5, expect.stringContaining('the secret')]);
	},
);
