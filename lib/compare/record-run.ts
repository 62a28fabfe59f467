import type { EventOf } from '../contract/events/event.ts';
import { isKnown } from '../contract/events/is-known.ts';
import type { UsageTotals } from '../contract/events/usage.ts';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { featureRole } from '../features/outcome.ts';
import { addUsage, noUsage, totalsOf } from '../usage/usage-totals.ts';
import { recordSession, type SessionFacts } from './record-session.ts';

/** What is compared of one run: an archived feature with its sessions, or one session. */
export interface RunFacts {
	/** The first begun first. */
	sessions: readonly (SessionFacts & { usage: UsageTotals | null; events: number })[];
	isCut: boolean;
}

/** So many events of a run are read; what comes after them is not compared, and the comparison says so. */
export const MOST_EVENTS = 1_000_000;

/**
 * Folds a run for comparing. Of an archived feature counts, as in its outcome, what lies between the line that binds a
 * session to it (else the session's start) and the line that archives it; of a plain session all counts.
 */
export function recordRun(feature?: string) {
	const sessions: ReturnType<typeof recordPart>[] = [];
	let left = MOST_EVENTS;
	let isCut = false;
	return {
		/** Takes up one session; `add` gets its events by seq, and gives false once no more are compared. */
		session(sessionId: string) {
			const part = recordPart(sessionId, feature);
			sessions.push(part);
			return {
				add(event: IndexedEvent): boolean {
					isCut ||= left <= 0;
					if (isCut) return false;
					left -= 1;
					part.add(event);
					return true;
				},
			};
		},
		facts(): RunFacts {
			const told = sessions.map((part) => part.facts()).filter(({ events }) => events > 0);
			const ordered = told.sort(
				(one, other) => startOf(one) - startOf(other) || (one.sessionId < other.sessionId ? -1 : 1),
			);
			return { sessions: ordered, isCut: isCut || told.some((session) => session.isCut) };
		},
	};
}

const startOf = ({ work }: SessionFacts): number => work[0]?.from ?? 0;

/** That part of one session that counts. */
function recordPart(sessionId: string, feature: string | undefined) {
	let recorder = recordSession(sessionId);
	let events = 0;
	let usage: UsageTotals | null = null;
	let [from, to] = ['', ''];
	let isBound = false;
	let isClosed = false;

	function bind(ts: string): void {
		const { cwd, project, title } = recorder.view();
		const known = { ...(cwd && { cwd }), ...(project && { project }), ...(title && { title }) };
		recorder = recordSession(sessionId, known);
		isBound = true;
		[events, usage, from, to] = [0, null, ts, ts];
	}

	/** An answer is read later than it came: what counts is when that was. */
	function addAnswer(event: EventOf<'model:usage'>): void {
		const { at = event.ts } = event;
		if (at >= from && (!isClosed || at <= to)) usage = addUsage(usage ?? noUsage, totalsOf(event));
	}

	return {
		add(event: IndexedEvent): void {
			const role = feature === undefined ? null : featureRole(event, feature);
			if (role === 'binds' && !isBound) bind(event.ts);
			if (isKnown(event) && event.type === 'model:usage') addAnswer(event);
			if (isClosed) return;
			if (from === '' || event.ts < from) from = event.ts;
			if (event.ts > to) to = event.ts;
			events += 1;
			recorder.add(event);
			isClosed = role === 'archives';
		},
		facts: (): RunFacts['sessions'][number] => ({ ...recorder.facts(), usage, events }),
	};
}
