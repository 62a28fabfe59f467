import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { parsedObject } from '#lib/json/json.ts';
import { listSessions, sessionFolder, timelinePath } from '../disk/overtone-home.ts';
import { readState } from '../disk/write-files.ts';

const CHUNK_BYTES = 1024 * 1024;
/** Lines of ours have at most 64 KiB; a longer one is not about a feature. */
const MAX_LINE_BYTES = 128 * 1024;
/** The clock may have been set back a little; a feature's sessions are no older than the feature. */
const SLACK_MS = 24 * 60 * 60 * 1000;
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Which sessions to look for. */
export interface SessionSearch {
	home: string;
	root: string;
	feature: string;
	/** Milliseconds; sessions untouched since then are skipped. NaN for no limit. */
	since: number;
}

/**
 * The sessions that worked on a feature, by workflow.json or by `specs:init` and `workflow:start` events, in this project alone.
 * Reads every timeline since `since` once; never throws.
 */
export function sessionsOfFeature(search: SessionSearch): string[] {
	const steps = searchSessions(search);
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
	}
}

/** As `sessionsOfFeature`, in steps of about a MiB each, so that a server can do other things in between. */
export function* searchSessions(search: SessionSearch): Generator<undefined, string[]> {
	const found: string[] = [];
	for (const sessionId of listSessions(search.home)) {
		try {
			if (yield* isOfFeature(sessionId, search)) found.push(sessionId);
		} catch {
			// An unreadable timeline cannot name a feature.
		}
	}
	return found;
}

function* isOfFeature(sessionId: string, search: SessionSearch): Generator<undefined, boolean> {
	const { home, root, feature, since } = search;
	const stat = statSync(timelinePath(home, sessionId), { throwIfNoEntry: false });
	const named = workflowNames(home, sessionId, feature);
	if (!stat) return named;
	if (!named && stat.mtimeMs < since - SLACK_MS) return false;
	const bound = yield* boundFeatures(timelinePath(home, sessionId));
	const isNamed = named || bound.names.has(feature);
	return isNamed && (bound.folders.length === 0 || bound.folders.some((folder) => isBelow(folder, root)));
}

function workflowNames(home: string, sessionId: string, feature: string): boolean {
	const state = readState(join(sessionFolder(home, sessionId), 'workflow.json'));
	return typeof state === 'object' && state !== null && 'featureName' in state && state.featureName === feature;
}

function isBelow(folder: string, root: string): boolean {
	return isAbsolute(folder) && `${resolve(folder)}${sep}`.startsWith(`${resolve(root)}${sep}`);
}

/**
 * The features that a timeline names, and the working folders of the session's starts, in steps of about a MiB. Throws if
 * unreadable.
 */
export function* boundFeatures(path: string): Generator<undefined, { names: Set<string>; folders: string[] }> {
	const found = { names: new Set<string>(), folders: [] as string[] };
	for (const lines of linesWith(path, ['"featureName"', '"session:start"'])) {
		for (const line of lines) {
			const event = parsedObject(line) ?? {};
			if (event.type === 'session:start' && typeof event.cwd === 'string') found.folders.push(event.cwd);
			const binds = event.type === 'specs:init' || event.type === 'workflow:start';
			if (binds && typeof event.featureName === 'string') found.names.add(event.featureName);
		}
		yield;
	}
	return found;
}

/** The lines of each chunk that contain one of the words: most contain none, so only those become text. */
function* linesWith(path: string, words: readonly string[]): Generator<string[]> {
	const fd = openSync(path, FLAGS);
	try {
		if (!fstatSync(fd).isFile()) return;
		const buffer = Buffer.allocUnsafe(CHUNK_BYTES + MAX_LINE_BYTES);
		let kept = 0;
		for (;;) {
			const read = readSync(fd, buffer, kept, CHUNK_BYTES, null);
			const bytes = buffer.subarray(0, kept + read);
			const end = read === 0 ? bytes.length : bytes.lastIndexOf(10) + 1;
			yield hitsIn(bytes.subarray(0, end), words);
			if (read === 0) return;
			const rest = bytes.subarray(end);
			kept = rest.length > MAX_LINE_BYTES ? 0 : rest.copy(buffer, 0);
		}
	} finally {
		closeSync(fd);
	}
}

function hitsIn(bytes: Buffer, words: readonly string[]): string[] {
	const starts = new Set<number>();
	for (const word of words) {
		for (let at = bytes.indexOf(word); at !== -1; at = bytes.indexOf(word, at + word.length)) {
			starts.add(bytes.lastIndexOf(10, at) + 1);
		}
	}
	return [...starts]
		.sort((a, b) => a - b)
		.map((start) => {
			const end = bytes.indexOf(10, start);
			return bytes.toString('utf8', start, end === -1 ? bytes.length : end);
		});
}
