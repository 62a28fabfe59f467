import { createReadStream, fstatSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { constants, createGunzip } from 'node:zlib';
import { archivePath } from '#hooks-bridge/features/archive-claim.ts';
import type { ByteRange, Manifest, ManifestSession, ManifestTimeline } from '#lib/contract/archives/features.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { TimelineEvent } from '#lib/contract/events/event.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { gapEvent } from '#lib/ingest/fold-lines.ts';
import {
	foreignLineId,
	gapOf,
	type LineContext,
	MAX_LINE_BYTES,
	openTimeline,
	readLine,
} from '../../timeline/tail/timeline-file.ts';

const NEWLINE = 10;
const NOTHING = Buffer.alloc(0);
/** How long reading runs before it lets the event loop turn. */
const TURN_MS = 10;
/** A small file may claim to hold a lot. */
export const MAX_TIMELINE_BYTES = 1024 * 1024 * 1024;
/** A copy is made before the manifest lists it; a much larger file is not the archived one. */
const AHEAD_BYTES = 64 * 1024 * 1024;
/** Bytes unpacked at once: each piece has a fixed cost. */
const PIECE_BYTES = 256 * 1024;

/** An event of an archived timeline and the position of its line, in bytes. */
export interface ArchivedEvent {
	event: IndexedEvent;
	from: number;
	to: number;
}

interface ArchivedSource {
	sessionId: string;
	proofOf: LineContext['proofOf'];
	/** Time of a gap without an event before it, ISO. */
	birth: string;
}

/** Where timelines are, and how decisions in them are verified. */
interface EventPorts {
	home: string;
	proofOf: LineContext['proofOf'];
}

/** `as-far` reads a truncated file up to its end and adds a gap; `whole` rejects there. */
type Extent = 'whole' | 'as-far';

/** The events of one archived session. Rejects with `archive/damaged` after the last readable one. */
export function archiveEvents(
	{ home, proofOf }: EventPorts,
	{ id, archivedAt }: Pick<Manifest, 'id' | 'archivedAt'>,
	{ sessionId, timelines }: Pick<ManifestSession, 'sessionId' | 'timelines'>,
	extent: Extent = 'whole',
): AsyncGenerator<ArchivedEvent> {
	const files = timelines.map((timeline) => ({
		chunks: unpackTimeline(archivePath(home, id), timeline, extent),
		...(extent === 'as-far' && { recordedBytes: timeline.bytes }),
	}));
	return timelineEvents(files, { sessionId, proofOf, birth: archivedAt });
}

/** The events of a session of the home, from the first GiB of its current file; null if that is not a plain file. */
export function sessionEvents({ home, proofOf }: EventPorts, sessionId: string): AsyncGenerator<ArchivedEvent> | null {
	const file = openTimeline(join(home, 'sessions'), sessionId);
	if (typeof file === 'string') return null;
	const { size } = fstatSync(file.fd);
	// Lines written meanwhile belong to the next reading.
	const bound = size > 0 && { end: Math.min(size, MAX_TIMELINE_BYTES) - 1 };
	const chunks = createReadStream('', { fd: file.fd, ...bound }) as AsyncIterable<Buffer>;
	return timelineEvents([{ chunks }], { sessionId, proofOf, birth: file.birth.toISOString() });
}

/** The bytes of an archived timeline, piece by piece. Rejects with `archive/damaged`. */
export async function* unpackTimeline(
	folder: string,
	{ file, bytes }: Pick<ManifestTimeline, 'file' | 'bytes'>,
	extent: Extent = 'whole',
): AsyncGenerator<Buffer> {
	const packed = createReadStream(join(folder, file));
	const finish = extent === 'as-far' && { finishFlush: constants.Z_SYNC_FLUSH };
	const gunzip = createGunzip({ chunkSize: PIECE_BYTES, ...finish });
	packed.on('error', (error) => gunzip.destroy(error));
	let left = Math.min(MAX_TIMELINE_BYTES, bytes + AHEAD_BYTES);
	try {
		for await (const chunk of packed.pipe(gunzip) as AsyncIterable<Buffer>) {
			left -= chunk.length;
			if (left < 0) throw new Error('more bytes than were kept');
			yield chunk;
		}
	} catch (error) {
		throw new AppError('archive/damaged', undefined, { cause: error });
	} finally {
		packed.destroy();
	}
}

/** The bytes of each range of an archived timeline in order, and then those after the last range. Rejects with `archive/damaged`. */
export async function* timelineRanges(
	folder: string,
	timeline: ManifestTimeline,
): AsyncGenerator<{ range?: ByteRange; bytes: Buffer }> {
	let rest: Buffer = NOTHING;
	const due = [...timeline.ranges];
	for await (const chunk of unpackTimeline(folder, timeline)) {
		rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
		for (let range = due[0]; range && rest.length >= range.to - range.from; [range] = due) {
			due.shift();
			yield { range, bytes: rest.subarray(0, range.to - range.from) };
			rest = rest.subarray(range.to - range.from);
		}
	}
	for (const range of due) {
		yield { range, bytes: rest };
		rest = NOTHING;
	}
	yield { bytes: rest };
}

/**
 * The events of timelines, numbered from 1 with the ids and gaps that the tail would give. One line in memory at a time, with
 * pauses. A last line without newline waits; a timeline that is too short ends with a gap. Rejects as `chunks` does.
 */
export async function* timelineEvents(
	timelines: Iterable<{ chunks: AsyncIterable<Buffer>; recordedBytes?: number }>,
	source: ArchivedSource,
): AsyncGenerator<ArchivedEvent> {
	const lines = lineReader(source);
	let until = performance.now() + TURN_MS;
	for (const { chunks, recordedBytes = 0 } of timelines) {
		const file = splitTimeline(lines);
		for await (const chunk of chunks) {
			for (const kept of file.eventsIn(chunk)) {
				yield kept;
				if (performance.now() < until) continue;
				await turn();
				until = performance.now() + TURN_MS;
			}
		}
		yield* file.gap(recordedBytes);
	}
}

/** Cuts the pieces of one timeline into lines, and these into events. */
function splitTimeline(lines: ReturnType<typeof lineReader>) {
	let from = 0;
	let rest: Buffer = NOTHING;
	/** Bytes of a line that is too long, which are dropped. */
	let skipped = 0;
	lines.nextFile();
	return {
		*eventsIn(chunk: Buffer): Generator<ArchivedEvent> {
			const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
			let start = 0;
			for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
				const length = skipped + end - start;
				const event = lines.read(bytes.subarray(start, end), from, length);
				const to = from + length + 1;
				if (event) yield { event, from, to };
				[from, start, skipped] = [to, end + 1, 0];
			}
			rest = bytes.subarray(start);
			if (skipped + rest.length <= MAX_LINE_BYTES) return;
			skipped += rest.length;
			rest = NOTHING;
		},
		*gap(until: number): Generator<ArchivedEvent> {
			const event = until > from + skipped + rest.length ? lines.gapFrom(from, until - from) : null;
			if (event) yield { event, from, to: until };
		},
	};
}

