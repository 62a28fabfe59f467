import { randomUUID } from 'node:crypto';
import { closeSync, constants, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { timelineBytes } from '#hooks-bridge/disk/timeline-files.ts';
import type { SealedEvent } from '#hooks-bridge/ports/ports.ts';
import { typeFields } from '#lib/contract/events/event-labels.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';

/** Bytes of lines in memory at most: some 30,000 events. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Lines written at once: on a nearly full disk some are written, however many wait. */
const PIECE = 64;
/** Ids of lost events that are remembered per session, so that a repeat is not counted again. */
const MAX_LOST_IDS = 1000;

/** Lines that wait until the disk accepts them. */
export interface Unwritten {
	waiting: number;
	/** Events and large values that memory could not hold either; each session's number is in its timeline. */
	lost: number;
	/** The system's error; undefined if nothing waits. */
	why: string | undefined;
}

interface WaitingSession {
	blobs: string[];
	events: SealedEvent[];
	/** Ids of the waiting events; `runs` are the hook runs that reported them. */
	ids: Set<string>;
	runs: Set<unknown>;
	lost: number;
	lostIds: Set<string>;
	/** Why they are lost, if not for lack of memory. */
	because?: string;
}

/** Stores lines that the disk refused, in order and within bounds, until it accepts them. */
export class UnwrittenLines {
	readonly #sessions = new Map<string, WaitingSession>();
	readonly #changed: (unwritten: Unwritten) => void;
	readonly #mostBytes: number;
	#bytes = 0;
	#lost = 0;
	#why: string | undefined;

	readonly #writeBlob: (sessionId: string, text: string) => void;

	/** Calls `changed` whenever the waiting lines change; `writeBlob` throws as `write` of `writeFirst` does. */
	constructor(
		changed: (unwritten: Unwritten) => void,
		writeBlob: (sessionId: string, text: string) => void,
		mostBytes = MAX_BYTES,
	) {
		this.#writeBlob = writeBlob;
		this.#changed = changed;
		this.#mostBytes = mostBytes;
	}

	/** The sessions with waiting lines. */
	sessions(): string[] {
		return [...this.#sessions.keys()];
	}

	/** A session's waiting events, as its timeline will contain them. */
	events(sessionId: string): readonly SealedEvent[] {
		return this.#sessions.get(sessionId)?.events ?? [];
	}

	/** Stores lines that could not be written because of `why`; known ones are not counted again. */
	addLines(sessionId: string, events: readonly SealedEvent[], why: unknown): void {
		const waiting = this.#waitingOf(sessionId, why);
		for (const event of events) {
			if (waiting.ids.has(event.id) || waiting.lostIds.has(event.id)) continue;
			// That a hook failed is visible in its own lines, once they are written.
			if (event.type === 'system:warning' && event.code === 'hook/failed' && waiting.runs.has(event.requestId))
				continue;
			const bytes = timelineBytes([event]).length;
			if (this.#bytes + bytes > this.#mostBytes) {
				this.#lose(waiting, event.id);
				continue;
			}
			this.#bytes += bytes;
			waiting.events.push(event);
			waiting.ids.add(event.id);
			waiting.runs.add(event.requestId);
		}
		this.#notifyChanged();
	}

	/** Stores a blob until the line that names it is written; if memory is full, it is lost and counted. */
	addBlob(sessionId: string, text: string, why: unknown): void {
		const bytes = Buffer.byteLength(text);
		const waiting = this.#waitingOf(sessionId, why);
		if (this.#bytes + bytes > this.#mostBytes) this.#lose(waiting);
		else {
			this.#bytes += bytes;
			waiting.blobs.push(text);
		}
		this.#notifyChanged();
	}

	/** Counts lines that an earlier server had in memory when it ended; the next write records that. */
	loseEarlier(count: number): void {
		const waiting = this.#waitingOf(HOME_SESSION, undefined);
		waiting.lost += count;
		waiting.because = 'they waited in memory for a disk that takes lines when the server, or its door, ended';
		this.#lost += count;
	}

	/** Writes a session's waiting lines in pieces by `write`; throws its error if the disk accepts no more. */
	writeFirst(sessionId: string, write: (events: readonly SealedEvent[]) => void): void {
		const waiting = this.#sessions.get(sessionId);
		if (!waiting) return;
		try {
			for (let text = waiting.blobs[0]; text !== undefined; text = waiting.blobs[0]) {
				this.#writeBlob(sessionId, text);
				waiting.blobs.shift();
				this.#bytes -= Buffer.byteLength(text);
			}
			while (waiting.events.length > 0) {
				const piece = waiting.events.slice(0, PIECE);
				write(piece);
				waiting.events.splice(0, piece.length);
				for (const { id } of piece) waiting.ids.delete(id);
				this.#bytes -= timelineBytes(piece).length;
			}
			if (waiting.lost > 0) write([this.#lossOf(sessionId, waiting)]);
			this.#sessions.delete(sessionId);
		} catch (error) {
			this.#why = codeOf(error);
			throw error;
		} finally {
			this.#notifyChanged();
		}
	}

	#lose(waiting: WaitingSession, id?: string): void {
		waiting.lost += 1;
		this.#lost += 1;
		if (id === undefined) return;
		waiting.lostIds.add(id);
		const [oldest] = waiting.lostIds;
		if (oldest !== undefined && waiting.lostIds.size > MAX_LOST_IDS) waiting.lostIds.delete(oldest);
	}

	#waitingOf(sessionId: string, why: unknown): WaitingSession {
		this.#why = codeOf(why);
		const nothing = {
			blobs: [],
			events: [],
			ids: new Set<string>(),
			runs: new Set(),
			lost: 0,
			lostIds: new Set<string>(),
		};
		const waiting: WaitingSession = this.#sessions.get(sessionId) ?? nothing;
		this.#sessions.set(sessionId, waiting);
		return waiting;
	}

	#lossOf(sessionId: string, { lost, because }: WaitingSession): SealedEvent {
		const reason = because ?? `the disk took no lines (${this.#why}), and more waited than memory holds`;
		return {
			id: randomUUID(),
			ts: new Date().toISOString(),
			...typeFields('system:warning'),
			sessionId,
			code: 'disk/full',
			message: `${lost} events${because === undefined ? ' of this session' : ''} are lost: ${reason}.`,
		};
	}

	#notifyChanged(): void {
		const waiting = [...this.#sessions.values()].reduce((sum, { events }) => sum + events.length, 0);
		const isOver = this.#sessions.size === 0;
		this.#changed({ waiting, lost: this.#lost, why: isOver ? undefined : this.#why });
		if (isOver) this.#lost = 0;
	}
}

const codeOf = (why: unknown) => (why as NodeJS.ErrnoException | undefined)?.code ?? 'EIO';

const NAME = 'unwritten';
/** Overwritten in place, which also works on a full disk. */
const BYTES = 16;
const FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Opens the note of a home. If the disk refuses it, there is no note, and nothing fails. */
export function openUnwrittenNote(home: string) {
	let fd: number | undefined;
	let last = 0;
	try {
		fd = openSync(join(home, NAME), FLAGS, 0o600);
		const bytes = Buffer.alloc(BYTES);
		last = Number.parseInt(bytes.toString('latin1', 0, readSync(fd, bytes, 0, BYTES, 0)), 10) || 0;
		if (last === 0) writeCount(fd, 0);
		ftruncateSync(fd, BYTES);
	} catch {
		// Log and incidents report lost lines anyway.
	}
	return {
		/** The number that the previous process wrote. */
		left: Math.max(0, last),
		set(count: number) {
			if (fd === undefined || count === last) return;
			try {
				writeCount(fd, count);
				last = count;
			} catch {}
		},
		close() {
			if (fd !== undefined) closeSync(fd);
			fd = undefined;
		},
	};
}

function writeCount(fd: number, count: number): void {
	writeSync(fd, `${String(count).padStart(BYTES - 1, '0')}\n`, 0, 'latin1');
}
