import fs, { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HOOK_FILES } from '../setup/distribution.ts';
import { createInitRig, putFile } from '../testing/init-rig.ts';

const OLD_SETTINGS = '{\n  "permissions": { "allow": ["Bash(ls)"] }\n}\n';

/** Runs `work` on a disk that takes so many more files and folders. */
async function withRoomFor<T>(count: number, work: () => Promise<T>): Promise<{ result: T; isFull: boolean }> {
	const { mkdirSync, writeFileSync: write } = fs;
	let left = count;
	const spend = () => {
		left -= 1;
		if (left < 0)
			throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC', syscall: 'write' });
	};
	fs.mkdirSync = ((...args: Parameters<typeof mkdirSync>) => {
		spend();
		return mkdirSync(...args);
	}) as typeof mkdirSync;
	fs.writeFileSync = (...args) => {
		spend();
		write(...args);
	};
	syncBuiltinESMExports();
	try {
		return { result: await work(), isFull: left < 0 };
	} finally {
		Object.assign(fs, { mkdirSync, writeFileSync: write });
		syncBuiltinESMExports();
	}
}

function snapshot(folder: string): Record<string, string> {
	const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	return Object.fromEntries(
		paths.map((path) => [path, statSync(join(folder, path)).isFile() ? readFileSync(join(folder, path), 'utf8') : '/']),
	);
}

test.each([
	['init', [], 1],
	['init --plugin', ['--plugin'], 7],
	['init --agent codex,copilot', ['--agent', 'codex,copilot'], 1],
])(
	'%s on a disk that fills at any moment: the hook is all old or all new, and settings are as they were or whole',
	async (_, args, step) => {
		for (let room = 0; ; room += step) {
			const { root, project, err, run } = createInitRig();
			const bin = join(root, '.overtone/bin');
			for (const name of Object.keys(HOOK_FILES)) putFile(join(bin, name), 'of an older version\n');
			putFile(join(project, '.claude/settings.json'), OLD_SETTINGS);
			const before = snapshot(project);
			const { result, isFull } = await withRoomFor(room, () => run(['init', ...args]));
			const hooks = Object.keys(HOOK_FILES).map(
				(name) => readFileSync(join(bin, name), 'utf8') === 'of an older version\n',
			);
			expect(new Set(hooks).size, `room for ${room}`).toBe(1);
			expect(readdirSync(bin).filter((name) => /[0-9a-f]{8}-/.test(name))).toEqual([]);
			if (!isFull) {
				expect(result).toBe(0);
				return;
			}
			expect(result).toBe(1);
			expect(err.join('\n')).toMatch(/^The disk is full/m);
			expect(snapshot(project), `room for ${room}`).toEqual(before);
			for (const folder of ['.codex', '.copilot', '.overtone/plugin'])
				expect(existsSync(join(root, folder))).toBe(false);
		}
	},
);