/** Reads lines of a session's archived timelines one after another; it remembers only their ids. */
function lineReader({ sessionId, proofOf, birth }: ArchivedSource) {
	const seen = new Set<string>();
	let foreign = new Map<string, number>();
	const context: LineContext = { sessionId, proofOf, foreignId: (line) => nameForeign(foreign, sessionId, line) };
	let lastTs = birth;

	function numberEvent(event: TimelineEvent, unverified: boolean): IndexedEvent | null {
		if (seen.has(event.id)) return null;
		seen.add(event.id);
		lastTs = event.ts;
		return { ...event, seq: seen.size, ...(unverified && { unverified: true as const }) };
	}

	const gap = (range: { offset: number; bytes: number; reason: string }) =>
		numberEvent(gapEvent(sessionId, lastTs, gapOf(sessionId, range)), false);

	return {
		/** The following lines are of a further timeline of this session. */
		nextFile(): void {
			foreign = new Map();
		},
		/** The event of a line at byte `from`, without its newline; null for a blank or repeated one. */
		read(line: Buffer, from: number, bytes = line.length): IndexedEvent | null {
			const found = bytes > MAX_LINE_BYTES ? tooLong : readLine(line, context);
			if (found.kind === 'blank') return null;
			if (found.kind === 'gap') return gap({ offset: from, bytes, reason: found.reason });
			return numberEvent(found.event, found.unverified);
		},
		/** A gap of so many bytes after `from`, where a timeline was truncated. */
		gapFrom: (from: number, bytes: number) => gap({ offset: from, bytes, reason: 'the archive was cut here' }),
	};
}

const tooLong = { kind: 'gap', reason: `a line of more than ${MAX_LINE_BYTES} bytes` } as const;

function nameForeign(counts: Map<string, number>, sessionId: string, line: Buffer): string {
	const first = foreignLineId(sessionId, line, 0);
	const nth = counts.get(first) ?? 0;
	counts.set(first, nth + 1);
	return nth === 0 ? first : foreignLineId(sessionId, line, nth);
}
