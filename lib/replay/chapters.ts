import type { Chapter, ChaptersAround } from '../contract/archives/replay.ts';
import type { EventOf, KnownEvent } from '../contract/events/event.ts';
import { isKnown } from '../contract/events/event-labels.ts';
import type { IndexedEvent, SessionView } from '../contract/sessions/read-model/session-view.ts';
import { inWords, sentence, type Words } from '../messages/sentence.ts';
import { findCall } from '../session/call.ts';
import { rowKeyOf } from '../session/fold.ts';
import { expectedWords, resultWords } from '../session/row.ts';
import { fieldText, oneLine } from '../text/printable.ts';

/** The chapter that an event begins at an instant (ms), if any; takes the view before the event. */
export function chapterOf(event: IndexedEvent, at: number, before: SessionView): Chapter | null {
	const chapter = isKnown(event) && !event.unverified ? chapterIn(event, before) : null;
	if (!chapter) return null;
	const { sessionId, seq } = event;
	const title = inWords({ title: chapter.title }, oneLine);
	return { kind: chapter.kind, sessionId, seq, at, row: rowKeyOf(before, event), ...title };
}

/**
 * Index of the chapter at an instant (ms), -1 before the first; `chapters` ascend by `at`. Of several at one instant it is the
 * chosen one, by its seq and session, else the first.
 */
export function chapterAt(
	chapters: readonly Chapter[],
	instant: number,
	chosen?: { sessionId: string; seq: number },
): number {
	const at = chapters[countUpTo(chapters, instant, ({ at }) => at) - 1]?.at;
	if (at === undefined) return -1;
	const isChosen = (chapter: Chapter) => chapter.seq === chosen?.seq && chapter.sessionId === chosen.sessionId;
	const own = chapters.findIndex((chapter) => chapter.at === at && isChosen(chapter));
	return own === -1 ? countUpTo(chapters, at - 1, (chapter) => chapter.at) : own;
}

type Opened = Pick<Chapter, 'kind'> & { title: Words };

function chapterIn(event: KnownEvent, before: SessionView): Opened | null {
	switch (event.type) {
		case 'gate:verdict':
			if (event.decision !== 'deny') return null;
			return { kind: isTurnEnd(event.hook) ? 'sent-on' : 'denial', title: event.reason };
		case 'command:block':
			return event.toolUseId ? null : { kind: 'denial', title: `${event.command}: ${event.reason}` };
		case 'validator:assessment':
			return event.allowed ? null : { kind: 'denial', title: event.reasoning ?? event.validator };
		case 'supervisor:verdict':
			if (event.allow) return null;
			return { kind: isTurnEnd(event.hook) ? 'sent-on' : 'denial', title: event.feedback };
		case 'routing:mismatch':
			return { kind: 'mismatch', title: expectedWords(event) };
		case 'stage:complete':
			return endOfStage(event);
		case 'stage:start':
			return { kind: 'stage', title: sentence('{stage} begins', { stage: event.stage }) };
		case 'prompt:submit':
			// A prompt with which the client reports a background agent is not a person's.
			return event.source === 'user' ? { kind: 'prompt', title: fieldText(event.prompt) } : null;
		case 'agent:error':
			return { kind: 'failure', title: `${event.agent}: ${event.reason}` };
		case 'error:fatal':
		case 'workflow:abort':
			return { kind: 'failure', title: event.reason ?? sentence('aborted') };
		default:
			return decisionIn(event, before);
	}
}

/** An unstated result is not shown, even if the workflow assumed one. */
function endOfStage({ stage, result, source }: EventOf<'stage:complete'>): Opened {
	const isBad = /^(?:fail|reject|unclear)$/i.test(result ?? '');
	const words = source === 'none' ? sentence('no verdict') : resultWords(result);
	const title = words ? sentence('{stage}: {result}', { stage, result: words }) : stage;
	return { kind: isBad ? 'failure' : 'stage', title };
}

/** A person's decision, or their override of a denial. */
function decisionIn(event: KnownEvent, before: SessionView): Opened | null {
	switch (event.type) {
		case 'approval:resolve':
			return {
				kind: event.decision === 'approve' && isDenied(event, before) ? 'override' : 'decision',
				title: decidedWords(event),
			};
		case 'grant:create':
			return { kind: 'decision', title: sentence('granted by an operator: {reason}', { reason: event.reason }) };
		case 'grant:use':
			return { kind: 'override', title: sentence('allowed by a grant: {reason}', { reason: event.reason }) };
		case 'workflow:pause':
			return { kind: 'decision', title: sentence('workflow paused') };
		case 'workflow:resume':
			return { kind: 'decision', title: sentence('workflow resumed') };
		default:
			return null;
	}
}

/** Whether a person lets a call run in spite of a gate's denial. */
function isDenied({ toolUseId }: KnownEvent, { calls }: SessionView): boolean {
	const call = toolUseId === undefined ? undefined : findCall(calls, toolUseId);
	return call?.verdicts.some(({ decision }) => decision === 'deny') ?? false;
}

/** A refused stop: no call was denied. */
const isTurnEnd = (hook: string | undefined) => hook === 'Stop' || hook === 'SubagentStop';

const words = { approve: 'approved', deny: 'denied', answer: 'answered' } as const;
const decidedWords = ({ decision, reason }: EventOf<'approval:resolve'>) =>
	sentence(`${words[decision]} by an operator${reason ? ': {reason}' : ''}` as const, { reason: reason ?? '' });

/**
 * The next or previous chapter; null if there is none. `before` ends with those at the same instant (ms), each of them a step.
 */
export function stepChapter(
	{ before, after }: ChaptersAround,
	instant: number,
	side: 1 | -1,
	chosen?: { sessionId: string; seq: number },
): Chapter | null {
	const all = [...before, ...after];
	const own = all.findIndex(({ at, seq, sessionId }) => {
		return at === instant && seq === chosen?.seq && sessionId === chosen.sessionId;
	});
	if (own !== -1) return all[own + side] ?? null;
	return (side === 1 ? after[0] : before.findLast(({ at }) => at < instant)) ?? null;
}

/** How many of the ascending items are not after `instant`, by the time (ms) of each. */
export function countUpTo<T>(things: readonly T[], instant: number, timeOf: (thing: T) => number): number {
	let [low, high] = [0, things.length];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if (timeOf(things[middle] as T) <= instant) low = middle + 1;
		else high = middle;
	}
	return low;
}
