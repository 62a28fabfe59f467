import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Runs a program and throws, with its name, when it fails. */
function run(program, args, cwd) {
	const { status } = spawnSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
	if (status !== 0) throw new Error(`bench: ${program} ${args.join(' ')} failed`);
}

/**
 * Builds a commit in a work tree of its own, by its own script and with this one's packages, as hard links where the disk
 * allows it. Gives the folder, and how everything is removed. Throws where there is no such commit, or it cannot be built.
 */
export function buildOlder(commit) {
	const parent = mkdtempSync(join(tmpdir(), 'sbx-bench-older-'));
	const folder = join(parent, 'signalbox');
	const remove = () => {
		spawnSync('git', ['worktree', 'remove', '--force', folder], { cwd: ROOT, stdio: 'ignore' });
		rmSync(parent, { recursive: true, force: true });
	};
	try {
		run('git', ['worktree', 'add', '--quiet', '--detach', folder, commit], ROOT);
		const packages = [join(ROOT, 'node_modules'), join(folder, 'node_modules')];
		if (spawnSync('cp', ['-al', ...packages], { stdio: 'ignore' }).status !== 0) {
			rmSync(packages[1], { recursive: true, force: true });
			run('cp', ['-a', ...packages], ROOT);
		}
		run(process.execPath, ['scripts/build.mjs'], folder);
	} catch (error) {
		remove();
		throw error;
	}
	return { folder, remove };
}
