import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What a load did. */
export interface LoadResult {
	/** Answered with 200. */
	accepted: number;
	/** Answered otherwise, or not at all. */
	refused: number;
	/** Accepted requests a second. */
	rate: number;
	/** In whole ms: autocannon counts no finer. */
	p99: number;
}

/** Posts `amount` hook inputs from another process over keep-alive connections, taking the bodies in turn. */
export async function loadDoor(options: {
	socketPath: string;
	connections: number;
	amount: number;
	bodies: readonly string[];
}): Promise<LoadResult> {
	const generator = join(import.meta.dirname, 'door-load.mjs');
	const { stdout } = await promisify(execFile)(process.execPath, [generator, JSON.stringify(options)]);
	return JSON.parse(stdout) as LoadResult;
}
