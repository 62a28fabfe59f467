import { closeSync, openSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { makeFolder } from '#hooks-bridge/disk/write-files.ts';
import type { Chapter, Part, SessionOutline } from '#lib/contract/archives/replay.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { buildRecording, type RecordingSink } from '#lib/replay/build-recording.ts';
import { bornIn, type CompleteRecording, instantOf, PART_EVENTS } from '#lib/replay/recording.ts';
import { LruMap } from '../../process/lru-map.ts';
import { type Database, openDatabase } from '../../timeline/store/open-database.ts';
import { INDEX_VERSION } from '../../timeline/store/sqlite-index.ts';

/** Most bytes of a folder's recordings; above it those opened longest ago are deleted, and built again when needed. */
const MAX_BYTES = 2 * 1024 ** 3;
const MAX_OPEN = 8;
const MAX_FAILURES = 100;

/** What a recording is built from. */
export interface RecordingSource {
	/** A folder and a name in it, both safe as file names. */
	place: readonly [folder: string, name: string];
	sessionId: string;
	/** Version of the content: under another stamp the recording is rebuilt. */
	stamp: string;
	/** Passes all events in order, and the share read so far (0 to 1). Lets the event loop run. */
	read(add: (event: IndexedEvent) => void, report: (done: number) => void): Promise<void>;
}

/** What is known at once about a recording: the recording, the share that is built, or why that failed. */
export type Peeked = RecordingFile | { done: number } | { failed: unknown };

interface Build {
	stamp: string;
	/** The share read so far, 0 to 1. */
	done: number;
	recording: Promise<RecordingFile>;
}

export type RecordingFiles = ReturnType<typeof createRecordingFiles>;

/** The recordings in the folder `root`, built if missing. All can be built again. */
export function createRecordingFiles(root: string, maxBytes = MAX_BYTES) {
	const open = new LruMap<string, { stamp: string; recording: RecordingFile }>(MAX_OPEN, ({ recording }) =>
		recording.close(),
	);
	const builds = new Map<string, Build>();
	/** Each is reported once; then the build is retried. */
	const failures = new LruMap<string, unknown>(MAX_FAILURES);
	let queue: Promise<unknown> = Promise.resolve();

	function find(name: string, stamp: string): RecordingFile | null {
		const known = open.get(name);
		if (known?.stamp === stamp) return known.recording;
		open.delete(name);
		const path = join(root, name);
		const recording = openRecording(path, stamp);
		if (!recording) return null;
		const now = new Date();
		utimesSync(path, now, now);
		open.set(name, { stamp, recording });
		return recording;
	}

	/** Builds one at a time: each takes time in which hooks are answered. */
	function startBuild(name: string, source: RecordingSource): Build {
		const { stamp } = source;
		const running = builds.get(name);
		if (running?.stamp === stamp) return running;
		const build: Build = {
			stamp,
			done: 0,
			recording: queue.then(async () => {
				await writeFile(name, source, (done) => {
					build.done = done;
				});
				const recording = find(name, stamp);
				if (!recording) throw new Error('the recording cannot be read back');
				return recording;
			}),
		};
		builds.set(name, build);
		const end = () => {
			if (builds.get(name) === build) builds.delete(name);
		};
		queue = build.recording.then(end, (error: unknown) => {
			end();
			failures.set(name, error);
		});
		return build;
	}

	async function writeFile(name: string, { sessionId, stamp, read }: RecordingSource, report: (done: number) => void) {
		makeFolder(dirname(join(root, name)));
		const half = join(root, `${name}.half`);
		const writer = writeRecording(half);
		try {
			const build = buildRecording(sessionId, writer);
			await read(build.add, report);
			writer.finish(stamp, build.end());
		} catch (error) {
			writer.drop();
			throw error;
		}
		renameSync(half, join(root, name));
		removeOldest(name);
	}

	/** Makes room by removing the recordings that were opened longest ago, except the one that was just built. */
	function removeOldest(built: string): void {
		let sum = 0;
		for (const { name, bytes } of listRecordings(root).sort((a, b) => b.openedAt - a.openedAt)) {
			sum += bytes;
			if (name === built || sum <= maxBytes) continue;
			open.delete(name);
			rmSync(join(root, name), { force: true });
		}
	}

	return {
		/** Builds it first if it is missing. Rejects as `read` does. */
		async open(source: RecordingSource): Promise<RecordingFile> {
			const name = nameOf(source);
			return find(name, source.stamp) ?? startBuild(name, source).recording;
		},
		/** Starts to build a missing one. */
		peek(source: RecordingSource): Peeked {
			const name = nameOf(source);
			const recording = find(name, source.stamp);
			if (recording) return recording;
			const failed = failures.get(name);
			failures.delete(name);
			return failed === undefined ? { done: startBuild(name, source).done } : { failed };
		},
		close: () => open.clear(),
	};
}

const nameOf = ({ place: [folder, name] }: RecordingSource) => join(folder, `${name}.reel`);

function listRecordings(root: string) {
	return readdirSync(root, { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.flatMap((folder) => readdirSync(join(root, folder.name)).map((file) => join(folder.name, file)))
		.filter((name) => name.endsWith('.reel'))
		.map((name) => {
			const { size, mtimeMs } = statSync(join(root, name));
			return { name, bytes: size, openedAt: mtimeMs };
		});
}

/** A recording of another format, or of another fold, is built again. */
const FORMAT_VERSION = `1.${INDEX_VERSION}`;

const TABLES = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE parts (place INTEGER PRIMARY KEY, first_at REAL NOT NULL, end_at REAL NOT NULL, body BLOB NOT NULL);
CREATE INDEX parts_by_end ON parts (end_at);
CREATE TABLE rows (born INTEGER NOT NULL, place INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (born, place));
CREATE TABLE chapters (seq INTEGER NOT NULL, at REAL NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL);
CREATE INDEX chapters_by_kind ON chapters (kind, at, seq);
`;

/** Groups of rows that were read back while building: late events are mostly about the same few calls. */
const MAX_RECALLED = 16;
/** Cached parts: a reader moves in small steps. */
const MAX_READ = 4;

const pack = (value: unknown) => gzipSync(JSON.stringify(value), { level: 1 });
const unpack = <T>(body: Buffer): T => JSON.parse(gunzipSync(body).toString('utf8'));
const stampOf = (stamp: string) => `${FORMAT_VERSION} ${stamp}`;

/** Starts the file of a recording; nobody reads it before `finish`, and `drop` removes it. Not synced: it can be rebuilt. */
export function writeRecording(path: string) {
	for (const file of [path, `${path}-journal`]) rmSync(file, { force: true });
	closeSync(openSync(path, 'wx', 0o600));
	const sqlite = openDatabase(path);
	sqlite.pragma('journal_mode = OFF');
	sqlite.pragma('synchronous = OFF');
	sqlite.exec(`${TABLES} BEGIN;`);
	const addPart = sqlite.prepare('INSERT INTO parts VALUES (?, ?, ?, ?)');
	const addRows = sqlite.prepare('INSERT INTO rows VALUES (?, ?, ?)');
	const addChapter = sqlite.prepare('INSERT INTO chapters VALUES (?, ?, ?, ?)');
	const findRows = sqlite.prepare<[number, number], { body: Buffer }>(
		'SELECT body FROM rows WHERE born = ? AND place = ?',
	);
	const addMeta = sqlite.prepare('INSERT INTO meta VALUES (?, ?)');
	const places = new Map<string, { born: number; place: number }>();
	const recalled = new LruMap<string, Map<string, Row>>(MAX_RECALLED);
	const sink: RecordingSink = {
		addPart(part, endAt, rows) {
			const index = part.after / PART_EVENTS;
			const [first] = part.events;
			addPart.run(index, first ? instantOf(first, part.startAt) : endAt, endAt, pack(part));
			const byBirth = new Map<number, Row[]>();
			for (const row of rows) {
				const those = byBirth.get(bornIn(row.seq)) ?? [];
				those.push(row);
				byBirth.set(bornIn(row.seq), those);
			}
			for (const [born, those] of byBirth) {
				addRows.run(born, index, pack(those));
				for (const { key } of those) places.set(key, { born, place: index });
			}
		},
		findRow(key) {
			const at = places.get(key);
			if (!at) return undefined;
			const name = `${at.born} ${at.place}`;
			const body = recalled.get(name) ? undefined : findRows.get(at.born, at.place)?.body;
			const rows = recalled.get(name) ?? new Map(body ? unpack<Row[]>(body).map((row) => [row.key, row]) : []);
			recalled.set(name, rows);
			return rows.get(key);
		},
		addChapter: (chapter) => void addChapter.run(chapter.seq, chapter.at, chapter.kind, JSON.stringify(chapter)),
	};
	return {
		...sink,
		finish(stamp: string, outline: SessionOutline | null) {
			addMeta.run('outline', JSON.stringify(outline));
			addMeta.run('stamp', stampOf(stamp));
			sqlite.exec('COMMIT');
			sqlite.close();
		},
		drop() {
			sqlite.close();
			rmSync(path, { force: true });
		},
	};
}

/** A recording from its file. */
export type RecordingFile = CompleteRecording & { close(): void };

/** Opens a recording; null if there is none that this version built from the source identified by `stamp`. */
export function openRecording(path: string, stamp: string): RecordingFile | null {
	let sqlite: Database | undefined;
	let recording: RecordingFile | null = null;
	try {
		sqlite = openDatabase(path, { readonly: true, fileMustExist: true });
		recording = readRecording(sqlite, stamp);
	} catch {
		// A missing or damaged file is built again.
	}
	if (!recording) sqlite?.close();
	return recording;
}

function readRecording(sqlite: Database, stamp: string): RecordingFile | null {
	const meta = sqlite.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?');
	if (meta.get('stamp')?.value !== stampOf(stamp)) return null;
	const outline: SessionOutline | null = JSON.parse(meta.get('outline')?.value ?? 'null');
	const partBody = sqlite.prepare<[number], { body: Buffer }>('SELECT body FROM parts WHERE place = ?');
	const partStart = sqlite.prepare<[number], { at: number }>('SELECT first_at AS at FROM parts WHERE place = ?');
	const partAfter = sqlite.prepare<[number], { place: number }>(
		'SELECT place FROM parts WHERE end_at > ? ORDER BY end_at, place LIMIT 1',
	);
	const rowsBodies = sqlite.prepare<[number, number], { body: Buffer }>(
		'SELECT body FROM rows WHERE born = ? AND place <= ? ORDER BY place',
	);
	const rowsPlaces = sqlite.prepare<[number], { place: number }>(
		'SELECT place FROM rows WHERE born = ? ORDER BY place',
	);
	type ChapterBody = { body: string };
	const chaptersOn = {
		before: sqlite.prepare<[string, number, number], ChapterBody>(
			'SELECT body FROM chapters WHERE kind = ? AND at <= ? ORDER BY at DESC, seq DESC LIMIT ?',
		),
		after: sqlite.prepare<[string, number, number], ChapterBody>(
			'SELECT body FROM chapters WHERE kind = ? AND at > ? ORDER BY at, seq LIMIT ?',
		),
	};
	const read = new LruMap<number, Part>(MAX_READ);
	const events = outline?.events ?? 0;
	const last = Math.max(0, Math.ceil(events / PART_EVENTS) - 1);
	return {
		outline,
		events,
		part(index) {
			const known = read.get(index);
			if (known) return known;
			const body = partBody.get(index)?.body;
			if (!body) throw new Error(`the recording has no part ${index}`);
			const part = unpack<Part>(body);
			read.set(index, part);
			return part;
		},
		*rowsBorn(born, upTo) {
			for (const { body } of rowsBodies.all(born, upTo)) yield unpack<Row[]>(body);
		},
		partAt: (instant) => partAfter.get(instant)?.place ?? last,
		startOf: (index) => partStart.get(index)?.at ?? null,
		partNumbers: () => Array.from({ length: last + 1 }, (_, index) => index),
		partNumbersOf: (born) => rowsPlaces.all(born).map(({ place: index }) => index),
		chapters(kinds, at, side, limit) {
			const found = kinds.flatMap((kind) => chaptersOn[side].all(kind, at, limit));
			const ascending = found.map(({ body }): Chapter => JSON.parse(body)).sort((a, b) => a.at - b.at || a.seq - b.seq);
			return side === 'before' ? ascending.slice(-limit) : ascending.slice(0, limit);
		},
		close: () => void sqlite.close(),
	};
}
