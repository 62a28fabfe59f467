import {
	closeSync,
	constants,
	existsSync,
	fstatSync,
	lstatSync,
	openSync,
	type Stats,
	statSync,
	writeSync,
} from 'node:fs';
import { eventLine } from '../engine/fit-event.ts';
import type { SealedEvent } from '../ports/ports.ts';
import { makeFolder } from './make-folder.ts';
import { sessionFolder, timelinePath } from './overtone-home.ts';

const MAX_OPEN = 64;
const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** An open timeline and its file's size and identity right now. */
export interface OpenTimeline {
	fd: number;
	size: number;
	ino: number;
}

/** Keeps the timelines last written to open (64 at most): opening one for each hook would halve the door's rate. */
export class TimelineFiles {
	readonly #home: string;
	readonly #open = new Map<string, { fd: number; ino: number }>();
	/** What was looked at in this turn, for the append that follows: asking the file system twice is 5 % of a hook. */
	#looked: { sessionId: string; timeline: OpenTimeline } | undefined;

	readonly #forgetLooked = () => {
		this.#looked = undefined;
	};

	constructor(home: string) {
		this.#home = home;
	}

	/** Opens or creates the session's timeline: folder 0700, file 0600. Throws where that is not a regular file. */
	open(sessionId: string): OpenTimeline {
		const looked = this.#looked;
		this.#looked = undefined;
		if (looked?.sessionId === sessionId) return looked.timeline;
		return this.#find(sessionId) ?? this.#create(sessionId);
	}

	/** The session's timeline if there is one; a file that was replaced behind our back is opened anew. */
	openExisting(sessionId: string): OpenTimeline | null {
		const timeline = this.#find(sessionId);
		if (!timeline) return null;
		if (!this.#looked) queueMicrotask(this.#forgetLooked);
		this.#looked = { sessionId, timeline };
		return timeline;
	}

	/** Whether there is a timeline; costs nothing right after `openExisting` has found it. */
	has(sessionId: string): boolean {
		return this.#looked?.sessionId === sessionId || existsSync(timelinePath(this.#home, sessionId));
	}

	#find(sessionId: string): OpenTimeline | null {
		const stat = statSync(timelinePath(this.#home, sessionId), { throwIfNoEntry: false });
		const known = this.#open.get(sessionId);
		if (known && stat?.ino === known.ino) {
			this.#open.delete(sessionId);
			this.#open.set(sessionId, known);
			return { ...known, size: stat.size };
		}
		if (known) this.#close(sessionId, known.fd);
		return stat ? this.#create(sessionId) : null;
	}

	/** Closes every descriptor; the next use opens them again. */
	close(): void {
		this.#looked = undefined;
		for (const [sessionId, { fd }] of this.#open) this.#close(sessionId, fd);
	}

	#create(sessionId: string): OpenTimeline {
		const folder = sessionFolder(this.#home, sessionId);
		makeFolder(folder);
		if (lstatSync(folder).isSymbolicLink()) throw notTaken('the folder of this session is a link; move it away');
		const fd = openSync(timelinePath(this.#home, sessionId), FLAGS, 0o600);
		const stat: Stats = fstatSync(fd);
		if (!stat.isFile()) {
			closeSync(fd);
			throw notTaken('timeline.jsonl is not a regular file; move it away');
		}
		this.#open.set(sessionId, { fd, ino: stat.ino });
		const oldest = this.#open.entries().next().value;
		if (this.#open.size > MAX_OPEN && oldest) this.#close(oldest[0], oldest[1].fd);
		return { fd, size: stat.size, ino: stat.ino };
	}

	#close(sessionId: string, fd: number): void {
		this.#open.delete(sessionId);
		closeSync(fd);
	}
}

/** Something else stands in the place of a timeline: as the system would say it. */
const notTaken = (message: string) => Object.assign(new Error(message), { code: 'ENOTSUP' });

/** The bytes of some events as they stand in a timeline: each `\n{json}\n`, so that a torn tail swallows nothing. */
export function timelineBytes(events: readonly SealedEvent[]): Buffer {
	return Buffer.from(events.map((event) => `\n${eventLine(event)}\n`).join(''));
}

/**
 * Appends to an `O_APPEND` descriptor in one synchronous write, which nothing can split. After a short write (a
 * full disk) the torn piece stays a gap and everything is written once more: readers know repeats by their id.
 * Throws when that fails too.
 */
export function appendBytes(fd: number, bytes: Buffer, write: typeof writeSync = writeSync): void {
	if (write(fd, bytes) === bytes.length) return;
	if (write(fd, bytes) === bytes.length) return;
	throw Object.assign(new Error('the timeline could not be written: the disk may be full'), { code: 'ENOSPC' });
}
