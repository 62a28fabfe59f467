import { hash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { foldAgain } from '#lib/ingest/fold-lines.ts';
import { emptyView } from '#lib/session/fold.ts';
import { type HubDatabase, literal, type Query } from '../database/database.ts';
import { type ArchiveManifest, type Archives, archiveName, objectsOf, type Piece, packIds } from './archives.ts';
import { FOLD, loadStored } from './load-session.ts';
import type { ObjectStore } from './object-store.ts';
import { SESSION_COLUMNS, type SessionRow, storedSession } from './session-row.ts';

const PAGE = 500;

export interface PackParts {
	database: HubDatabase;
	store: ObjectStore;
	archives: Archives;
	folder: string;
	fold?: number;
	now: () => number;
	reached?: (step: PackStep) => Promise<void> | void;
}

export type PackStep = 'written' | 'events put' | 'rows put' | 'manifest put' | 'read back' | 'marked';

type PackedLine = SessionRow & { team: number; project: string | null; roll: number };

/**
 * Stores a roll, reads it back, then marks it; false if it was written meanwhile. After a crash the next try replaces its
 * objects.
 */
export async function packSession(parts: PackParts, key: number): Promise<boolean> {
	const { database, store, archives, folder, reached = () => undefined } = parts;
	const paths = { events: join(folder, `${key}.events`), rows: join(folder, `${key}.rows`) };
	try {
		const made = await writeFiles(parts, key, paths);
		if (!made) return false;
		const { manifest, name, sizes, ids } = made;
		await reached('written');
		const objects = objectsOf(name);
		await store.put(objects.events, { file: paths.events, bytes: sizes.events });
		await reached('events put');
		await store.put(objects.rows, { file: paths.rows, bytes: sizes.rows });
		await reached('rows put');
		const text = Buffer.from(`${JSON.stringify(manifest)}\n`);
		await store.put(objects.manifest, text);
		await reached('manifest put');
		const stored = { name, hash: hash('sha256', text) };
		await readBack(archives, stored, manifest);
		await reached('read back');
		const marked = await database.query`WITH done AS (
				UPDATE sessions SET archived_at = now(), archive = ${stored.name}, archive_hash = ${stored.hash}
				WHERE key = ${key} AND off = ${manifest.offset} AND seq = ${manifest.seq} AND rolled = ${made.rolled}
					AND archived_at IS NULL RETURNING key, rolled
			), kept AS (INSERT INTO packed_ids (skey, ids) SELECT key, ${ids} FROM done WHERE rolled ON CONFLICT DO NOTHING)
			SELECT key FROM done`;
		await reached('marked');
		return marked.length > 0;
	} finally {
		for (const path of Object.values(paths)) await rm(path, { force: true });
	}
}

/** Reads everything as readers will: each piece by its digest, every event once. */
async function readBack(archives: Archives, stored: { name: string; hash: string }, { base, seq }: ArchiveManifest) {
	const archive = await archives.open(stored);
	let at = base;
	for (let after = base; after < seq; after = at) {
		for (const event of await archive.events({ after, limit: PAGE })) {
			if (event.seq !== at + 1) throw new Error(`The archive ${stored.name} goes from ${at} to ${event.seq}.`);
			at = event.seq;
		}
		if (at === after) throw new Error(`The archive ${stored.name} ends at ${at}, and not at ${seq}.`);
	}
	const pieces = archive.manifest.rows;
	for (const { first, last } of pieces) {
		await archive.rows({ after: Number(first) - 1, before: Number(last) + 1, limit: 1_000_000, forward: true });
	}
	await archive.view();
	await archive.times([seq]);
	await archive.ids();
}

interface Made {
	manifest: ArchiveManifest;
	name: string;
	rolled: boolean;
	sizes: { events: number; rows: number };
	ids: Buffer;
}

async function writeFiles(
	{ database, fold = FOLD, now }: PackParts,
	key: number,
	paths: { events: string; rows: string },
): Promise<Made | undefined> {
	const found = await database.atOnce(async (query) => {
		const [line] = await query<PackedLine>`SELECT ${SESSION_COLUMNS}, s.team, s.project, s.roll FROM sessions s
			WHERE s.key = ${key} AND s.archived_at IS NULL`;
		return line && { line, loaded: await loadStored(query, storedSession(line)) };
	});
	if (!found) return;
	const { line, loaded } = found;
	const { session, events: since, lastTs } = loaded;
	const view = foldAgain(loaded.view ?? emptyView(session.sessionId), since);
	const { events, ...read } = await writeEvents(database.query, session, paths.events);
	const rows = await writeRows(database.query, session, paths.rows, read, view);
	const { team, project, roll } = line;
	const manifest: ArchiveManifest = {
		v: 1,
		edge: session.edge,
		session: session.sessionId,
		gen: session.gen,
		roll,
		team,
		project,
		epoch: session.epoch,
		base: session.base,
		seq: session.seq,
		offset: session.offset,
		tailDigest: session.tailDigest,
		lastTs: lastTs ?? null,
		fold: Math.min(session.fold, fold),
		packedAt: new Date(now()).toISOString(),
		events: events.pieces,
		...rows.sections,
	};
	const name = archiveName({ ...session, team, roll });
	return { manifest, name, rolled: session.rolled, sizes: { events: events.bytes, rows: rows.bytes }, ids: read.ids };
}

interface Placed {
	part: number;
	key: number;
	base: number;
	seq: number;
}

async function writeEvents(query: Query, { part, key, base, seq }: Placed, path: string) {
	const file = await writePieces(path);
	const ids: string[] = [];
	const times: number[] = [];
	const byRow = new Map<string, number[]>();
	for (let after = base; after < seq; ) {
		const page = await query<{ seq: number; id: string; row_key: string; json: string }>`SELECT seq, id, row_key, json
			FROM events WHERE part = ${part} AND skey = ${key} AND seq > ${after} AND seq <= ${seq} ORDER BY seq
			LIMIT ${literal(PAGE)}`;
		for (const event of page) {
			await file.add(event.json, event.seq);
			ids.push(event.id);
			times.push(Date.parse((JSON.parse(event.json) as { ts: string }).ts));
			const knownRow = byRow.get(event.row_key);
			if (knownRow) knownRow.push(event.seq);
			else byRow.set(event.row_key, [event.seq]);
		}
		const last = page.at(-1)?.seq;
		if (last === undefined) throw new Error(`Of session ${key} the database has no events after ${after}.`);
		after = last;
	}
	const pieces = await file.section();
	return { events: { pieces, bytes: await file.close() }, ids: packIds(ids), times, byRow };
}

async function writeRows(
	query: Query,
	{ part, key }: Placed,
	path: string,
	{ ids, times, byRow }: Omit<Awaited<ReturnType<typeof writeEvents>>, 'events'>,
	view: object,
) {
	const file = await writePieces(path);
	const places = new Map<string, number>();
	for (let [seq, name] = [-1, '']; ; ) {
		const page = await query<{ key: string; seq: number; json: string }>`SELECT key, seq, json FROM rows
			WHERE part = ${part} AND skey = ${key} AND (seq, key) > (${seq}, ${name}) ORDER BY seq, key LIMIT ${literal(PAGE)}`;
		for (const row of page) {
			await file.add(row.json, row.seq);
			places.set(row.key, row.seq);
		}
		const last = page.at(-1);
		if (!last) break;
		[seq, name] = [last.seq, last.key];
	}
	const rows = await file.section();
	for (const name of [...new Set([...places.keys(), ...byRow.keys()])].sort()) {
		await file.add(JSON.stringify([name, places.get(name) ?? null, byRow.get(name) ?? []]), name);
	}
	const index = await file.section();
	const alone = async (value: unknown) => {
		await file.add(JSON.stringify(value), 0);
		const [piece] = await file.section();
		if (!piece) throw new Error('A line that was just written is not there.');
		return piece;
	};
	const sections = {
		rows,
		index,
		view: await alone(view),
		times: await alone(times),
		ids: await alone(ids.toString('base64')),
	};
	return { sections, bytes: await file.close() };
}

const MAX_LINES = 500;
const MAX_TEXT = 1024 * 1024;
const pack = promisify(gzip);

async function writePieces(path: string) {
	const file: FileHandle = await open(path, 'wx', 0o600);
	let at = 0;
	let lines: string[] = [];
	let text = 0;
	let first: number | string = 0;
	let last: number | string = 0;
	let pieces: Piece[] = [];

	async function end() {
		if (lines.length === 0) return;
		const packed = await pack(lines.join(''));
		await file.write(packed, 0, packed.length, at);
		pieces.push({ at, bytes: packed.length, sha256: hash('sha256', packed), text, first, last });
		at += packed.length;
		lines = [];
		text = 0;
	}

	return {
		async add(line: string, position: number | string) {
			if (lines.length === 0) first = position;
			last = position;
			lines.push(`${line}\n`);
			text += Buffer.byteLength(line) + 1;
			if (lines.length >= MAX_LINES || text >= MAX_TEXT) await end();
		},
		async section() {
			await end();
			const done = pieces;
			pieces = [];
			return done;
		},
		async close() {
			await end();
			await file.close();
			return at;
		},
	};
}
