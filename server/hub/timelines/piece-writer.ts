import { hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Piece } from './archive-manifest.ts';

const MOST_LINES = 500;
const MOST_TEXT = 1024 * 1024;
const pack = promisify(gzip);

/** A file of lines in gzip, each piece of it a member of its own. No more than one piece is held. */
export interface PieceWriter {
	/** Adds a line with its place. */
	add(line: string, place: number | string): Promise<void>;
	/** Ends the piece, and gives those since the last time. */
	section(): Promise<Piece[]>;
	/** Ends the file and gives its size. */
	close(): Promise<number>;
}

/** Begins a file at a path where none is. */
export async function writePieces(path: string): Promise<PieceWriter> {
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
		async add(line, place) {
			if (lines.length === 0) first = place;
			last = place;
			lines.push(`${line}\n`);
			text += Buffer.byteLength(line) + 1;
			if (lines.length >= MOST_LINES || text >= MOST_TEXT) await end();
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
