import { isKnown } from '../contract/is-known.ts';
import { oneLine } from '../session/call-title.ts';
import { rowKeyOf } from '../session/row-key.ts';
import type { IndexedEvent, SessionView } from '../session/view.ts';

/** What makes a moment worth a jump. */
export const chapterKinds = ['denial', 'sent-on', 'mismatch', 'decision', 'failure'] as const;
export type ChapterKind = (typeof chapterKinds)[number];

/** A moment of a session that a reader jumps to. */
export interface Chapter {
	kind: ChapterKind;
	sessionId: string;
	/** Ms since the epoch. */
	at: number;
	/** The story's row. */
	row: string;
	/** Agent text. */
	title: string;
}

/** The chapter that an event opens, if it is one; takes the view before the event. */
export function chapterOf(event: IndexedEvent, before: SessionView): Chapter | null {
	const told = tellOf(event);
	if (!told || event.unverified) return null;
	const place = { sessionId: event.sessionId, at: Date.parse(event.ts), row: rowKeyOf(before, event) };
	return { ...told, ...place, title: oneLine(told.title) };
}

function tellOf(event: IndexedEvent): Pick<Chapter, 'kind' | 'title'> | null {
	if (!isKnown(event)) return null;
	switch (event.type) {
		case 'gate:verdict':
			if (event.decision !== 'deny') return null;
			return { kind: isEndOfTurn(event.hook) ? 'sent-on' : 'denial', title: event.reason };
		case 'command:block':
			// The verdict on its call is the chapter already.
			return event.toolUseId ? null : { kind: 'denial', title: `${event.command}: ${event.reason}` };
		case 'validator:assessment':
			return event.allowed ? null : { kind: 'denial', title: event.reasoning ?? event.validator };
		case 'supervisor:verdict':
			if (event.allow) return null;
			return { kind: isEndOfTurn(event.hook) ? 'sent-on' : 'denial', title: event.feedback };
		case 'routing:mismatch':
			return { kind: 'mismatch', title: `${event.actual}, expected ${event.expected.join(', ')}` };
		case 'approval:resolve':
			return { kind: 'decision', title: [wordOf(event.decision), event.reason].filter(Boolean).join(': ') };
		case 'grant:create':
			return { kind: 'decision', title: `granted by an operator: ${event.reason}` };
		case 'grant:use':
			return { kind: 'decision', title: `allowed by a grant: ${event.reason}` };
		case 'workflow:pause':
			return { kind: 'decision', title: 'workflow paused' };
		case 'workflow:resume':
			return { kind: 'decision', title: 'workflow resumed' };
		case 'stage:complete': {
			const isBad = /^(?:fail|reject|unclear)$/i.test(event.result ?? '');
			return isBad ? { kind: 'failure', title: `${event.stage}: ${event.result}` } : null;
		}
		case 'agent:error':
			return { kind: 'failure', title: `${event.agent}: ${event.reason}` };
		case 'error:fatal':
		case 'workflow:abort':
			return { kind: 'failure', title: event.reason ?? 'aborted' };
		default:
			return null;
	}
}

/** No call was denied there: the agent was sent on instead of ending its turn. */
const isEndOfTurn = (hook: string | undefined) => hook === 'Stop' || hook === 'SubagentStop';

const words = { approve: 'approved', deny: 'denied', answer: 'answered' } as const;
const wordOf = (decision: keyof typeof words) => `${words[decision]} by an operator`;

/** The first moment after `instant`, or the last one before it; null when there is none. Whole ms; `moments` ascend. */
export function stepFrom(moments: readonly number[], instant: number, side: 1 | -1): number | null {
	return moments[side === 1 ? countUpTo(moments, instant) : countUpTo(moments, instant - 1) - 1] ?? null;
}

/** How many of the ascending moments are not after `instant`. */
export function countUpTo(moments: readonly number[], instant: number): number {
	let [low, high] = [0, moments.length];
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((moments[middle] ?? 0) <= instant) low = middle + 1;
		else high = middle;
	}
	return low;
}
