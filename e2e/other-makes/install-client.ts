import { execFile } from 'node:child_process';
import { accessSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A client from npm: package, exact version, and its program inside `node_modules`. */
export interface NpmClient {
	npm: string;
	version: string;
	program: string;
}

/** A client's program, ready to be spawned, or why it cannot be had here, in npm's words. */
export type Installed = { path: string } | { missing: string };

function isThere(path: string): boolean {
	try {
		accessSync(path);
		return true;
	} catch {
		return false;
	}
}

/**
 * Installs exactly this version with npm, once: later calls find it in the cache, outside the repository. Of two processes
 * that ask at the same time the first to finish wins.
 */
export async function installClient({ npm, version, program }: NpmClient): Promise<Installed> {
	const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'signalbox');
	const folder = join(cache, `${npm.replaceAll(/[^a-z-]/g, '-')}-${version}`);
	const path = join(folder, 'node_modules', program);
	if (isThere(path)) return { path };
	mkdirSync(cache, { recursive: true });
	const draft = mkdtempSync(`${folder}.`);
	try {
		writeFileSync(join(draft, 'package.json'), '{"private":true}\n');
		const quiet = ['--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error'];
		await promisify(execFile)('npm', ['install', '--save-exact', ...quiet, `${npm}@${version}`], { cwd: draft });
		if (!isThere(join(draft, 'node_modules', program))) return { missing: `${npm} has no program for this machine` };
		if (!isThere(path)) {
			rmSync(folder, { recursive: true, force: true });
			renameSync(draft, folder);
		}
		return { path };
	} catch (error) {
		return isThere(path) ? { path } : { missing: String(error).slice(0, 500) };
	} finally {
		rmSync(draft, { recursive: true, force: true });
	}
}
