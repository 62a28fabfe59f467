import type { FeatureOutcome } from '../contract/archives/features.ts';
import { isKnown } from '../contract/events/event-labels.ts';
import type { UsageTotals } from '../contract/events/usage.ts';
import type { Counters, IndexedEvent, SessionView } from '../contract/sessions/read-model/session-view.ts';
import type { StageResult } from '../contract/sessions/read-model/workflow-state.ts';
import { collectBusySpans } from '../replay/collect-busy-spans.ts';
import { instantOf } from '../replay/recording.ts';
import { isReadLater } from '../session/fold-head.ts';
import { SessionFold } from '../session/session-fold.ts';
import { busySpans } from '../timeline/time-scale.ts';
import { addUsage, noUsage, totalsOf } from '../usage/usage-totals.ts';
import { passAtK } from '../workflow/pass-at-k.ts';
import { readResult } from '../workflow/read-workflow-state.ts';

type Counted = Pick<Counters, 'retries' | 'denials' | 'overrides'>;

interface Part {
	sessionId: string;
	before: Counted;
	after: Counted;
	from: string;
	to: string;
	/** When somebody worked on it last: it may be archived weeks later. */
	workedTo: string;
	busy: ReturnType<typeof collectBusySpans>;
	lastAt: number | null;
	attempts: [stage: string, result: StageResult | null][];
	usage: UsageTotals;
}

/** The meaning of an event for a feature: from here on the session works on it, or has archived it. */
export function featureRole(event: IndexedEvent, feature: string): 'binds' | 'archives' | null {
	if (!isKnown(event) || !('featureName' in event) || event.featureName !== feature) return null;
	return event.type === 'specs:archive' ? 'archives' : 'binds';
}

/**
 * Computes the outcome of a feature from the events of its sessions, each from the line that binds the session to it up to the
 * line that archives it; a session without the first counts from its start. Sessions come one after another, events by seq.
 */
export function countOutcome(feature: string) {
	const parts: (Part | undefined)[] = [];
	return {
		/** Begins a session: `add` folds its events, `view` gives the current fold. */
		session(sessionId: string) {
			const slot = parts.push(undefined) - 1;
			const session = new SessionFold(sessionId);
			let bound = false;
			let closed = false;
			return {
				add(event: IndexedEvent): void {
					const role = featureRole(event, feature);
					const before = session.view;
					if (!parts[slot] || (role === 'binds' && !bound)) parts[slot] = beginPart(before, event);
					bound ||= role === 'binds';
					const { view } = session.add(event);
					if (parts[slot]) addAnswer(parts[slot], event, closed);
					if (!closed && parts[slot]) extendPart(parts[slot], before, view, event);
					closed ||= role === 'archives';
				},
				view: (): SessionView => session.view,
			};
		},
		total: (): FeatureOutcome => sumParts(parts.filter((part) => part !== undefined)),
	};
}

function beginPart({ sessionId, counters }: SessionView, { ts }: IndexedEvent): Part {
	const stretch = { from: ts, to: ts, workedTo: ts, busy: collectBusySpans(), lastAt: null };
	return { sessionId, before: counters, after: counters, ...stretch, attempts: [], usage: noUsage };
}

/** An answer is recorded later than it came; its own time counts. */
function addAnswer(part: Part, event: IndexedEvent, closed: boolean): void {
	if (!isKnown(event) || event.type !== 'model:usage') return;
	const { at = event.ts } = event;
	if (at >= part.from && (!closed || at <= part.to)) part.usage = addUsage(part.usage, totalsOf(event));
}

function extendPart(part: Part, before: SessionView, { counters }: SessionView, event: IndexedEvent): void {
	part.after = counters;
	if (isReadLater(event)) return;
	if (event.ts < part.from) part.from = event.ts;
	if (event.ts > part.to) part.to = event.ts;
	if (!afterwards.has(event.type)) {
		if (event.ts > part.workedTo) part.workedTo = event.ts;
		part.lastAt = instantOf(event, part.lastAt);
		part.busy.add(part.lastAt, before);
	}
	if (!isKnown(event) || event.type !== 'stage:complete') return;
	part.attempts.push([event.stage, event.source === 'none' ? 'unclear' : readResult(event.result)]);
}

/** Events that may come long after the last work. */
export const afterwards: ReadonlySet<string> = new Set([
	'specs:archive',
	'session:end',
	'session:lost',
	'session:notice',
]);

function sumParts(parts: readonly Part[]): FeatureOutcome {
	const sum = (name: keyof Counted) => parts.reduce((all, { before, after }) => all + after[name] - before[name], 0);
	const attempts = new Map<string, (StageResult | null)[]>();
	for (const [nth, part] of parts.entries()) {
		for (const [stage, result] of part.attempts) {
			const key = `${nth} ${stage}`;
			attempts.set(key, [...(attempts.get(key) ?? []), result]);
		}
	}
	const { pass1Rate, unclearCount } = passAtK(Object.fromEntries(attempts));
	const usage = parts.map((part) => part.usage).reduce(addUsage, noUsage);
	const from = Math.min(...parts.map((part) => Date.parse(part.from)));
	const to = Math.max(...parts.map((part) => Date.parse(part.workedTo)));
	const busy = busySpans(parts.flatMap((part) => part.busy.spans()));
	const worked = busy.reduce((sum, span) => sum + span.to - span.from, 0);
	const durationMs = parts.length === 0 ? 0 : to - from;
	return {
		durationMs,
		idleMs: Math.max(0, durationMs - worked),
		retries: sum('retries'),
		passAt1: pass1Rate,
		...(unclearCount > 0 && { unclear: unclearCount }),
		denials: sum('denials'),
		overrides: sum('overrides'),
		...(usage.answers > 0 && { usage }),
		spans: parts.map(({ sessionId, from, to }) => `${sessionId}:${Date.parse(from)}-${Date.parse(to)}`),
	};
}
