import { execFile } from 'node:child_process';
import { accessSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The client that the suite is written for, and the last plain JavaScript release for the compatibility subset. */
export const CURRENT_CLIENT = '2.1.330';
export const OLDEST_CLIENT = '2.1.112';

/** A client on disk, ready to be spawned. */
export interface InstalledClient {
	version: string;
	/** Program and leading arguments. */
	command: readonly [string, ...string[]];
}

/** Where clients are kept between runs: outside the repository, because one of them takes 360 MB. */
function cacheFolder(): string {
	const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
	return join(cache, 'signalbox');
}

function isPlainJavaScript(version: string): boolean {
	const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
	return major < 2 || (major === 2 && (minor < 1 || (minor === 1 && patch <= 112)));
}

function commandIn(folder: string, version: string): readonly [string, ...string[]] {
	const scope = join(folder, 'node_modules/@anthropic-ai');
	if (isPlainJavaScript(version)) return [process.execPath, join(scope, 'claude-code/cli.js')];
	return [join(scope, `claude-code-${process.platform}-${process.arch}`, 'claude')];
}

function isComplete(folder: string, version: string): boolean {
	try {
		const found = JSON.parse(
			readFileSync(join(folder, 'node_modules/@anthropic-ai/claude-code/package.json'), 'utf8'),
		) as { version?: string };
		accessSync(commandIn(folder, version).at(-1) as string);
		return found.version === version;
	} catch {
		return false;
	}
}

/**
 * Installs `@anthropic-ai/claude-code` of exactly this version with npm, once: later calls find it in the cache.
 * Two processes may ask at the same time; the first to finish wins. Throws with npm's own words when it fails.
 */
export async function installClient(version: string = CURRENT_CLIENT): Promise<InstalledClient> {
	const folder = join(cacheFolder(), `claude-code-${version}`);
	if (!isComplete(folder, version)) await installInto(folder, version);
	return { version, command: commandIn(folder, version) };
}

async function installInto(folder: string, version: string): Promise<void> {
	mkdirSync(cacheFolder(), { recursive: true });
	const draft = mkdtempSync(`${folder}.`);
	try {
		writeFileSync(join(draft, 'package.json'), '{"private":true}\n');
		const wanted = [`@anthropic-ai/claude-code@${version}`, ...(isPlainJavaScript(version) ? ['--omit=optional'] : [])];
		await promisify(execFile)(
			'npm',
			['install', '--save-exact', '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error', ...wanted],
			{ cwd: draft },
		);
		if (!isComplete(draft, version)) {
			throw new Error(
				`npm installed claude-code ${version} without a program for ${process.platform}-${process.arch}.`,
			);
		}
		// A half-deleted copy gives way; a complete one, which another process has put there meanwhile, stays.
		if (!isComplete(folder, version)) rmSync(folder, { recursive: true, force: true });
		try {
			renameSync(draft, folder);
		} catch (error) {
			if (!isComplete(folder, version)) throw error;
		}
	} finally {
		rmSync(draft, { recursive: true, force: true });
	}
}
