import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { parsedJson } from '#lib/json/json.ts';
import { readBounded } from './bounded-read.ts';
import { makeFolder, writeThenRename } from './write-files.ts';

/** The JSON value of a state file; null if it is missing or not JSON: then the state comes from the events. */
export function readState(path: string): unknown {
	const read = readBounded(path);
	return read.ok ? (parsedJson(read.text) ?? null) : null;
}

/** Replaces a state file as a whole: a reader sees the old or the new content. 0600, its folder 0700. */
export function writeState(path: string, value: unknown): void {
	writeStateText(path, stateText(value));
}

/** The text of a state file. */
export function stateText(value: unknown): string {
	return `${JSON.stringify(value, null, '\t')}\n`;
}

/** Replaces a file as a whole, as `writeState` does. */
export function writeStateText(path: string, text: string): void {
	makeFolder(dirname(path));
	writeThenRename(`${path}.${randomUUID()}`, path, text, 0o600);
}
