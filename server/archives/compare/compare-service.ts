import { closeSync, existsSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { listSessions } from '#hooks-bridge/disk/list-sessions.ts';
import { timelinePath } from '#hooks-bridge/disk/overtone-home.ts';
import { type ArchiveOrigin, listArchives, readOrigin } from '#hooks-bridge/features/archive-claim.ts';
import { compareRuns, type Run, type RunHead } from '#lib/compare/compare-runs.ts';
import { recordRun } from '#lib/compare/record-run.ts';
import type { Comparison } from '#lib/contract/archives/compare.ts';
import type { Manifest } from '#lib/contract/archives/features.ts';
import { AppError } from '#lib/contract/errors.ts';
import { isSafeId } from '#lib/ids/safe-id.ts';
import { isJson, type Json, parsedJson } from '#lib/json/json.ts';
import { nearWords } from '#lib/text/near-words.ts';
import { printable } from '#lib/text/printable.ts';
import { fileStamp } from '../../process/file-stamp.ts';
import { LruMap } from '../../process/lru-map.ts';
import { lookAtTimeline, openTimeline } from '../../timeline/tail/timeline-file.ts';
import { readManifest, type SyncPorts } from '../features/archive-sync.ts';
import { archiveEvents, type KeptEvent, sessionEvents } from '../features/kept-events.ts';

/** Folded runs that are kept: a page is looked at again, and one run is compared with several. */
const MAX_KEPT = 8;

/** Lays recorded runs side by side. */
export interface CompareService {
	/** The two by what `findRuns` takes. Rejects with `session/not-found` or `archive/damaged`. */
	compare(a: string, b: string): Promise<Comparison>;
}

type CompareOptions = SyncPorts & {
	/** Ms since the epoch. */
	now: () => number;
	/** In the place of the disk, for tests. */
	readOne?: typeof readRun;
};

/**
 * Builds the service over what a home has recorded. Runs are read one after another, whoever asks: each may hold the ids of
 * a million events meanwhile, and takes its share of the time in which hooks are answered.
 */
export function createCompareService({ readOne = readRun, ...world }: CompareOptions): CompareService {
	const runs = new LruMap<string, { stamp: string; run: Promise<Run> }>(MAX_KEPT);
	let queue: Promise<unknown> = Promise.resolve();

	function read(source: RunSource): Promise<Run> {
		const key = `${source.kind} ${source.id}`;
		const stamp = stampOf(source, world.home);
		const known = runs.get(key);
		if (known?.stamp === stamp) return known.run;
		const run = queue.then(() => readOne(source, world));
		runs.set(key, { stamp, run });
		queue = run.catch(() => runs.delete(key));
		return run;
	}

	return {
		async compare(a, b) {
			const sources = findRuns(a, b, world);
			const [first, second] = await Promise.all([read(sources.a), read(sources.b)]);
			return compareRuns(first, second);
		},
	};
}

function stampOf(source: RunSource, home: string): string {
	if (source.kind === 'session') return fileStamp(timelinePath(home, source.id));
	return source.manifest.sessions.flatMap(({ timelines }) => timelines.map(({ sha256 }) => sha256)).join();
}

/** Stands for the run before the other one: of the same feature, or of the same project and workflow. */
const PREVIOUS = 'previous';
const MOST_NEAR = 5;
const NO_PREVIOUS =
	'Nothing older of the same feature, or of the same project and workflow, is recorded. Name both runs.';
/** Among so many of the sessions that were written to last, the one before is looked for. */
const MOST_HEADS = 500;

interface Archive extends ArchiveOrigin {
	id: string;
}

/** What can be compared in a home. `now` in ms since the epoch. */
interface ComparableRuns {
	home: string;
	now: () => number;
}

/**
 * The two runs that two words mean: an archive by its id or folder, a feature by its name (its latest archive), or a
 * session by its id. Throws `session/not-found`, naming what is near.
 */
function findRuns(a: string, b: string, runs: ComparableRuns): { a: RunSource; b: RunSource } {
	const archives = archivesIn(runs);
	if (a === PREVIOUS && b === PREVIOUS) throw new AppError('session/not-found', 'Name one of the two runs.');
	if (a === PREVIOUS) {
		const later = findRun(b, archives, runs.home);
		return { a: previousOf(later, archives, runs.home), b: later };
	}
	const first = findRun(a, archives, runs.home);
	return { a: first, b: b === PREVIOUS ? previousOf(first, archives, runs.home) : findRun(b, archives, runs.home) };
}

/** The newest first. */
function archivesIn({ home, now }: ComparableRuns): Archive[] {
	return listArchives(home, now())
		.flatMap((id) => {
			const origin = readOrigin(home, id);
			return origin ? [{ ...origin, id }] : [];
		})
		.sort((one, other) => other.archivedAt - one.archivedAt || (one.id < other.id ? 1 : -1));
}

function findRun(word: string, archives: readonly Archive[], home: string): RunSource {
	const archive =
		archives.find(({ id }) => id === word) ??
		archives.find(({ folder }) => folder === word) ??
		archives.find(({ feature }) => feature === word);
	if (archive) return sourceOf(archive, home);
	if (isSafeId(word) && existsSync(timelinePath(home, word))) return { kind: 'session', id: word };
	throw new AppError('session/not-found', unknownWords(word, archives, home));
}

function sourceOf({ id, root }: Archive, home: string): RunSource {
	const manifest = readManifest(home, id);
	if (!manifest) throw new AppError('session/not-found', `The archive ${id} has no manifest that can be read.`);
	return { kind: 'archive', id, project: basename(root), manifest };
}

function unknownWords(word: string, archives: readonly Archive[], home: string): string {
	const said = `Nothing recorded here is called ${JSON.stringify(printable(word))}.`;
	const features = [...new Set(archives.map(({ feature }) => feature))];
	const sessions = listSessions(home);
	const near = nearWords(word, [...features, ...archives.map(({ folder }) => folder), ...sessions]).slice(0, MOST_NEAR);
	if (near.length > 0) return `${said} Near are: ${near.join(', ')}.`;
	const some = [...features.slice(0, MOST_NEAR), ...sessions.slice(0, MOST_NEAR)];
	return some.length === 0
		? `${said} Nothing is recorded yet.`
		: `${said} Name an archive, a feature or a session, such as: ${some.join(', ')}.`;
}

function previousOf(later: RunSource, archives: readonly Archive[], home: string): RunSource {
	const found = later.kind === 'archive' ? previousArchive(later.id, archives, home) : previousSession(later.id, home);
	if (found) return found;
	throw new AppError('session/not-found', NO_PREVIOUS);
}

function previousArchive(id: string, archives: readonly Archive[], home: string): RunSource | undefined {
	const place = archives.findIndex((archive) => archive.id === id);
	const later = archives[place];
	const before = archives
		.slice(place + 1)
		.find(({ feature, root }) => feature === later?.feature && root === later.root);
	return before && sourceOf(before, home);
}

/** The last one begun before it in the same folder, of the same workflow where it has one. */
function previousSession(id: string, home: string): RunSource | undefined {
	const later = sessionHead(home, id);
	if (!later?.cwd) return undefined;
	const fits = (head: SessionHead) => head.cwd === later.cwd && head.workflow === later.workflow && head.at < later.at;
	const before = newestSessions(home)
		.flatMap((sessionId) => sessionHead(home, sessionId) ?? [])
		.filter(fits)
		.sort((one, other) => (one.at < other.at ? 1 : -1))[0];
	return before && { kind: 'session', id: before.sessionId };
}

function newestSessions(home: string): string[] {
	return listSessions(home)
		.map((sessionId) => ({ sessionId, look: lookAtTimeline(join(home, 'sessions'), sessionId) }))
		.flatMap(({ sessionId, look }) => (typeof look === 'string' ? [] : { sessionId, at: look.mtimeMs }))
		.sort((one, other) => other.at - one.at)
		.slice(0, MOST_HEADS)
		.map(({ sessionId }) => sessionId);
}

/** So much of a timeline tells how its session began. */
const HEAD_BYTES = 32 * 1024;

/** How a session began. */
interface SessionHead {
	sessionId: string;
	/** ISO, of its first line. */
	at: string;
	cwd?: string;
	workflow?: string;
}

/** Reads the beginning of a session's timeline; null where there is none. */
function sessionHead(home: string, sessionId: string): SessionHead | null {
	const lines = headLines(home, sessionId);
	const text = (type: string, field: string) => {
		const value = lines.find((line) => line.type === type && typeof line[field] === 'string')?.[field];
		return typeof value === 'string' ? value : undefined;
	};
	const at = lines.find(({ ts }) => typeof ts === 'string')?.ts;
	if (typeof at !== 'string') return null;
	const cwd = text('session:start', 'cwd') ?? text('prompt:submit', 'cwd');
	const workflow = text('workflow:start', 'workflowType');
	return { sessionId, at, ...(cwd !== undefined && { cwd }), ...(workflow !== undefined && { workflow }) };
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

/** A run to be read: an archive with its manifest, or a session by its timeline. */
export type RunSource =
	| { kind: 'archive'; id: string; project: string; manifest: Manifest }
	| { kind: 'session'; id: string };

/** Folds a run as it is on the disk now, piece by piece. Rejects with `archive/damaged` or `session/not-found`. */
export function readRun(source: RunSource, world: SyncPorts): Promise<Run> {
	return source.kind === 'archive' ? readArchive(source, world) : readSession(source.id, world);
}

async function readArchive(source: Extract<RunSource, { kind: 'archive' }>, world: SyncPorts): Promise<Run> {
	const { id, project, manifest } = source;
	const { feature, archivedAt } = manifest;
	const recorder = recordRun(feature);
	for (const session of manifest.sessions)
		await record(archiveEvents(world, { id, archivedAt }, session), recorder.session(session.sessionId));
	const head: RunHead = { kind: 'archive', id, title: feature, feature, project, archivedAt };
	return { head, facts: recorder.facts() };
}

async function readSession(sessionId: string, world: SyncPorts): Promise<Run> {
	const events = sessionEvents(world, sessionId);
	if (!events) throw new AppError('session/not-found');
	const recorder = recordRun();
	await record(events, recorder.session(sessionId));
	const facts = recorder.facts();
	const { title, project } = facts.sessions[0]?.view ?? {};
	const head: RunHead = { kind: 'session', id: sessionId, title: title ?? sessionId, ...(project && { project }) };
	return { head, facts };
}

async function record(events: AsyncIterable<KeptEvent>, { add }: ReturnType<ReturnType<typeof recordRun>['session']>) {
	for await (const { event } of events) if (!add(event)) return;
}
