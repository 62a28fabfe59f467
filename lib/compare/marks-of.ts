import type { LedgerEntry } from '../contract/archives/decisions.ts';
import { isKnown } from '../contract/events/is-known.ts';
import { oneLine } from '../session/call-title.ts';
import type { IndexedEvent } from '../session/view.ts';
import { type Mark, MOST, type PassFacts } from './pass-facts.ts';

/** Puts a mark to a run of a stage, unless it has so many of that kind already. */
export function addMark({ marks }: Pick<PassFacts, 'marks'>, mark: Mark): void {
	const most = mark.kind === 'call' ? MOST.calls : MOST.marks;
	if (marks.filter(({ kind }) => kind === mark.kind).length < most) marks.push(mark);
}

/** What an event marks, which belongs to `row` of the story. */
export function eventMark(event: IndexedEvent, row: string): Mark | null {
	if (!isKnown(event)) return null;
	const at = Date.parse(event.ts);
	switch (event.type) {
		case 'agent:start':
			return { kind: 'agent', name: event.agent, text: event.agent, row, at };
		case 'agent:delegate':
			// Ours belongs to a call; of a foreign line it is all that tells of the agent.
			return event.toolUseId ? null : { kind: 'agent', name: event.agent, text: event.agent, row, at };
		case 'routing:mismatch': {
			const { actual } = event;
			const expected = oneLine(event.expected.join(', '), 100);
			const text = `${actual} was asked for where the plan said ${expected}`;
			return { kind: 'mismatch', name: `${actual}, ${expected}`, text, row, at };
		}
		case 'supervisor:verdict':
			return event.allow ? null : { kind: 'review', name: event.hook, text: oneLine(event.feedback), row, at };
		case 'agent:error':
			return { kind: 'failure', name: event.agent, text: oneLine(`${event.agent} failed: ${event.reason}`), row, at };
		case 'error:fatal':
			return { kind: 'failure', name: 'error:fatal', text: oneLine(event.reason), row, at };
		default:
			return null;
	}
}

/** What a line of the ledger marks: a denial that held, a stop that was refused, or what a person let run all the same. */
export function ledgerMark(entry: LedgerEntry): Mark | null {
	const { rowKey: row, at, askedAt, tool, title, denials, isDenied, isStop, isOverridden } = entry;
	if (!isDenied && !isOverridden) return null;
	const rules = [...new Set(denials.map(({ rule }) => rule))].sort().join(', ');
	const kind = isOverridden ? 'override' : isStop ? 'stop' : 'denial';
	const text = oneLine(isStop ? title : `${tool} ${title}`);
	return { kind, name: rules || tool, text, row, at: Date.parse(askedAt ?? at) };
}
