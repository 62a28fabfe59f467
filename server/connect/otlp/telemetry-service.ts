import { contentId } from '#hooks-bridge/engine/draft-events.ts';
import type { Ports, SealedEvent } from '#hooks-bridge/ports/ports.ts';
import { FIRST_AGENT } from '#lib/agents/agent-table.ts';
import type { FieldsOf } from '#lib/contract/events/event.ts';
import type { TelemetryCounts } from '#lib/contract/health/status.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import type { AnswerFact, TelemetryFact } from '#lib/otlp/telemetry-fact.ts';
import { find, findCall } from '#lib/session/call.ts';
import { costOf, type PriceTable } from '#lib/usage/prices.ts';
import { readPrices } from '#lib/usage/usage-settings.ts';
import type { HookPause } from '../../door/start-door-thread.ts';
import { readConfig } from '../../process/read-config.ts';
import type { TailStore } from '../../timeline/store/index-store.ts';
import type { Tail } from '../../timeline/tail/tail.ts';
import type { UsageSources } from '../../timeline/usage/session-transcripts.ts';
import { appendFresh, sealEvent } from '../../timeline/usage/usage-event.ts';

const WAIT_MS = 15 * 60_000;
const MAX_WAITING = 20_000;
/** Facts that may wait to be recorded; recording is slow while hooks come in. */
const MAX_QUEUED = 20_000;
/** Facts that are recorded at once, about a millisecond of work, so that hooks do not wait. */
const AT_ONCE = 12;

interface Waiting {
	since: number;
	facts: TelemetryFact[];
}

/** Joins what clients export to the sessions that hooks reported, and counts what cannot be joined. */
export function createTelemetryService(options: {
	tail: Pick<Tail, 'onBatch' | 'viewOf'>;
	index: Pick<TailStore, 'knownIds'>;
	ports: Pick<Ports, 'append' | 'now' | 'digest' | 'readHomeFile'>;
	sources: UsageSources;
	pause: Pick<HookPause, 'next'>;
}) {
	const { tail, index, ports, sources, pause } = options;
	const sums = { records: 0, rejected: 0, refused: 0, told: 0, inTranscript: 0, unjoined: 0, callless: 0 };
	const waiting = new Map<string, Waiting>();
	let waitingFacts = 0;

	function recordFacts(sessionId: string, facts: readonly TelemetryFact[], prices: PriceTable): void {
		const view = viewFor(sessionId);
		if (!view) return holdFacts(sessionId, facts);
		const own = facts.filter(({ make }) => make === (view.agent ?? FIRST_AGENT));
		sums.unjoined += facts.length - own.length;
		const events = own.flatMap((fact) => {
			if (fact.says.kind === 'answer' && !sources.mayRecord('telemetry', view)) {
				sums.inTranscript += 1;
				return [];
			}
			if (fact.toolUseId !== undefined && knownCall(fact, view) === undefined) sums.callless += 1;
			return [telemetryEvent(fact, view, prices, ports)];
		});
		sums.told += appendFresh(sessionId, events, { index, ports });
	}

	const viewFor = (sessionId: string): SessionView | undefined =>
		sessionId === HOME_SESSION ? undefined : tail.viewOf(sessionId);

	function holdFacts(sessionId: string, facts: readonly TelemetryFact[]): void {
		const held = waiting.get(sessionId) ?? { since: ports.now(), facts: [] };
		waiting.set(sessionId, held);
		held.facts.push(...facts);
		waitingFacts += facts.length;
		giveUp();
	}

	function giveUp(): void {
		for (const [sessionId, { since, facts }] of waiting) {
			if (waitingFacts <= MAX_WAITING && ports.now() - since < WAIT_MS) return;
			waiting.delete(sessionId);
			waitingFacts -= facts.length;
			sums.unjoined += facts.length;
		}
	}

	async function recordInTurns(facts: readonly TelemetryFact[]): Promise<void> {
		const { table } = readPrices(readConfig(ports));
		for (let index = 0; index < facts.length; index += AT_ONCE) {
			for (const [sessionId, some] of bySession(facts.slice(index, index + AT_ONCE)))
				recordFacts(sessionId, some, table);
			await pause.next();
		}
	}

	/** Exports are recorded one after another, so that together they take no longer in a turn than one. */
	let recording: Promise<void> = Promise.resolve();
	let queuedFacts = 0;

	/** Resolves when all facts are recorded, or wait for their session. */
	async function ingest(facts: readonly TelemetryFact[]): Promise<void> {
		giveUp();
		if (facts.length === 0) return;
		queuedFacts += facts.length;
		const mine = recording
			.then(() => recordInTurns(facts))
			.finally(() => {
				queuedFacts -= facts.length;
			});
		recording = mine.catch(() => undefined);
		await mine;
	}

	const unsubscribe = tail.onBatch(({ sessionId }) => {
		const held = waiting.get(sessionId);
		if (!held) return;
		waiting.delete(sessionId);
		waitingFacts -= held.facts.length;
		// If the disk refuses it now, nobody sends it again.
		ingest(held.facts).catch(() => {
			sums.unjoined += held.facts.length;
		});
	});

	return {
		ingest,
		isFull: () => queuedFacts >= MAX_QUEUED,
		count({
			records = 0,
			rejected = 0,
			refused = 0,
		}: Partial<Record<'records' | 'rejected' | 'refused', number>>): void {
			sums.records += records;
			sums.rejected += rejected;
			sums.refused += refused;
		},
		counts(): TelemetryCounts {
			giveUp();
			return { ...sums, waiting: waitingFacts };
		},
		stop: unsubscribe,
	};
}

