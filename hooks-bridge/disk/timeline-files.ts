import {
	closeSync,
	constants,
	existsSync,
	fstatSync,
	lstatSync,
	openSync,
	readSync,
	type Stats,
	statSync,
	writeSync,
} from 'node:fs';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import { isHookDecision } from '#lib/gates/gate.ts';
import { isJson, parsedObject, textOf } from '#lib/json/json.ts';
import { adapterOf } from '../agents/adapter-of.ts';
import { eventLine } from '../engine/record.ts';
import type { Ports, RecordedAnswer, SealedEvent } from '../ports/ports.ts';
import { sessionFolder, timelinePath } from './overtone-home.ts';
import { makeFolder } from './write-files.ts';

export interface TimelinePort
	extends Pick<Ports, 'append' | 'appendLater' | 'recorded' | 'lines' | 'linesWith' | 'hasTimeline'> {
	flush?(): void;
	close(): void;
}

/** Called after each write, so that the tail need not wait for a notice of the file system. */
export type OnAppend = (sessionId: string, bytes: number, lines: number) => void;

/** The timelines of a home, each line written at once. Session ids must be safe. `once`: see `Recall`. */
export function createTimelinePort(home: string, onAppend?: OnAppend, once = false): TimelinePort {
	const files = new TimelineFiles(home);
	const recall = new Recall(once);
	return {
		append(sessionId, events) {
			if (events.length === 0) return;
			const timeline = files.open(sessionId);
			const bytes = timelineBytes(events);
			appendBytes(timeline.fd, bytes);
			recall.note(sessionId, timeline, bytes.length, events);
			onAppend?.(sessionId, bytes.length, events.length);
		},
		recorded(sessionId, keys) {
			const timeline = files.openExisting(sessionId);
			return timeline ? recall.find(sessionId, timeline, keys) : undefined;
		},
		lines(sessionId, ids) {
			const timeline = files.openExisting(sessionId);
			return timeline ? recall.lines(timeline, ids) : [];
		},
		linesWith(sessionId, text) {
			const timeline = files.openExisting(sessionId);
			return timeline ? recall.linesWith(timeline, text) : [];
		},
		hasTimeline: (sessionId) => files.has(sessionId),
		close: () => files.close(),
	};
}

const MAX_OPEN = 64;
const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export interface OpenTimeline {
	fd: number;
	size: number;
	ino: number;
}

/** Keeps up to 64 recently written timelines open: opening one for each hook would halve the door's rate. */
export class TimelineFiles {
	readonly #home: string;
	readonly #open = new Map<string, { fd: number; ino: number }>();
	/** Opened in this turn, for the append that follows: asking the file system twice costs 5 % of a hook. */
	#openedNow: { sessionId: string; timeline: OpenTimeline } | undefined;

