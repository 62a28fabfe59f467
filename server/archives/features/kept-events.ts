import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, gunzip, type ZlibOptions } from 'node:zlib';
import type { ManifestSession } from '#lib/contract/archives/features.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { TimelineEvent } from '#lib/contract/events/event.ts';
import { gapEvent } from '#lib/ingest/fold-lines.ts';
import type { IndexedEvent } from '#lib/session/view.ts';
import { foreignLineId, gapOf, type LineContext, readLine } from '../../timeline/tail/line-event.ts';
import { MAX_LINE_BYTES } from '../../timeline/tail/timeline-file.ts';

const NEWLINE = 10;
/** A small file may claim to hold a lot. */
export const MAX_TIMELINE_BYTES = 1024 * 1024 * 1024;
/** A copy is there before the manifest tells of it; a file that holds far more is not what was kept. */
const AHEAD_BYTES = 64 * 1024 * 1024;
/** Unpacked at once: each piece costs as much as its bytes. */
const PIECE_BYTES = 256 * 1024;

/** An event of a kept timeline and where its line stands, in bytes. */
export interface KeptEvent {
	event: IndexedEvent;
	from: number;
	to: number;
}

/** What reading a kept timeline needs beside its bytes. */
export interface KeptSource {
	sessionId: string;
	proofOf: LineContext['proofOf'];
	/** The time of a gap that has nothing before it, ISO. */
	birth: string;
	/** How many bytes each timeline had: what is missing of one shows as a gap. */
	lengths?: readonly number[];
}

/** The bytes of each kept timeline of a session. Rejects with `archive/damaged` for one that cannot be unpacked. */
export async function unpackTimelines(folder: string, { timelines }: ManifestSession): Promise<Buffer[]> {
	const all: Buffer[] = [];
	for (const { file, bytes } of timelines) all.push(await unpack(join(folder, file), bytes));
	return all;
}

/**
 * The same as far as they go: of a file that was cut what can be read. Rejects with `archive/damaged` for one that is
 * none, or of which something else is wrong.
 */
export async function unpackAsFar(folder: string, { timelines }: ManifestSession): Promise<Buffer[]> {
	const all: Buffer[] = [];
	for (const { file, bytes } of timelines)
		all.push(await unpack(join(folder, file), bytes, { finishFlush: constants.Z_SYNC_FLUSH }));
	return all;
}

async function unpack(path: string, told: number, options: ZlibOptions = {}): Promise<Buffer> {
	try {
		const bounds = { chunkSize: PIECE_BYTES, maxOutputLength: Math.min(MAX_TIMELINE_BYTES, told + AHEAD_BYTES) };
		return await promisify(gunzip)(await readFile(path), { ...options, ...bounds });
	} catch (error) {
		throw new AppError('archive/damaged', undefined, { cause: error });
	}
}

/**
 * The events of a session's kept timelines, in order and numbered from 1, as the tail reads them: the same ids, gaps
 * included, each id once. A generator, so that a long timeline can be read in turns.
 */
export function* keptEvents(timelines: readonly Buffer[], source: KeptSource): Generator<KeptEvent> {
	const lines = keptLines(source);
	for (const [nth, bytes] of timelines.entries()) {
		lines.nextFile();
		let from = 0;
		for (let end = bytes.indexOf(NEWLINE); end !== -1; from = end + 1, end = bytes.indexOf(NEWLINE, from)) {
			const event = lines.read(bytes.subarray(from, end), from);
			if (event) yield { event, from, to: end + 1 };
		}
		const length = source.lengths?.[nth] ?? 0;
		const event = length > bytes.length ? lines.cut(from, length - from) : null;
		if (event) yield { event, from, to: length };
	}
}

/** Reads lines of a session's kept timelines one after another; what it remembers of them are their ids. */
export function keptLines({ sessionId, proofOf, birth }: KeptSource) {
	const seen = new Set<string>();
	let foreign = new Map<string, number>();
	const context: LineContext = { sessionId, proofOf, foreignId: (line) => nameForeign(foreign, sessionId, line) };
	let lastTs = birth;

	function take(event: TimelineEvent, unverified: boolean): IndexedEvent | null {
		if (seen.has(event.id)) return null;
		seen.add(event.id);
		lastTs = event.ts;
		return { ...event, seq: seen.size, ...(unverified && { unverified: true as const }) };
	}

	const gap = (range: { offset: number; bytes: number; reason: string }) =>
		take(gapEvent(sessionId, lastTs, gapOf(sessionId, range)), false);

	return {
		/** What follows is of a further timeline of this session. */
		nextFile(): void {
			foreign = new Map();
		},
		/**
		 * The event of a line that begins at byte `from`, without its newline; null for a blank one and for one that was
		 * read before. Of a line that is too long only its number of `bytes` is needed.
		 */
		read(line: Buffer, from: number, bytes = line.length): IndexedEvent | null {
			const found = bytes > MAX_LINE_BYTES ? tooLong : readLine(line, context);
			if (found.kind === 'blank') return null;
			if (found.kind === 'gap') return gap({ offset: from, bytes, reason: found.reason });
			return take(found.event, found.unverified);
		},
		/** The gap where a timeline was cut: so many bytes from `from` on are missing. */
		cut: (from: number, bytes: number) => gap({ offset: from, bytes, reason: 'the archive was cut here' }),
	};
}

export type KeptLines = ReturnType<typeof keptLines>;

const tooLong = { kind: 'gap', reason: `a line of more than ${MAX_LINE_BYTES} bytes` } as const;

function nameForeign(counts: Map<string, number>, sessionId: string, line: Buffer): string {
	const first = foreignLineId(sessionId, line, 0);
	const nth = counts.get(first) ?? 0;
	counts.set(first, nth + 1);
	return nth === 0 ? first : foreignLineId(sessionId, line, nth);
}