export type TelemetryService = ReturnType<typeof createTelemetryService>;

function bySession(facts: readonly TelemetryFact[]): Map<string, TelemetryFact[]> {
	const groups = new Map<string, TelemetryFact[]>();
	for (const fact of facts) {
		const group = groups.get(fact.sessionId);
		if (group) group.push(fact);
		else groups.set(fact.sessionId, [fact]);
	}
	return groups;
}

const CLIENT_PRICES = 'client';

/** The event of a fact; the same export sent again gives the same id. The id of an unknown call is left out. */
export function telemetryEvent(
	fact: TelemetryFact,
	view: SessionView,
	prices: PriceTable,
	ports: Pick<Ports, 'now' | 'digest'>,
): SealedEvent {
	const { make, agentId, promptId, at, nonce, says } = fact;
	const parts = ['telemetry', make, view.sessionId, nonce, JSON.stringify([fact.toolUseId, says])];
	const id = contentId(ports, parts);
	const toolUseId = knownCall(fact, view);
	const stage = find(view.agents, 'agentId', agentId)?.stage;
	const fields = {
		...(agentId !== undefined && { agentId }),
		...(toolUseId !== undefined && { toolUseId }),
		...(says.kind === 'answer' ? answerFields(says, id, stage, prices) : rest(says)),
		...(at !== undefined && { at: new Date(at).toISOString() }),
		...(promptId !== undefined && { promptId }),
	};
	return sealEvent(TYPES[says.kind], parts, view.sessionId, fields, ports);
}

export function knownCall({ toolUseId }: TelemetryFact, view: SessionView): string | undefined {
	return toolUseId === undefined ? undefined : findCall(view.calls, toolUseId)?.toolUseId;
}

const TYPES = { answer: 'model:usage', error: 'model:error', decision: 'permission:decide' } as const;

function rest({ kind: _kind, ...fields }: Exclude<TelemetryFact['says'], AnswerFact>) {
	return fields satisfies FieldsOf<'model:error' | 'permission:decide'>;
}

function answerFields(
	{ kind: _kind, costUsd, fast, cacheHourTokens, messageId, ...counts }: AnswerFact,
	id: string,
	stage: string | undefined,
	prices: PriceTable,
): FieldsOf<'model:usage'> {
	const answer = { ...counts, messageId: messageId ?? id, cacheHourTokens, webSearches: 0, ...(fast && { fast }) };
	const cost = costUsd ?? costOf(answer, prices);
	return {
		...counts,
		messageId: messageId ?? id,
		...(cost !== undefined && { costUsd: cost, prices: costUsd === undefined ? prices.date : CLIENT_PRICES }),
		...(stage && { stage }),
		source: 'telemetry',
	};
}
