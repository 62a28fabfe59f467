import { appendFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Observation } from '#lib/contract/sessions/read-model/observation.ts';
import { parsedJson } from '#lib/json/json.ts';
import { readObservation } from '#lib/workflow/observation.ts';
import type { SessionFilesPort } from '../ports/flow-port.ts';
import { readBounded } from './bounded-read.ts';
import { withLock } from './lock.ts';
import { listSessions, sessionFolder } from './overtone-home.ts';
import { systemErrorCode } from './system-error-code.ts';
import { makeFolder, writeStateText } from './write-files.ts';

const OBSERVATIONS = 'observations.jsonl';
/** How many sessions are checked for observations, and how many of them are read. */
const MAX_SESSIONS = 5000;
const MAX_OTHERS = 40;
const MAX_HANDOFFS = 999;
/** Most observations of a session that wait for its lock. */
const MAX_WAITING = 1000;
const RETRY_MS = 100;

type Change = (known: Observation[]) => Observation[] | null;

/** The files of sessions on a real disk. `lockWaitMs` is how long the observations' lock may block the process. */
export function createSessionFiles(home: string, lockWaitMs: number): SessionFilesPort {
	/** Changes made while another process had the lock, by file. */
	const waiting = new Map<string, Change[]>();

	const observe = (path: string, fresh: readonly Change[]): boolean => {
		const changes = [...(waiting.get(path) ?? []), ...fresh];
		const all: Change = (known) => changes.reduce((before, change) => change(before) ?? before, known);
		const { held } = withLock(`${path}.lock`, () => saveObservations(path, all), lockWaitMs);
		waiting.delete(path);
		if (!held) {
			waiting.set(path, changes.slice(-MAX_WAITING));
			setTimeout(() => retry(path), RETRY_MS).unref();
		}
		return held;
	};
	const retry = (path: string): void => {
		try {
			if (waiting.has(path)) observe(path, []);
		} catch {
			// The session is deleted or the disk full: the observations are dropped.
			waiting.delete(path);
		}
	};
	const handoffs = (sessionId: string): string => join(sessionFolder(home, sessionId), 'handoffs');
	const prepare = (sessionId: string): void => {
		makeFolder(handoffs(sessionId));
	};
	return {
		prepare,
		handoffs,
		writeHandoff: (sessionId, name, text) => {
			prepare(sessionId);
			for (let number = 1; number < MAX_HANDOFFS; number += 1) {
				const path = `handoffs/${name}${number === 1 ? '' : `-${number}`}.md`;
				if (writeNew(join(sessionFolder(home, sessionId), path), text)) return path;
			}
			throw new Error('this session has too many handoffs of one name');
		},
		habits: (sessionId) => readObservations(join(sessionFolder(home, sessionId), OBSERVATIONS)).known,
		othersHabits: (sessionId) =>
			newestOthers(home, sessionId).flatMap((path) => {
				const { known } = readObservations(path);
				return known.reverse();
			}),
		observe: (sessionId, change) => observe(join(sessionFolder(home, sessionId), OBSERVATIONS), [change]),
	};
}

function writeNew(path: string, text: string): boolean {
	try {
		writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
		return true;
	} catch (error) {
		if (systemErrorCode(error) === 'EEXIST') return false;
		// An agent would take half of a handoff for the whole.
		rmSync(path, { force: true });
		throw error;
	}
}

/** The observations of the sessions that wrote some last, newest first; those of other sessions are not read. */
function newestOthers(home: string, sessionId: string): string[] {
	return listSessions(home)
		.slice(0, MAX_SESSIONS)
		.flatMap((id) => {
			const path = join(sessionFolder(home, id), OBSERVATIONS);
			const stat = id === sessionId ? undefined : statSync(path, { throwIfNoEntry: false });
			return stat?.isFile() ? [{ path, at: stat.mtimeMs }] : [];
		})
		.sort((a, b) => b.at - a.at)
		.slice(0, MAX_OTHERS)
		.map(({ path }) => path);
}

/** Of lines with the same id the last counts. */
function readObservations(path: string): { lines: number; known: Observation[] } {
	const read = readBounded(path);
	const lines = read.ok ? read.text.split('\n').filter((line) => line !== '') : [];
	const byId = new Map<string, Observation>();
	for (const line of lines) {
		const one = readObservation(parsedJson(line));
		if (one) byId.set(one.id, one);
	}
	return { lines: lines.length, known: [...byId.values()] };
}

/** Appends the changes; rewrites the file if it has more than twice as many lines as observations. */
function saveObservations(path: string, change: Change): void {
	const { lines, known } = readObservations(path);
	const after = change(known);
	if (!after || after === known) return;
	const fresh = after.filter((one) => !known.includes(one)).map((one) => JSON.stringify(one));
	const shrunk = known.some((one) => !after.some((kept) => kept.id === one.id));
	if (shrunk || lines + fresh.length > 2 * after.length) {
		writeStateText(path, after.map((one) => `${JSON.stringify(one)}\n`).join(''));
	} else if (fresh.length > 0) appendFileSync(path, `${fresh.join('\n')}\n`, { mode: 0o600 });
}
