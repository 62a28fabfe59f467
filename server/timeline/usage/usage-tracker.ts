import { closeSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { adapterOf } from '#hooks-bridge/agents/adapter-of.ts';
import type { AbortLine, Transcripts } from '#hooks-bridge/agents/agent-adapter.ts';
import { isInside } from '#hooks-bridge/disk/bounded-read.ts';
import { systemErrorCode } from '#hooks-bridge/disk/system-error-code.ts';
import type { Ports, SealedEvent } from '#hooks-bridge/ports/ports.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { outcomeOf } from '#lib/session/call.ts';
import { gatherAnswers, type PlacedLine } from '#lib/usage/model-answer.ts';
import type { PriceTable } from '#lib/usage/prices.ts';
import { readPrices } from '#lib/usage/usage-settings.ts';
import type { Log } from '../../process/log.ts';
import { LruMap } from '../../process/lru-map.ts';
import { readConfig } from '../../process/read-config.ts';
import type { TailStore } from '../store/index-store.ts';
import type { Tail } from '../tail/tail.ts';
import { READ_FLAGS, readLines, tailDigest } from '../tail/timeline-file.ts';
import {
	fileState,
	type SessionTranscript,
	transcriptPathOf,
	transcriptsOf,
	type UsageSources,
} from './session-transcripts.ts';
import { abortEvent, appendFresh, isOwnAnswer, stopEvent, usageEvent, usageWarning } from './usage-event.ts';

/** A client writes an answer shortly after the hook that follows it. */
const DELAY_MS = 1000;
/** How often active sessions are checked for a stop by the person that no hook reports. */
const WATCH_MS = 3000;
/** For other sessions the timeline records how far their transcripts were read. */
const MAX_SESSIONS = 200;
const STALE_MS = 24 * 60 * 60_000;

const NO_TRANSCRIPT =
	'What the agent names as its transcript cannot be that of this session (the client keeps those elsewhere, or under another name); it is not read, and tokens are not counted';

interface Known {
	state: string;
	reading: TranscriptReading | undefined;
}

interface OfSession {
	known: Map<string, Known>;
	view: SessionView;
	transcripts: Transcripts;
	prices: PriceTable;
}

/** Records what models used, soon after any event of a session. One session at a time, in pieces. */
export function createUsageTracker(options: {
	tail: Pick<Tail, 'onBatch' | 'views' | 'viewOf' | 'whenRead'>;
	index: Pick<TailStore, 'knownIds'>;
	ports: Ports;
	sources: UsageSources;
	log: Log;
	delayMs?: number;
	watchMs?: number;
}) {
	const { tail, index, ports, sources, log, delayMs = DELAY_MS, watchMs = WATCH_MS } = options;
	const files = new LruMap<string, Map<string, Known>>(MAX_SESSIONS);
	const due = new Set<string>();
	const warned = new Set<string>();
	const failing = new Set<string>();
	const watched = new Set<string>();
	let watch: NodeJS.Timeout | undefined;
	let timer: NodeJS.Timeout | undefined;
	let working: Promise<void> | undefined;
	let stopped = false;
	let unsubscribe = (): void => undefined;

	function enqueue(view: SessionView): void {
		if (transcriptPathOf(view) === undefined || stopped) return;
		due.add(view.sessionId);
		timer ??= setTimeout(work, delayMs).unref();
	}

	/** Watches a session if only its transcript reports a stop by the person. */
	function watchOrForget({ sessionId, agent, turn }: SessionView): void {
		if (turn === 'running' && adapterOf(agent).transcripts?.aborts) watched.add(sessionId);
		else watched.delete(sessionId);
	}

	function work(): Promise<void> {
		clearTimeout(timer);
		timer = undefined;
		const now = [...due];
		due.clear();
		working = (working ?? Promise.resolve()).then(() => readAll(now));
		return working;
	}

	async function readAll(sessionIds: readonly string[]): Promise<void> {
		const { table, problems } = readPrices(readConfig(ports));
		for (const problem of problems) warnOnce(`config.json: ${problem}`);
		for (const sessionId of sessionIds) {
			try {
				await readSession(sessionId, table);
			} catch (error) {
				files.delete(sessionId);
				if (!failing.has(sessionId)) log.error('usage: a transcript could not be read', error, { session: sessionId });
				failing.add(sessionId);
			}
		}
	}

	async function readSession(sessionId: string, prices: PriceTable): Promise<void> {
		const view = tail.viewOf(sessionId);
		const { transcripts } = adapterOf(view?.agent);
		const path = view && transcriptPathOf(view);
		if (path === undefined || !view || !transcripts) return;
		const known = files.get(sessionId) ?? new Map<string, Known>();
		files.set(sessionId, known);
		const transcriptFiles = transcriptsOf(transcripts, path, view);
		if (!transcriptFiles && fileState(path) !== '') append(sessionId, [usageWarning(NO_TRANSCRIPT, sessionId, ports)]);
		for (const file of transcriptFiles ?? []) await readOne(file, { known, view, transcripts, prices });
	}

	async function readOne(
		{ path, root, agentId }: SessionTranscript,
		{ known, view, transcripts, prices }: OfSession,
	): Promise<void> {
		const { sessionId } = view;
		const state = fileState(path);
		const before = known.get(path);
		const isOver = (view.ended ?? view.lost) !== undefined;
		if (state === '' || (before?.state === state && !(isOver && before.reading?.held))) return;
		const reading = await readTranscript({
			path,
			root,
			transcripts,
			isOver,
			reading: before?.reading,
			from: view.usage?.read.find((one) => one.agentId === (agentId ?? ''))?.to ?? 0,
			onAnswers: (answers) => recordAnswers(answers, agentId, sessionId, prices),
			onAbort: (abort) => recordAbort(abort, sessionId),
			warn: (why) => append(sessionId, [usageWarning(why, sessionId, ports)]),
		});
		known.set(path, { state, reading });
	}

	function recordAnswers(
		answers: readonly PlacedLine[],
		agentId: string | undefined,
		sessionId: string,
		prices: PriceTable,
	): void {
		const view = tail.viewOf(sessionId);
		if (!view) return;
		const own = answers.filter((line) => isOwnAnswer(line, view));
		if (own.length === 0 || !sources.mayRecord('transcript', view)) return;
		append(
			sessionId,
			own.map((line) => usageEvent(line, agentId, view, prices, ports)),
		);
	}

	/** A stop with later events is over: they ended the turn. */
	function recordAbort(abort: AbortLine, sessionId: string): void {
		const view = tail.viewOf(sessionId);
		if (abort.toolUseId !== undefined) return recordStop(abort, view);
		if (view?.turn !== 'running' || (view.lastAt ?? '') > abort.at) return;
		append(sessionId, [abortEvent(abort, sessionId, ports)]);
	}

	/** Records the stop of a call that was let run and has no outcome. */
	function recordStop(stop: AbortLine, view: SessionView | undefined): void {
		const call = view?.calls.find(({ toolUseId }) => toolUseId === stop.toolUseId);
		if (!view || !call || !['running', 'unknown'].includes(outcomeOf(call)) || call.approval?.isPrompt) return;
		append(view.sessionId, [stopEvent(stop, call, view.sessionId, ports)]);
	}

	const append = (sessionId: string, events: readonly SealedEvent[]) =>
		appendFresh(sessionId, events, { index, ports });

	function warnOnce(message: string): void {
		if (!warned.has(message)) log.warn(message);
		warned.add(message);
	}

	return {
		start(): void {
			unsubscribe = tail.onBatch(({ events, view }) => {
				watchOrForget(view);
				if (events.some(({ type }) => type !== 'model:usage')) enqueue(view);
			});
			const since = new Date(ports.now() - STALE_MS).toISOString();
			for (const view of tail.views()) {
				if ((view.lastAt ?? '') <= since) continue;
				watchOrForget(view);
				enqueue(view);
			}
			watch = setInterval(() => {
				if (watched.size === 0) return;
				for (const sessionId of watched) due.add(sessionId);
				void work();
			}, watchMs).unref();
		},
		async whenSettled(): Promise<void> {
			await tail.whenRead();
			await work();
			await tail.whenRead();
		},
		/** Reads the rest, and ends. */
		async stop(): Promise<void> {
			unsubscribe();
			clearInterval(watch);
			stopped = true;
			await work();
		},
	};
}

/** How far a transcript was read, with an answer that may be incomplete. */
export interface TranscriptReading extends TranscriptCursor {
	held?: PlacedLine | undefined;
}

interface TranscriptRequest {
	path: string;
	/** No file outside is read. */
	root: string;
	transcripts: Pick<Transcripts, 'hint' | 'readAnswer' | 'aborts'>;
	/** Where the last reading ended; else `from` comes from the timeline. */
	reading?: TranscriptReading | undefined;
	from: number;
	/** No more lines come: the held answer is final. */
	isOver: boolean;
	onAnswers: (answers: readonly PlacedLine[]) => void;
	/** A person stopped a turn. */
	onAbort: (abort: AbortLine) => void;
	warn: (why: string) => void;
}

/** Reads what is new, one piece a turn. Returns where to continue; undefined if no file may be read. */
export async function readTranscript(request: TranscriptRequest): Promise<TranscriptReading | undefined> {
	const file = openTranscript(request.path, request.root);
	if (file === null) return undefined;
	if ('refused' in file) {
		request.warn(`The transcript is not read, so tokens are not counted: ${file.refused}`);
		return undefined;
	}
	try {
		let reading: TranscriptReading = request.reading
			? resumeAt(file, request.reading)
			: { ...cursorAt(file, request.from), held: undefined };
		for (;;) {
			const next = readPiece(file, reading, request);
			reading = next.reading;
			if (!next.more) return reading;
			await nextTurn();
		}
	} finally {
		closeSync(file.fd);
	}
}

function readPiece(file: TranscriptFile, reading: TranscriptReading, request: TranscriptRequest) {
	const { fd } = file;
	const { hint, readAnswer, aborts } = request.transcripts;
	const lines: PlacedLine[] = [];
	const { position, more } = readLines(fd, reading, {
		line(line, offset) {
			const answer = line.includes(hint) ? readAnswer(line.toString('utf8')) : null;
			if (answer) lines.push({ ...answer, readTo: offset + line.length + 1 });
			const abort = aborts && line.includes(aborts.hint) ? aborts.read(line.toString('utf8')) : null;
			if (abort) request.onAbort(abort);
		},
		tooLong(offset) {
			// Most lines of such a size hold an image or a tool's output.
			if (beginsWithHint(fd, offset, hint))
				request.warn('A line of the transcript is too long; its tokens are not counted');
		},
	});
	const { whole, held } = gatherAnswers(reading.held, lines);
	const isLast = !more && request.isOver && held;
	request.onAnswers(isLast ? [...whole, held] : whole);
	const { device, inode } = file;
	const digest = tailDigest(fd, position.offset);
	return { reading: { device, inode, ...position, digest, held: isLast ? undefined : held }, more };
}

const MAX_BYTES = 1024 * 1024 * 1024;
const NEWLINE = 10;

interface TranscriptFile {
	fd: number;
	device: number;
	inode: number;
	size: number;
}

interface Refusal {
	refused: string;
}

interface TranscriptCursor extends Omit<TranscriptFile, 'fd' | 'size'> {
	offset: number;
	scanned: number;
	digest: string;
}

/** Opens a plain file of this user below `root`, not through a link: its path comes from the agent. */
function openTranscript(path: string, root: string): TranscriptFile | Refusal | null {
	let fd: number | undefined;
	try {
		const stat = lstatSync(path, { throwIfNoEntry: false });
		if (!stat) return null;
		if (!stat.isFile()) return { refused: 'it is a link or no plain file' };
		if (!isInside(path, root)) return { refused: 'it leads out of the client’s folder through a link' };
		fd = openSync(path, READ_FLAGS);
		const { dev: device, ino: inode, size, uid } = fstatSync(fd);
		if (device !== stat.dev || inode !== stat.ino) return closeRefused(fd, 'it was replaced while it was opened');
		if (uid !== process.getuid?.()) return closeRefused(fd, 'it belongs to another user');
		if (size > MAX_BYTES) return closeRefused(fd, 'it is larger than 1 GiB');
		return { fd, device, inode, size };
	} catch (error) {
		const code = systemErrorCode(error) ?? 'error';
		return code === 'ENOENT' || code === 'ENOTDIR' ? null : closeRefused(fd, `it cannot be read (${code})`);
	}
}

function closeRefused(fd: number | undefined, refused: string): Refusal {
	if (fd !== undefined) closeSync(fd);
	return { refused };
}

/** At the cursor, if this is the same file and was not rewritten; else at the start. */
function resumeAt(file: TranscriptFile, cursor: TranscriptCursor | undefined): TranscriptCursor {
	const { fd, device, inode, size } = file;
	const isSame =
		cursor &&
		cursor.device === device &&
		cursor.inode === inode &&
		cursor.scanned <= size &&
		tailDigest(fd, cursor.offset) === cursor.digest;
	return isSame ? cursor : cursorAt(file, 0);
}

/** At `offset` if a line ends there, else at the start. */
function cursorAt({ fd, device, inode, size }: TranscriptFile, offset: number): TranscriptCursor {
	const isLineEnd = offset > 0 && offset <= size && byteAt(fd, offset - 1) === NEWLINE;
	const at = isLineEnd ? offset : 0;
	return { device, inode, offset: at, scanned: at, digest: tailDigest(fd, at) };
}

function byteAt(fd: number, position: number): number | undefined {
	const byte = Buffer.alloc(1);
	return readSync(fd, byte, 0, 1, position) === 1 ? byte[0] : undefined;
}

function beginsWithHint(fd: number, offset: number, hint: string): boolean {
	const head = Buffer.alloc(4096);
	return head.subarray(0, readSync(fd, head, 0, head.length, offset)).includes(hint);
}
