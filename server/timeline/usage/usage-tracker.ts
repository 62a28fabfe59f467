import { adapterOf } from '#hooks-bridge/agents/adapter-of.ts';
import type { AbortLine, Transcripts } from '#hooks-bridge/agents/agent-adapter.ts';
import type { Ports, SealedEvent } from '#hooks-bridge/ports/ports.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { outcomeOf } from '#lib/session/call.ts';
import type { PlacedLine } from '#lib/usage/model-answer.ts';
import type { PriceTable } from '#lib/usage/prices.ts';
import { readPrices } from '#lib/usage/usage-settings.ts';
import type { Log } from '../../process/log.ts';
import { LruMap } from '../../process/lru-map.ts';
import { readConfig } from '../../process/read-config.ts';
import type { TailStore } from '../store/index-store.ts';
import type { Tail } from '../tail/tail.ts';
import { readTranscript, type TranscriptReading } from './read-transcript.ts';
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
const MOST_SESSIONS = 200;
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
	const files = new LruMap<string, Map<string, Known>>(MOST_SESSIONS);
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
