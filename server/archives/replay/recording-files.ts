import { closeSync, openSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { makeFolder } from '#hooks-bridge/disk/make-folder.ts';
import type { Chapter, Part, SessionOutline } from '#lib/contract/archives/replay.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { buildRecording, type RecordingSink } from '#lib/replay/build-recording.ts';
import { bornIn, type CompleteRecording, instantOf, PART_EVENTS } from '#lib/replay/recording.ts';
import { LruMap } from '../../process/lru-map.ts';
import { type Database, openDatabase } from '../../timeline/store/open-database.ts';
import { INDEX_VERSION } from '../../timeline/store/sqlite-index.ts';

/** Most bytes that the recordings of one folder may take; beyond it those opened longest ago are deleted and built again when asked for. */
const MAX_BYTES = 2 * 1024 ** 3;
/** Files that are open at once. */
const MAX_OPEN = 8;
const MAX_FAILURES = 100;

/** What a recording is wound from. */
export interface RecordingSource {
	/** Where its file is: a folder and a name in it, both safe to be one. */
	place: readonly [folder: string, name: string];
	/** How the session is called in the recording. */
	sessionId: string;
	/** Names what it is wound from: under another one the recording is wound anew. */
	stamp: string;
	/** Gives all events in their order, and tells the share that has been read, 0 to 1. Others get their turn. */
	read(add: (event: IndexedEvent) => void, tell: (done: number) => void): Promise<void>;
}

/** What is known at once of a recording: the recording, how far it is wound, or why that failed. */
export type Peeked = RecordingFile | { done: number } | { failed: unknown };

/** Recording in a folder, made where they are missing; nothing is lost with them. */
export interface RecordingFiles {
	/** Winds it first where there is none. Rejects with what `read` rejects with. */
	open(source: RecordingSource): Promise<RecordingFile>;
	/** What is known at once; what is not there yet begins to be wound. */
	peek(source: RecordingSource): Peeked;
	/** Lets go of all files. */
	close(): void;
}

interface Winding {
	stamp: string;
	/** The share that has been read, 0 to 1. */
	done: number;
	recording: Promise<RecordingFile>;
}

/** The recordings in the folder `root`, which is made with the first one. */
export function createRecordingFiles(root: string, maxBytes = MAX_BYTES): RecordingFiles {
	const open = new LruMap<string, { stamp: string; recording: RecordingFile }>(MAX_OPEN, ({ recording }) =>
		recording.close(),
	);
	const windings = new Map<string, Winding>();
	/** Called once to whoever looks next; then it is tried again. */
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

	/** One at a time: each takes its share of the time in which hooks are answered. */
	function begin(name: string, source: RecordingSource): Winding {
		const { stamp } = source;
		const running = windings.get(name);
		if (running?.stamp === stamp) return running;
		const winding: Winding = {
			stamp,
			done: 0,
			recording: queue.then(async () => {
				await wind(name, source, (done) => {
					winding.done = done;
				});
				const recording = find(name, stamp);
				if (!recording) throw new Error('the recording cannot be read back');
				return recording;
			}),
		};
		windings.set(name, winding);
		const end = () => {
			if (windings.get(name) === winding) windings.delete(name);
		};
		queue = winding.recording.then(end, (error: unknown) => {
			end();
			failures.set(name, error);
		});
		return winding;
	}

	async function wind(name: string, { sessionId, stamp, read }: RecordingSource, tell: (done: number) => void) {
		makeFolder(dirname(join(root, name)));
		const half = join(root, `${name}.half`);
		const writer = writeRecording(half);
		try {
			const winding = buildRecording(sessionId, writer);
			await read(winding.add, tell);
			writer.finish(stamp, winding.end());
		} catch (error) {
			writer.drop();
			throw error;
		}
		renameSync(half, join(root, name));
		makeRoom(name);
	}

	/** Removes the recordings that were opened longest ago, never the one that has just been made. A half one is none. */
	function makeRoom(made: string): void {
		const files = listRecordings(root).sort((a, b) => b.openedAt - a.openedAt);
		let sum = 0;
		for (const { name, bytes } of files) {
			sum += bytes;
			if (name === made || sum <= maxBytes) continue;
			open.delete(name);
			rmSync(join(root, name), { force: true });
		}
	}

	return {
		async open(source) {
			const name = nameOf(source);
			return find(name, source.stamp) ?? begin(name, source).recording;
		},
		peek(source) {
			const name = nameOf(source);
			const recording = find(name, source.stamp);
			if (recording) return recording;
			const failed = failures.get(name);
			failures.delete(name);
			return failed === undefined ? { done: begin(name, source).done } : { failed };
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

/** A recording of another form, or of another fold, is wound anew. */
const REEL_VERSION = `1.${INDEX_VERSION}`;

const TABLES = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE parts (place INTEGER PRIMARY KEY, first_at REAL NOT NULL, end_at REAL NOT NULL, body BLOB NOT NULL);
CREATE INDEX parts_by_end ON parts (end_at);
CREATE TABLE rows (born INTEGER NOT NULL, place INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (born, place));
CREATE TABLE chapters (seq INTEGER NOT NULL, at REAL NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL);
CREATE INDEX chapters_by_kind ON chapters (kind, at, seq);
`;

/** Rows that were read back while winding: late news are mostly about the same few calls. */
const MAX_RECALLED = 16;
/** Parts read last: a reader moves in small steps. */
const MAX_READ = 4;

const pack = (value: unknown) => gzipSync(JSON.stringify(value), { level: 1 });
const unpack = <T>(body: Buffer): T => JSON.parse(gunzipSync(body).toString('utf8'));

/** A recording that is being written; nobody reads the file before `finish`, and `drop` leaves none. */
export interface RecordingWriter extends RecordingSink {
	/** `stamp` names what the recording was wound from. */
	finish(stamp: string, outline: SessionOutline | null): void;
	drop(): void;
}

/** Begins a file for a recording at a path where none is. It can be made again, so nothing waits for the disk. */
export function writeRecording(path: string): RecordingWriter {
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
	return {
		addPart(part, endAt, rows) {
			const place = part.after / PART_EVENTS;
			const [first] = part.events;
			addPart.run(place, first ? instantOf(first, part.startAt) : endAt, endAt, pack(part));
			const byBirth = new Map<number, Row[]>();
			for (const row of rows) {
				const born = bornIn(row.seq);
				const those = byBirth.get(born);
				if (those) those.push(row);
				else byBirth.set(born, [row]);
			}
			for (const [born, those] of byBirth) {
				addRows.run(born, place, pack(those));
				const at = { born, place };
				for (const { key } of those) places.set(key, at);
			}
		},
		findRow(key) {
			const at = places.get(key);
			if (!at) return undefined;
			const name = `${at.born} ${at.place}`;
			const known = recalled.get(name);
			if (known) return known.get(key);
			const body = findRows.get(at.born, at.place)?.body;
			const rows = new Map(body ? unpack<Row[]>(body).map((row) => [row.key, row]) : []);
			recalled.set(name, rows);
			return rows.get(key);
		},
		addChapter(chapter) {
			addChapter.run(chapter.seq, chapter.at, chapter.kind, JSON.stringify(chapter));
		},
		finish(stamp, outline) {
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

const stampOf = (stamp: string) => `${REEL_VERSION} ${stamp}`;

/** A recording from its file. */
export interface RecordingFile extends CompleteRecording {
	close(): void;
}

/** Opens a recording; null where there is none that was wound from what `stamp` names, whole, by this version. */
export function openRecording(path: string, stamp: string): RecordingFile | null {
	let sqlite: Database;
	try {
		sqlite = openDatabase(path, { readonly: true, fileMustExist: true });
	} catch {
		return null;
	}
	try {
		return readRecording(sqlite, stamp);
	} catch {
		// Half a file, or none of ours: it is made anew.
		sqlite.close();
		return null;
	}
}

function readRecording(sqlite: Database, stamp: string): RecordingFile | null {
	const meta = sqlite.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?');
	if (meta.get('stamp')?.value !== stampOf(stamp)) {
		sqlite.close();
		return null;
	}
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
	const read = new LruMap<number, Part>(MAX_READ);
	const events = outline?.events ?? 0;
	const last = Math.max(0, Math.ceil(events / PART_EVENTS) - 1);
	return {
		outline,
		events,
		part(place) {
			const known = read.get(place);
			if (known) return known;
			const body = partBody.get(place)?.body;
			if (!body) throw new Error(`the recording has no part ${place}`);
			const part = unpack<Part>(body);
			read.set(place, part);
			return part;
		},
		*rowsBorn(born, upTo) {
			for (const { body } of rowsBodies.all(born, upTo)) yield unpack<Row[]>(body);
		},
		partAt: (instant) => partAfter.get(instant)?.place ?? last,
		startOf: (place) => partStart.get(place)?.at ?? null,
		places: () => Array.from({ length: last + 1 }, (_, place) => place),
		placesOf: (born) => rowsPlaces.all(born).map(({ place }) => place),
		chapters(kinds, at, side, limit) {
			const found = kinds.flatMap((kind) =>
				sqlite
					.prepare<[string, number, number], { body: string }>(
						side === 'before'
							? 'SELECT body FROM chapters WHERE kind = ? AND at <= ? ORDER BY at DESC, seq DESC LIMIT ?'
							: 'SELECT body FROM chapters WHERE kind = ? AND at > ? ORDER BY at, seq LIMIT ?',
					)
					.all(kind, at, limit)
					.map(({ body }): Chapter => JSON.parse(body)),
			);
			const ascending = found.sort((a, b) => a.at - b.at || a.seq - b.seq);
			return side === 'before' ? ascending.slice(-limit) : ascending.slice(0, limit);
		},
		close: () => void sqlite.close(),
	};
}
