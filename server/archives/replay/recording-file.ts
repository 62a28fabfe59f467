import { closeSync, openSync, rmSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Chapter, Part, SessionOutline } from '#lib/contract/archives/replay.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { RecordingSink } from '#lib/replay/build-recording.ts';
import type { CompleteRecording } from '#lib/replay/complete-recording.ts';
import { instantOf, PART_EVENTS } from '#lib/replay/fold-part.ts';
import { bornIn } from '#lib/replay/read-recording.ts';
import { LruMap } from '../../process/lru-map.ts';
import { type Database, openDatabase } from '../../timeline/store/open-database.ts';
import { INDEX_VERSION } from '../../timeline/store/sqlite-index.ts';

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
