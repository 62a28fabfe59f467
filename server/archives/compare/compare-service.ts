import { closeSync, existsSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { listSessions, timelinePath } from '#hooks-bridge/disk/overtone-home.ts';
import { type ArchiveOrigin, listArchives, readOrigin } from '#hooks-bridge/features/archive-claim.ts';
import { compareRuns, type Run } from '#lib/compare/compare-runs.ts';
import { recordRun } from '#lib/compare/record-run.ts';
import type { Comparison } from '#lib/contract/archives/compare.ts';
import type { Manifest } from '#lib/contract/archives/features.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { isSafeId } from '#lib/ids/safe-id.ts';
import { isJson, type Json, parsedJson } from '#lib/json/json.ts';
import { nearWords } from '#lib/text/near-words.ts';
import { printable } from '#lib/text/printable.ts';
import { fileStamp } from '../../process/file-stamp.ts';
import { LruMap } from '../../process/lru-map.ts';
import { openTimeline, statTimeline } from '../../timeline/tail/timeline-file.ts';
import { readManifest, type SyncPorts } from '../features/archive-sync.ts';
import { type ArchivedEvent, archiveEvents, sessionEvents } from '../features/archived-events.ts';

/** Cached runs: one run is often compared with several. */
const MAX_KEPT = 8;

export type CompareService = ReturnType<typeof createCompareService>;

type CompareOptions = SyncPorts & {
	/** Ms since the epoch. */
	now: () => number;
	/** Replaces the disk in tests. */
	readOne?: typeof readRun;
};

/** Compares recorded runs. They are read one after another: each takes memory, and time in which hooks must be answered. */
export function createCompareService({ readOne = readRun, ...ports }: CompareOptions) {
	const runs = new LruMap<string, { stamp: string; run: Promise<Run> }>(MAX_KEPT);
	let queue: Promise<unknown> = Promise.resolve();

	function read(source: RunSource): Promise<Run> {
		const key = `${source.kind} ${source.id}`;
		const stamp = stampOf(source, ports.home);
		const known = runs.get(key);
		if (known?.stamp === stamp) return known.run;
		const run = queue.then(() => readOne(source, ports));
		runs.set(key, { stamp, run });
		queue = run.catch(() => runs.delete(key));
		return run;
	}

	return {
		/** Rejects with `session/not-found` or `archive/damaged`. */
		async compare(a: string, b: string): Promise<Comparison> {
			const sources = findRuns(a, b, ports);
			const [first, second] = await Promise.all([read(sources.a), read(sources.b)]);
			return compareRuns(first, second);
		},
	};
}

function stampOf(source: RunSource, home: string): string {
	if (source.kind === 'session') return fileStamp(timelinePath(home, source.id));
	return source.manifest.sessions.flatMap(({ timelines }) => timelines.map(({ sha256 }) => sha256)).join();
}

/** The word for the previous run: of the same feature, or of the same project and workflow. */
const PREVIOUS = 'previous';
const MAX_NEAR = 5;
const NO_PREVIOUS =
	'Nothing older of the same feature, or of the same project and workflow, is recorded. Name both runs.';
/** How many of the sessions that were written last are searched for the previous one. */
const MAX_HEADS = 500;

type Archive = ArchiveOrigin & { id: string };

/**
 * The runs that two words name: an archive by id or folder, a feature (its latest archive), or a session. Throws
 * `session/not-found`, naming similar ones.
 */
function findRuns(a: string, b: string, { home, now }: { home: string; now: () => number }) {
	const archives = listArchives(home, now())
		.flatMap((id): Archive[] => {
			const origin = readOrigin(home, id);
			return origin ? [{ ...origin, id }] : [];
		})
		.sort((one, other) => other.archivedAt - one.archivedAt || (one.id < other.id ? 1 : -1));

	function findRun(word: string): RunSource {
		const archive =
			archives.find(({ id }) => id === word) ??
			archives.find(({ folder }) => folder === word) ??
			archives.find(({ feature }) => feature === word);
		if (archive) return sourceOf(archive);
		if (isSafeId(word) && existsSync(timelinePath(home, word))) return { kind: 'session', id: word };
		throw new AppError('session/not-found', nearbyRuns(word, archives, home));
	}

	function sourceOf({ id, root }: Archive): RunSource {
		const manifest = readManifest(home, id);
		if (!manifest) throw new AppError('session/not-found', `The archive ${id} has no manifest that can be read.`);
		return { kind: 'archive', id, project: basename(root), manifest };
	}

	function previousOf({ kind, id }: RunSource): RunSource {
		if (kind === 'session') {
			const before = previousSession(id, home);
			if (before !== undefined) return { kind, id: before };
		} else {
			const index = archives.findIndex((archive) => archive.id === id);
			const later = archives[index];
			const isSame = ({ feature, root }: Archive) => feature === later?.feature && root === later.root;
			const before = archives.slice(index + 1).find(isSame);
			if (before) return sourceOf(before);
		}
		throw new AppError('session/not-found', NO_PREVIOUS);
	}

	if (a === PREVIOUS && b === PREVIOUS) throw new AppError('session/not-found', 'Name one of the two runs.');
	const first = a === PREVIOUS ? undefined : findRun(a);
	const second = b === PREVIOUS && first ? previousOf(first) : findRun(b);
	return { a: first ?? previousOf(second), b: second };
}

function nearbyRuns(word: string, archives: readonly Archive[], home: string): string {
	const unknown = `Nothing recorded here is called ${JSON.stringify(printable(word))}.`;
	const features = [...new Set(archives.map(({ feature }) => feature))];
	const sessions = listSessions(home);
	const near = nearWords(word, [...features, ...archives.map(({ folder }) => folder), ...sessions]).slice(0, MAX_NEAR);
	if (near.length > 0) return `${unknown} Near are: ${near.join(', ')}.`;
	const some = [...features.slice(0, MAX_NEAR), ...sessions.slice(0, MAX_NEAR)];
	return some.length === 0
		? `${unknown} Nothing is recorded yet.`
		: `${unknown} Name an archive, a feature or a session, such as: ${some.join(', ')}.`;
}

/** The last session that began before this one in the same folder, with the same workflow. */
function previousSession(id: string, home: string): string | undefined {
	const later = sessionHead(home, id);
	if (!later?.cwd) return undefined;
	const newest = listSessions(home)
		.map((sessionId) => ({ sessionId, look: statTimeline(join(home, 'sessions'), sessionId) }))
		.flatMap(({ sessionId, look }) => (typeof look === 'string' ? [] : { sessionId, at: look.mtimeMs }))
		.sort((one, other) => other.at - one.at)
		.slice(0, MAX_HEADS);
	return newest
		.flatMap(({ sessionId }) => sessionHead(home, sessionId) ?? [])
		.filter(({ cwd, workflow, at }) => cwd === later.cwd && workflow === later.workflow && at < later.at)
		.sort((one, other) => (one.at < other.at ? 1 : -1))[0]?.sessionId;
}

/** How much of a timeline is read to find how its session began. */
const HEAD_BYTES = 32 * 1024;

/** How a session began; `at` is the time of its first line. Null without a readable timeline. */
function sessionHead(home: string, sessionId: string) {
	const lines = headLines(home, sessionId);
	const text = (type: string, field: string) => {
		const value = lines.find((line) => line.type === type && typeof line[field] === 'string')?.[field];
		return typeof value === 'string' ? value : undefined;
	};
	const at = lines.find(({ ts }) => typeof ts === 'string')?.ts;
	if (typeof at !== 'string') return null;
	const cwd = text('session:start', 'cwd') ?? text('prompt:submit', 'cwd');
	return { sessionId, at, cwd, workflow: text('workflow:start', 'workflowType') };
}

function headLines(home: string, sessionId: string): Json[] {
	const file = openTimeline(join(home, 'sessions'), sessionId);
	if (typeof file === 'string') return [];
	try {
		const bytes = Buffer.alloc(HEAD_BYTES);
		const count = readSync(file.fd, bytes, 0, HEAD_BYTES, 0);
		return bytes.toString('utf8', 0, count).split('\n').map(parsedJson).filter(isJson);
	} finally {
		closeSync(file.fd);
	}
}

export type RunSource =
	| { kind: 'archive'; id: string; project: string; manifest: Manifest }
	| { kind: 'session'; id: string };

/** Folds a run from the disk, piece by piece. Rejects with `archive/damaged` or `session/not-found`. */
export async function readRun(source: RunSource, ports: SyncPorts): Promise<Run> {
	const { kind, id } = source;
	if (kind === 'session') {
		const events = sessionEvents(ports, id);
		if (!events) throw new AppError('session/not-found');
		const recorder = recordRun();
		await addEvents(events, recorder.session(id));
		const facts = recorder.facts();
		const { title, project } = facts.sessions[0]?.view ?? {};
		return { head: { kind, id, title: title ?? id, ...(project && { project }) }, facts };
	}
	const { project, manifest } = source;
	const { feature, archivedAt } = manifest;
	const recorder = recordRun(feature);
	for (const session of manifest.sessions)
		await addEvents(archiveEvents(ports, { id, archivedAt }, session), recorder.session(session.sessionId));
	return { head: { kind, id, title: feature, feature, project, archivedAt }, facts: recorder.facts() };
}

async function addEvents(events: AsyncIterable<ArchivedEvent>, recorder: { add: (event: IndexedEvent) => boolean }) {
	for await (const { event } of events) if (!recorder.add(event)) return;
}
