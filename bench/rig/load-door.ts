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
	/** In ms; of a connection of its own with its opening. */
	p99: number;
}

const PLAIN = ['Content-Type: application/json'];

/**
 * Posts `amount` hook inputs from another process, taking the bodies in turn, over so many connections side by side that
 * are `kept` or, as each hook has its own, opened for each input. `NNNNNNNN` in a body or header becomes the request's number.
 */
export async function loadDoor(options: {
	socketPath: string;
	connections: number;
	kept: boolean;
	amount: number;
	bodies: readonly string[];
	headers?: readonly string[];
}): Promise<LoadResult> {
	const generator = join(import.meta.dirname, 'door-load.mjs');
	const words = [generator, JSON.stringify({ ...options, headers: options.headers ?? PLAIN })];
	const { stdout } = await promisify(execFile)(process.execPath, words);
	return JSON.parse(stdout) as LoadResult;
}
