import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { isAlive } from '#hooks-bridge/disk/process-identity.ts';
import { AppError } from '#lib/contract/errors.ts';
import { parsedJson } from '#lib/json/json.ts';

/** Rebuilt automatically, valid on this machine only, or copied in another way. */
const LEFT_OUT = /^(?:index\.db.*|journal\.db(?:-wal|-shm|-journal)?|bridge\.sock|server\.lock.*|bin)$/;
/** Drafts of running processes; the finished file is copied under its own name. */
const DRAFT = /^\.(?:claim|import)-|\.half$|\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** No path of a home is deeper. */
const MAX_DEPTH = 12;

/** The name of the journal in a backup, which is a copy that SQLite made. */
export const JOURNAL = 'journal.db';

/** Whether a backup may hold a file of this path below the home: nothing else is ever written. */
export function isBackupPath(path: string): boolean {
	const parts = path.split('/');
	const isPlain = parts.every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\\0]/.test(part));
	return (
		isPlain && parts.length <= MAX_DEPTH && path.length <= 2000 && (path === JOURNAL || !LEFT_OUT.test(parts[0] ?? ''))
	);
}

/**
 * The plain files of a home, in an order that is safe while others write: state before its timeline, the timeline before the
 * values that it names, and all before the journal. Links and pipes are left out.
 */
export function* backupPaths(home: string, below = ''): Generator<string> {
	const entries = readdirSync(join(home, below), { withFileTypes: true }).sort(
		(one, other) => rankOf(one.name) - rankOf(other.name) || (one.name < other.name ? -1 : 1),
	);
	for (const entry of entries) {
		const path = below === '' ? entry.name : `${below}/${entry.name}`;
		if (DRAFT.test(entry.name) || !isBackupPath(path) || path === JOURNAL) continue;
		if (entry.isDirectory()) {
			// A draft may have become an archive since.
			if (lstatSync(join(home, path), { throwIfNoEntry: false })?.isDirectory()) yield* backupPaths(home, path);
		} else if (entry.isFile()) yield path;
	}
}

function rankOf(name: string): number {
	if (name === 'sessions') return 0;
	if (name === 'archive') return 1;
	if (name === 'timeline.jsonl') return 3;
	return name === 'blobs' || name === 'handoffs' ? 4 : 2;
}

const MAX_LINE = 10_000;
const NEWLINE = 10;
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const Bytes = z.int().nonnegative();
const Head = z.object({ signalbox: z.literal('backup'), version: z.literal(1), createdAt: z.string() });
const Entry = z.object({ path: z.string(), bytes: Bytes });
const Sealed = z.object({ sha256: Sha256 });
const End = z.object({ end: z.object({ files: Bytes, bytes: Bytes, sha256: Sha256 }) });

export interface BackupCounts {
	files: number;
	bytes: number;
	createdAt: string;
}

/** Receives the files of a backup, one after another, in pieces. What it throws is passed to the caller. */
export interface BackupSink {
	begin(path: string): void;
	piece(bytes: Buffer): void;
	end(): void;
}

/** Reads and checks a whole backup, a piece at a time. Rejects with `request/invalid` at the first wrong place. */
export async function readBackup(file: string, sink?: BackupSink): Promise<BackupCounts> {
	const reader = createPieces(createReadStream(file, { highWaterMark: 1024 * 1024 })[Symbol.asyncIterator]());
	const lines = createHash('sha256');
	const nextLine = async (where: string) => {
		const text = await reader.line(where);
		return { text, value: parsedJson(text) };
	};
	const head = await nextLine('its first line');
	const { data: opened } = Head.safeParse(head.value);
	if (!opened) throw wrongBackup('its first line: this is no backup of a version that this signalbox knows');
	lines.update(head.text);
	const counts: BackupCounts = { files: 0, bytes: 0, createdAt: opened.createdAt };
	for (;;) {
		const next = await nextLine(`file ${counts.files + 1}`);
		const end = End.safeParse(next.value).data?.end;
		if (end) {
			if (end.files !== counts.files || end.bytes !== counts.bytes || end.sha256 !== lines.digest('hex'))
				throw wrongBackup('its end: files were changed or removed');
			if (!(await reader.isAtEnd())) throw wrongBackup('its end: something comes after it');
			return counts;
		}
		const entry = Entry.safeParse(next.value).data;
		if (!entry || !isBackupPath(entry.path)) throw wrongBackup(`file ${counts.files + 1}: this is no file of a home`);
		lines.update(next.text);
		sink?.begin(entry.path);
		const digest = createHash('sha256');
		await reader.bytes(entry.bytes, entry.path, (piece) => {
			digest.update(piece);
			sink?.piece(piece);
		});
		if ((await reader.line(entry.path)) !== '\n') throw wrongBackup(entry.path);
		const seal = await nextLine(entry.path);
		if (Sealed.safeParse(seal.value).data?.sha256 !== digest.digest('hex')) throw wrongBackup(entry.path);
		lines.update(seal.text);
		sink?.end();
		counts.files += 1;
		counts.bytes += entry.bytes;
	}
}

export const wrongBackup = (where: string) =>
	new AppError('request/invalid', `The backup is wrong at ${where}. Nothing was restored.`);

/** Reads lines and runs of bytes from a stream. */
function createPieces(chunks: AsyncIterator<Buffer>) {
	let rest: Buffer = Buffer.alloc(0);

	async function more(): Promise<boolean> {
		const next = await chunks.next();
		if (next.done) return false;
		rest = rest.length === 0 ? next.value : Buffer.concat([rest, next.value]);
		return true;
	}

	return {
		/** Up to and with the next newline. */
		async line(where: string): Promise<string> {
			for (;;) {
				const end = rest.indexOf(NEWLINE);
				if (end > MAX_LINE || (end === -1 && rest.length > MAX_LINE)) throw wrongBackup(where);
				if (end !== -1) {
					const text = rest.toString('utf8', 0, end + 1);
					rest = rest.subarray(end + 1);
					return text;
				}
				if (!(await more())) throw wrongBackup(`${where}, where it was cut`);
			}
		},
		async bytes(count: number, where: string, take: (piece: Buffer) => void): Promise<void> {
			for (let left = count; left > 0; ) {
				if (rest.length === 0 && !(await more())) throw wrongBackup(`${where}, where it was cut`);
				const piece = rest.subarray(0, left);
				rest = rest.subarray(piece.length);
				left -= piece.length;
				take(piece);
			}
		},
		async isAtEnd(): Promise<boolean> {
			return rest.length === 0 && !(await more());
		},
	};
}

/** A draft beside its final path, with the process id, so that others notice when that process has died. */
export function draftPath(start: string): string {
	return `${start}-${process.pid}-${randomUUID()}`;
}

/** Removes drafts that killed processes left beside the target: whole copies of a home, with its keys. */
export function removeDeadDrafts(start: string): void {
	if (!existsSync(dirname(start))) return;
	const prefix = `${basename(start)}-`;
	for (const name of readdirSync(dirname(start))) {
		const pid = Number(/^(\d{1,10})-/.exec(name.slice(prefix.length))?.[1] ?? process.pid);
		if (name.startsWith(prefix) && pid !== process.pid && !isAlive({ pid, start: null }))
			rmSync(join(dirname(start), name), { recursive: true, force: true });
	}
}
