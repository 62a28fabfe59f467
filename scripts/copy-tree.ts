import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** What the last type check of this tree found out: with it only what has changed is checked again. */
const BUILD_INFO = 'tsconfig.tsbuildinfo';

/** Copies the files of this tree that git knows, or would add, into the folder `copy`; node_modules stay shared. */
export function copyTree(copy: string): void {
	const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' });
	for (const path of [...listed.split('\n'), BUILD_INFO].filter(
		(each) => each !== '' && existsSync(join(ROOT, each)),
	)) {
		mkdirSync(dirname(join(copy, path)), { recursive: true });
		cpSync(join(ROOT, path), join(copy, path));
	}
	symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
}
