import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Terminal } from './command.ts';

/** The folder of all state, absolute (DESIGN 4). */
export function homeOf({ env, cwd }: Pick<Terminal, 'env' | 'cwd'>): string {
	return resolve(cwd, env.OVERTONE_HOME || join(env.HOME || homedir(), '.overtone'));
}

/** The agent client's own folder, absolute. */
export function clientConfigOf({ env, cwd }: Pick<Terminal, 'env' | 'cwd'>): string {
	return resolve(cwd, env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), '.claude'));
}

/** The address that the running server has announced, or undefined. It may have died since: ask before relying on it. */
function announcedUrl(home: string): string | undefined {
	try {
		const found: unknown = JSON.parse(readFileSync(join(home, 'server.lock.json'), 'utf8'));
		return typeof found === 'object' && found !== null && 'url' in found ? String(found.url) : undefined;
	} catch {
		return undefined;
	}
}

/** Where the home's server can be reached on loopback: `127.0.0.1` needs no name to be resolved. */
function loopback(url: string): string {
	const { port } = new URL(url);
	return `http://127.0.0.1:${port || 80}`;
}

/** The address of the home's server if it answers, else undefined. */
export async function findServer(home: string): Promise<string | undefined> {
	const url = announcedUrl(home);
	if (url === undefined) return undefined;
	try {
		const answer = await fetch(`${loopback(url)}/health`, { signal: AbortSignal.timeout(3000) });
		return answer.ok ? url : undefined;
	} catch {
		return undefined;
	}
}