	readonly #forgetOpened = () => {
		this.#openedNow = undefined;
	};

	constructor(home: string) {
		this.#home = home;
	}

	/** Opens or creates the session's timeline: folder 0700, file 0600. Throws if it is not a regular file. */
	open(sessionId: string): OpenTimeline {
		const opened = this.#openedNow;
		this.#openedNow = undefined;
		if (opened?.sessionId === sessionId) return opened.timeline;
		return this.#find(sessionId) ?? this.#create(sessionId);
	}

	/** The session's timeline if there is one; if its file was replaced, the new one is opened. */
	openExisting(sessionId: string): OpenTimeline | null {
		const timeline = this.#find(sessionId);
		if (!timeline) return null;
		if (!this.#openedNow) queueMicrotask(this.#forgetOpened);
		this.#openedNow = { sessionId, timeline };
		return timeline;
	}

	/** Whether there is a timeline; costs nothing right after `openExisting` has found it. */
	has(sessionId: string): boolean {
		return this.#openedNow?.sessionId === sessionId || existsSync(timelinePath(this.#home, sessionId));
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
		this.#openedNow = undefined;
		for (const [sessionId, { fd }] of this.#open) this.#close(sessionId, fd);
	}

	#create(sessionId: string): OpenTimeline {
		const folder = sessionFolder(this.#home, sessionId);
		makeFolder(folder);
		if (lstatSync(folder).isSymbolicLink()) throw unsupported('the folder of this session is a link; move it away');
		const fd = openSync(timelinePath(this.#home, sessionId), FLAGS, 0o600);
		const stat: Stats = fstatSync(fd);
		if (!stat.isFile()) {
			closeSync(fd);
			throw unsupported('timeline.jsonl is not a regular file; move it away');
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

/** An error in the system's form: something else is at a timeline's path. */
const unsupported = (message: string) => Object.assign(new Error(message), { code: 'ENOTSUP' });

/** The bytes of events in a timeline: each `\n{json}\n`, so that an incomplete line before it spoils none of them. */
export function timelineBytes(events: readonly SealedEvent[]): Buffer {
	return Buffer.from(events.map((event) => `\n${eventLine(event)}\n`).join(''));
}

/**
 * Appends in one synchronous write, which nothing can split. After a short write (a full disk) everything is written once more:
 * the cut piece stays as a gap, and readers drop repeats by their id. Throws if that fails too.
 */
export function appendBytes(fd: number, bytes: Buffer, write: typeof writeSync = writeSync): void {
	if (write(fd, bytes) === bytes.length) return;
	if (write(fd, bytes) === bytes.length) return;
	throw Object.assign(new Error('the timeline could not be written: the disk may be full'), { code: 'ENOSPC' });
}

const WINDOW_BYTES = 256 * 1024;
const MAX_KEYS = 4000;
/** The oldest entries are removed once per this many additions, because removing one at each addition is slow. */
const STRIDE = 1000;
const MAX_SESSIONS = 256;

interface Known {
	ino: number;
	/** Everything before this offset is indexed or older than the window. */
	offset: number;
	answers: Map<string, RecordedAnswer>;
}

/**
 * Remembers which runs and events a timeline contains, and reads only what others have appended since. The server and the
 * one-shot hook use the same code.
 */
export class Recall {
	readonly #sessions = new Map<string, Known>();
	readonly #once: boolean;

	/** `once`: for a process of one hook, which asks for a few keys and almost never finds one. */
	constructor(once = false) {
		this.#once = once;
	}

	/** The answer recorded under one of the keys. Only complete lines count. */
	find(sessionId: string, timeline: OpenTimeline, keys: readonly string[]): RecordedAnswer | undefined {
		// Parsing all lines costs 5 ms; searching their bytes for a key is cheap.
		if (this.#once && !containsOneOf(keys, readWindow(timeline, 0))) return undefined;
		const known = this.#catchUp(sessionId, timeline);
		for (const key of keys) {
			const answer = known.answers.get(key);
			if (answer) return answer;
		}
		return undefined;
	}

	/** The lines with one of these event ids. Reads and parses the whole window, so not for every hook. */
	lines(timeline: OpenTimeline, ids: readonly string[]): Record<string, unknown>[] {
		const { bytes } = readWindow(timeline, 0);
		if (!containsOneOf(ids, { bytes })) return [];
		const events = bytes.toString('utf8').split('\n').flatMap(parseLine);
		return events.filter(({ id }) => typeof id === 'string' && ids.includes(id));
	}

	/** The lines that contain a text; only these are parsed. */
	linesWith(timeline: OpenTimeline, text: string): Record<string, unknown>[] {
		const { bytes } = readWindow(timeline, 0);
		if (!containsOneOf([text], { bytes })) return [];
		const lines = bytes.toString('utf8').split('\n');
		return lines.filter((line) => line.includes(text)).flatMap(parseLine);
	}

	/** Records what this process has just appended, unless others wrote in between: then it is read. */
	note(sessionId: string, before: OpenTimeline, bytes: number, events: readonly SealedEvent[]): void {
		const known = this.#sessions.get(sessionId);
		if (!known || known.ino !== before.ino || known.offset !== before.size) return;
		if (fstatSync(before.fd).size !== before.size + bytes) return;
		index(known, events, true);
		known.offset += bytes;
	}

	#catchUp(sessionId: string, timeline: OpenTimeline): Known {
		const { size, ino } = timeline;
		const before = this.#sessions.get(sessionId);
		const fits = before && before.ino === ino && before.offset <= size;
		const known = fits ? before : { ino, offset: 0, answers: new Map<string, RecordedAnswer>() };
		this.#sessions.delete(sessionId);
		this.#sessions.set(sessionId, known);
		dropOldest(this.#sessions, MAX_SESSIONS, 0);
		if (known.offset === size) return known;
		const { from, bytes } = readWindow(timeline, known.offset);
		const end = bytes.lastIndexOf(0x0a) + 1;
		index(known, bytes.toString('utf8', 0, end).split('\n').flatMap(parseLine), false);
		known.offset = from + end;
		return known;
	}
}

/** The bytes of a timeline from `offset` on, no more than the last 256 KiB, and where they begin. */
function readWindow({ fd, size }: OpenTimeline, offset: number): { from: number; bytes: Buffer } {
	const from = Math.max(offset, size - WINDOW_BYTES);
	const buffer = Buffer.allocUnsafe(size - from);
	return { from, bytes: buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, from)) };
}

/** JSON writes the characters of keys in one way only. */
function containsOneOf(keys: readonly string[], { bytes }: { bytes: Buffer }): boolean {
	return keys.some((key) => bytes.includes(key));
}

function parseLine(line: string): Record<string, unknown>[] {
	const value = line === '' ? undefined : parsedObject(line);
	return value ? [value] : [];
}

/** A run's answer is in its verdict; a run without a verdict had no answer. */
function index(known: Known, events: readonly Record<string, unknown>[], isOwn: boolean): void {
	const decisions = new Map<string, HookDecision>();
	for (const event of events) {
		const run = textOf(event.requestId);
		const decision = event.type === 'gate:verdict' ? answerOf(event) : null;
		if (run && decision) decisions.set(run, decision);
	}
	for (const event of events) {
		const run = textOf(event.requestId);
		const answer = { decision: decisions.get(run ?? '') ?? null, isOwn };
		for (const key of [textOf(event.id), run]) if (key) remember(known.answers, key, answer);
	}
}

/** Older versions recorded what Claude Code printed. Anything else is ignored. */
function answerOf({ answer, output }: Record<string, unknown>): HookDecision | null {
	if (isHookDecision(answer)) return answer;
	return isJson(output) ? adapterOf('claude-code').readPrinted(output) : null;
}

function remember(answers: Known['answers'], key: string, answer: RecordedAnswer): void {
	const before = answers.get(key);
	// If one run has several verdicts, the last one has what was printed; one without an answer changes nothing.
	if (before?.decision && !answer.decision) return;
	if (before?.isOwn && !answer.isOwn) return;
	answers.delete(key);
	answers.set(key, answer);
	dropOldest(answers, MAX_KEYS, STRIDE);
}

/** Reduces a map to its newest `most` entries once it holds `stride` more. */
function dropOldest(entries: Map<string, unknown>, most: number, stride: number): void {
	let surplus = entries.size - most;
	if (surplus <= stride) return;
	for (const key of entries.keys()) {
		entries.delete(key);
		surplus -= 1;
		if (surplus === 0) return;
	}
}
