import type { StageRun } from '../contract/sessions/read-model/session-view.ts';
import type { Row } from '../session/row.ts';
import type { Point } from './density.ts';
import { lanesOf } from './lanes.ts';
import { stackSpans } from './stack-spans.ts';
import type { Span } from './time-scale.ts';

/** So many events behind an instant are shown with it: more could not be told apart. */
const MOST_EVENTS = 3_000;

/** A whole recording, of which only a part has happened at the instant that is shown. Times in ms. */
export interface WholeRecording {
	to: number;
	points: readonly Point[];
	busy: readonly Span[];
	runs: readonly StageRun[];
}

/** What is still to come, each span from the instant on. */
export interface ComingSpans {
	/** Where it ends, or is no longer shown; null where nothing is to come. */
	to: number | null;
	busy: readonly Span[];
	runs: readonly Span[];
	/** Calls of the actors that are known already. */
	lanes: ReadonlyMap<string | undefined, readonly (Span & { depth: number })[]>;
	/** Calls of all others. */
	others: readonly (Span & { depth: number })[];
}

/** What a recording holds behind `now` (ms), when `seq` events have happened; `rows` as they stand at its end. */
export function comingSpans(
	{ to, points, busy, runs }: WholeRecording,
	rows: readonly Row[],
	{ now, seq, known }: { now: number; seq: number; known: readonly (string | undefined)[] },
): ComingSpans {
	if (now >= to) return { to: null, busy: [], runs: [], lanes: new Map(), others: [] };
	const until = Math.max(now, points.find((point) => point.seq > seq + MOST_EVENTS)?.at ?? to);
	const behind = <One extends Span>(spans: readonly One[]): One[] =>
		spans
			.filter((span) => span.to > now && span.from < until)
			.map((span) => ({ ...span, from: Math.max(now, span.from), to: Math.min(until, span.to) }));
	const lanes = lanesOf(rows, to).map(({ agentId, bars }) => ({ agentId, bars: behind(bars) }));
	const spans = (bars: readonly Span[]) => stackSpans(bars.map(({ from, to: end }) => ({ from, to: end }))).spans;
	const isKnown = ({ agentId }: { agentId: string | undefined }) => known.includes(agentId);
	return {
		to: until,
		busy: behind(busy),
		runs: behind(runs.map(({ from, to: end }) => ({ from, to: end ?? to }))),
		lanes: new Map(lanes.filter(isKnown).map(({ agentId, bars }) => [agentId, bars])),
		others: spans(lanes.filter((lane) => !isKnown(lane)).flatMap(({ bars }) => bars)),
	};
}
