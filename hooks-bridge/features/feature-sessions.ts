import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { HOME_SESSION, isSafeId } from '#lib/ids/safe-id.ts';
import { sessionFolder, timelinePath } from '../overtone-home.ts';
import { readState } from '../state-file.ts';

const CHUNK_BYTES = 1024 * 1024;
/** A line of ours is at most 64 KiB; a longer one is not about a feature. */
const MAX_LINE_BYTES = 128 * 1024;
/** A clock may be set back a little; a feature's sessions are no older than the feature. */
const SLACK_MS = 24 * 60 * 60 * 1000;
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * The sessions that worked on a feature of a project: workflow.json names it, or a `specs:init` or `workflow:start`
 * event does; a session that is known to belong to another project does not count. Sessions untouched since `since`
 * (ms; NaN for no limit) are passed over. Reads every other timeline once, in chunks; never throws.
 */
export function sessionsOfFeature(home: string, projectRoot: string, feature: string, since: number): string[] {
	return sessionIds(home).filter((sessionId) => {
		try {
			return isOfFeature(home, sessionId, projectRoot, feature, since);
		} catch {
			return false;
		}
	});
}

function sessionIds(home: string): string[] {
	try {
		return readdirSync(join(home, 'sessions')).filter((name) => isSafeId(name) && name !== HOME_SESSION);
	} catch {
		return [];
	}
}

function isOfFeature(home: string, sessionId: string, root: string, feature: string, since: number): boolean {
	const stat = statSync(timelinePath(home, sessionId), { throwIfNoEntry: false });
	const named = workflowNames(home, sessionId, feature);
	if (!stat) return named;
	if (!named && stat.mtimeMs < since - SLACK_MS) return false;
	const told = scanTimeline(timelinePath(home, sessionId), feature);
	return (named || told.named) && (told.places.length === 0 || told.places.some((place) => isInside(place, root)));
}

function workflowNames(home: string, sessionId: string, feature: string): boolean {
	const state = readState(join(sessionFolder(home, sessionId), 'workflow.json'));
	return typeof state === 'object' && state !== null && 'featureName' in state && state.featureName === feature;
}

function isInside(place: string, root: string): boolean {
	return isAbsolute(place) && `${resolve(place)}${sep}`.startsWith(`${resolve(root)}${sep}`);
}

/** Whether a line names the feature, and the working directories that the session started in. */
function scanTimeline(path: string, feature: string): { named: boolean; places: string[] } {
	const found = { named: false, places: [] as string[] };
	for (const line of linesWith(path, ['"featureName"', '"session:start"'])) {
		const event = parse(line);
		if (event.type === 'session:start' && typeof event.cwd === 'string') found.places.push(event.cwd);
		if (event.type !== 'specs:init' && event.type !== 'workflow:start') continue;
		if (event.featureName === feature) found.named = true;
	}
	return found;
}

function parse(line: string): Record<string, unknown> {
	try {
		const value: unknown = JSON.parse(line);
		return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
	} catch {
		return {};
	}
}

/** The lines that hold one of some words. Most hold none, so only those are made into text. */
function* linesWith(path: string, words: readonly string[]): Generator<string> {
	const fd = openSync(path, FLAGS);
	try {
		if (!fstatSync(fd).isFile()) return;
		const buffer = Buffer.allocUnsafe(CHUNK_BYTES + MAX_LINE_BYTES);
		let kept = 0;
		for (;;) {
			const read = readSync(fd, buffer, kept, CHUNK_BYTES, null);
			const bytes = buffer.subarray(0, kept + read);
			const end = read === 0 ? bytes.length : bytes.lastIndexOf(10) + 1;
			yield* hitsIn(bytes.subarray(0, end), words);
			if (read === 0) return;
			const rest = bytes.subarray(end);
			kept = rest.length > MAX_LINE_BYTES ? 0 : rest.copy(buffer, 0);
		}
	} finally {
		closeSync(fd);
	}
}

function* hitsIn(bytes: Buffer, words: readonly string[]): Generator<string> {
	const starts = new Set<number>();
	for (const word of words) {
		for (let at = bytes.indexOf(word); at !== -1; at = bytes.indexOf(word, at + word.length)) {
			starts.add(bytes.lastIndexOf(10, at) + 1);
		}
	}
	for (const start of [...starts].sort((a, b) => a - b)) {
		const end = bytes.indexOf(10, start);
		yield bytes.toString('utf8', start, end === -1 ? bytes.length : end);
	}
}
