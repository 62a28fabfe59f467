import { createHash, hash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { systemErrorCode } from '#hooks-bridge/disk/system-error-code.ts';
import { parseEvent, type TimelineEvent } from '#lib/contract/events/event.ts';
import { keyIdOf } from '#lib/ids/safe-id.ts';
import type { Gap } from '#lib/ingest/fold-lines.ts';
import { isJson, parsedJson } from '#lib/json/json.ts';
import type { JournalStore } from '../store/journal-store.ts';

/** How many bytes before the cursor are compared, to notice a rewrite in place. */
const TAIL_BYTES = 256;

/** An open timeline. */
export interface OpenTimeline {
	fd: number;
	device: number;
	inode: number;
	birth: Date;
}

/** Where a session's events are. The id was checked before it came here. */
export function timelinePath(sessionsFolder: string, sessionId: string): string {
	return join(sessionsFolder, sessionId, 'timeline.jsonl');
}

/** What is at the timeline's path. A link or a FIFO could lead or block the server anywhere. */
export function statTimeline(sessionsFolder: string, sessionId: string): Stats | 'absent' | 'refused' {
	const folder = lstatSync(join(sessionsFolder, sessionId), { throwIfNoEntry: false });
	if (!folder) return 'absent';
	if (!folder.isDirectory()) return 'refused';
	const file = lstatSync(timelinePath(sessionsFolder, sessionId), { throwIfNoEntry: false });
	if (!file) return 'absent';
	return file.isFile() ? file : 'refused';
}

/** Opens a timeline for reading, never through a link and without waiting for the writer of a FIFO. */
export function openTimeline(sessionsFolder: string, sessionId: string): OpenTimeline | 'absent' | 'refused' {
	const stat = statTimeline(sessionsFolder, sessionId);
	if (typeof stat === 'string') return stat;
	let fd: number;
	try {
		fd = openSync(timelinePath(sessionsFolder, sessionId), READ_FLAGS);
	} catch (error) {
		if (systemErrorCode(error) === 'ENOENT') return 'absent';
		if (systemErrorCode(error) === 'ELOOP') return 'refused';
		throw error;
	}
	const stats = fstatSync(fd);
	if (stats.isFile()) return { fd, device: stats.dev, inode: stats.ino, birth: stats.birthtime };
	closeSync(fd);
	return 'refused';
}

export const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** SHA-256 of the last bytes before `offset`; of fewer if the file is shorter. */
export function tailDigest(fd: number, offset: number): string {
	const size = Math.min(TAIL_BYTES, offset);
	const bytes = Buffer.alloc(size);
	const count = readSync(fd, bytes, 0, size, offset - size);
	return hash('sha256', bytes.subarray(0, count), 'hex');
}

/** A line longer than this is skipped to its newline and reported, never buffered whole. */
export const MAX_LINE_BYTES = 1024 * 1024;
/** Bytes read at once, about one batch. */
const CHUNK_BYTES = 256 * 1024;
/** A very long line is skipped in steps of this size, so that other sessions get their turn. */
const SKIP_STEP_BYTES = 8 * 1024 * 1024;
const NEWLINE = 10;

/** How far a timeline was read. */
export interface ReadPosition {
	/** The end of the last complete line. */
	offset: number;
	/** The bytes up to here contain no newline; beyond `offset` only inside a too long line. */
	scanned: number;
}

/** Found lines; `line` is only valid during the call and `bytes` counts without the newline. */
interface LineSink {
	line(line: Buffer, offset: number): void;
	tooLong(offset: number, bytes: number): void;
}

/** Reads of one thread share this memory: all are synchronous. */
const scratch = Buffer.allocUnsafe(MAX_LINE_BYTES + CHUNK_BYTES);

/**
 * Passes on whole lines after `from`, about one chunk. A last line without newline waits. `more`: there may be further lines.
 * Throws the file system's errors.
 */
export function readLines(fd: number, from: ReadPosition, sink: LineSink): { position: ReadPosition; more: boolean } {
	if (from.scanned > from.offset) return skipLine(fd, from, sink);
	let filled = 0;
	for (;;) {
		const count = readSync(fd, scratch, filled, CHUNK_BYTES, from.offset + filled);
		if (count === 0) return { position: from, more: false };
		const consumed = splitLines(scratch.subarray(0, filled + count), filled, from.offset, sink);
		filled += count;
		if (consumed > 0) {
			const offset = from.offset + consumed;
			return { position: { offset, scanned: offset }, more: count === CHUNK_BYTES };
		}
		if (filled > MAX_LINE_BYTES) return skipLine(fd, { offset: from.offset, scanned: from.offset + filled }, sink);
	}
}

/** Passes every complete line in `bytes` on; there is no newline before `searched`. Returns the bytes used. */
function splitLines(bytes: Buffer, searched: number, base: number, sink: LineSink): number {
	let start = 0;
	for (let end = bytes.indexOf(NEWLINE, searched); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
		if (end - start > MAX_LINE_BYTES) sink.tooLong(base + start, end - start);
		else sink.line(bytes.subarray(start, end), base + start);
		start = end + 1;
	}
	return start;
}

function skipLine(fd: number, from: ReadPosition, sink: LineSink): { position: ReadPosition; more: boolean } {
	const limit = from.scanned + SKIP_STEP_BYTES;
	let { scanned } = from;
	while (scanned < limit) {
		const count = readSync(fd, scratch, 0, CHUNK_BYTES, scanned);
		if (count === 0) return { position: { offset: from.offset, scanned }, more: false };
		const end = scratch.subarray(0, count).indexOf(NEWLINE);
		if (end !== -1) {
			const offset = scanned + end + 1;
			sink.tooLong(from.offset, offset - 1 - from.offset);
			return { position: { offset, scanned: offset }, more: true };
		}
		scanned += count;
	}
	return { position: { offset: from.offset, scanned }, more: true };
}

/** Deeper JSON is refused: writing it again would overflow the stack. */
const MAX_DEPTH = 64;

/** The content of a timeline's line. */
type LineContent =
	| { kind: 'blank' }
	| { kind: 'event'; event: TimelineEvent; unverified: boolean }
	| { kind: 'gap'; reason: string };

export interface LineContext {
	sessionId: string;
	/** Names a line without an id. */
	foreignId: (line: Buffer) => string;
	/** What the journal says of an approval, grant, alarm or note line. */
	proofOf: (line: Readonly<Record<string, unknown>>) => Proof;
}

/** Reads one line. Never throws: the result is an event, a gap with its reason, or nothing. */
export function readLine(line: Buffer, context: LineContext): LineContent {
	const text = line.toString('utf8');
	if (text.trim() === '') return { kind: 'blank' };
	const record = parseObject(text);
	if (typeof record === 'string') return { kind: 'gap', reason: record };
	if (record.type === 'system:gap') return { kind: 'gap', reason: 'a gap that was written to the file' };
	if (record.sessionId === undefined) record.sessionId = context.sessionId;
	else if (record.sessionId !== context.sessionId) return { kind: 'gap', reason: 'belongs to another session' };
	if (record.id === undefined) record.id = context.foreignId(line);
	// The index adds these fields itself; a line must not set them.
	delete record.seq;
	delete record.unverified;
	const { type } = record;
	const isDecision = typeof type === 'string' && /^(?:approval|grant|alarm|note):/.test(type);
	const proof = isDecision ? context.proofOf(record) : null;
	for (const name of proof?.redacted ?? []) delete record[name];
	nameKeys(record);
	const event = parseEvent(record);
	if (!event) return { kind: 'gap', reason: 'not an event: id, ts, type, category or label is missing or wrong' };
	if (!proof) return { kind: 'event', event, unverified: false };
	// A forged line must not take the id of the true one that comes after it.
	const id = proof.kind === 'forged' ? foreignLineId(context.sessionId, line, 0) : event.id;
	return { kind: 'event', event: { ...event, id }, unverified: proof.kind !== 'proven' };
}

/** Ids of calls and agents become keys in addresses and databases; lines with the same odd id still belong together. */
function nameKeys(record: Record<string, unknown>): void {
	for (const [field, kind] of KEYS) {
		const key = keyIdOf(record[field], kind);
		if (key !== undefined) record[field] = key;
	}
}

const KEYS = [
	['toolUseId', 'call'],
	['agentId', 'agent'],
	['startedAgentId', 'agent'],
] as const;

function parseObject(text: string): Record<string, unknown> | string {
	const value = parsedJson(text);
	if (value === undefined) return 'not JSON';
	if (!isJson(value)) return 'not a JSON object';
	return isDeeperThan(value, MAX_DEPTH) ? `nested deeper than ${MAX_DEPTH} levels` : value;
}

function isDeeperThan(value: object, levels: number): boolean {
	if (levels === 0) return true;
	return Object.values(value).some(
		(inner: unknown) => typeof inner === 'object' && inner !== null && isDeeperThan(inner, levels - 1),
	);
}

/** The id of the n-th (from 0) line of a session with exactly these bytes; survives trimming and copying the rest. */
export function foreignLineId(sessionId: string, line: Buffer, nth: number): string {
	return createHash('sha256').update(`${sessionId}\n${nth}\n`).update(line).digest('hex');
}

/** The gap event for an unreadable range; the same range always has the same id. */
export function gapOf(sessionId: string, range: Omit<Gap, 'id'>): Gap {
	const { offset, bytes, reason } = range;
	const id = createHash('sha256').update(`gap\n${sessionId}\n${offset}\n${bytes}\n${reason}`).digest('hex');
	return { id, ...range };
}

/** What the journal says of a line. */
interface Proof {
	/** `proven` is exactly the row, `forged` has a row's id but another content, `unknown` has no row. */
	kind: 'proven' | 'forged' | 'unknown';
	/** Fields that were removed from the row: since nothing proves them any more, those of the line are ignored. */
	redacted: readonly string[];
}

/** Compares approval and grant lines with the journal. A row's id alone proves nothing: it can be read and copied. */
export function proofIn(journal: Pick<JournalStore, 'find'>): (line: Readonly<Record<string, unknown>>) => Proof {
	return (line) => {
		const row = typeof line.id === 'string' ? journal.find(line.id) : undefined;
		if (!row) return { kind: 'unknown', redacted: [] };
		const { id, ts, kind, sessionId, payload, redacted = [] } = row;
		const unsaid = new Set(['category', 'label', ...redacted]);
		const claim = Object.fromEntries(Object.entries(line).filter(([name]) => !unsaid.has(name)));
		const isRow = isDeepStrictEqual(claim, { id, ts, type: kind, sessionId, ...payload });
		return { kind: isRow ? 'proven' : 'forged', redacted };
	};
}
