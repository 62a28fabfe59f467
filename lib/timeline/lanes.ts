import type { Tone } from '../contract/events/event-labels.ts';
import { type CallView, isAgentLast } from '../session/call.ts';
import { holdOf } from '../session/hold.ts';
import type { Row } from '../session/row.ts';
import { stackSpans } from './stack-spans.ts';
import { busySpans, type Span } from './time-scale.ts';

/** What a bar stands for: a call at work, a call that waits for its sub-agent, or one held for a person. */
export type BarKind = 'call' | 'wait' | 'hold';

/** A stretch of a lane. */
export interface LaneBar extends Span {
	/** The story's row. */
	row: string;
	kind: BarKind;
	tone: Tone;
	call: CallView;
	/** It goes on; `to` is now. */
	isOpen: boolean;
	/** Nobody saw it end: that was at `to` or before. */
	isAtMost?: true;
	/** Bars that overlap in time stand under each other, from 0. */
	depth: number;
}

/** One actor with its bars, ascending by start. */
export interface Lane {
	agentId: string | undefined;
	bars: readonly LaneBar[];
	/** How many bars stand under each other at most; at least 1. */
	depth: number;
}

/** The loaded calls by actor, the first to act first. `now` in ms. */
export function lanesOf(rows: readonly Row[], now: number): Lane[] {
	const byActor = new Map<string | undefined, Omit<LaneBar, 'depth'>[]>();
	for (const { key, call, tone, agentId } of rows) {
		if (!call) continue;
		const bars = byActor.get(agentId) ?? [];
		byActor.set(agentId, bars);
		bars.push(...barsOf(call, now).map((bar) => ({ ...bar, row: key, tone, call })));
	}
	return [...byActor].map(([agentId, all]) => {
		const { spans: bars, depth } = stackSpans(all);
		return { agentId, bars, depth };
	});
}

/** The stretches in which any lane is busy, for the axis. */
export function busyIn(lanes: readonly Lane[], more: readonly Span[] = []): Span[] {
	return busySpans([...lanes.flatMap(({ bars }) => bars), ...more].map(({ from, to }) => ({ from, to })));
}

function barsOf(call: CallView, now: number): (Span & Pick<LaneBar, 'kind' | 'isOpen' | 'isAtMost'>)[] {
	const start = Date.parse(call.calledAt ?? call.at);
	const asked = msOf(call.approval?.requestedAt);
	const hold = holdOf(call);
	const decided = msOf(hold?.to ?? call.approval?.decidedAt ?? call.closed?.at);
	const end = endOf(call);
	const isOver = end !== undefined || call.closed !== undefined || isRefused(call);
	const last = Math.max(start, end ?? msOf(call.closed?.at) ?? (isOver ? (decided ?? start) : now));
	const kind = call.agentName !== undefined && !call.background ? 'wait' : 'call';
	if (asked === undefined) return [{ from: start, to: last, kind, isOpen: !isOver }];
	const isHeld = call.approval?.state === 'waiting' && call.closed === undefined;
	const held = {
		from: asked,
		to: Math.max(asked, isHeld ? now : (decided ?? asked)),
		kind: 'hold',
		isOpen: isHeld,
		...(!isHeld && hold?.isAtMost && { isAtMost: true as const }),
	} as const;
	if (isHeld || isRefused(call)) return [held];
	return [held, { from: held.to, to: Math.max(held.to, last), kind, isOpen: !isOver }];
}

/** Denied, and it did not run. */
function isRefused({ evidence, verdicts, approval }: CallView): boolean {
	return !evidence && approval?.state !== 'approved' && verdicts.some(({ decision }) => decision === 'deny');
}

function endOf(call: CallView): number | undefined {
	const { agentEnd, endedAt, calledAt, durationMs, evidence } = call;
	const end = (isAgentLast(call) ? msOf(agentEnd?.at) : undefined) ?? msOf(endedAt);
	if (end !== undefined || !evidence || !calledAt) return end;
	return Date.parse(calledAt) + (durationMs ?? 0);
}

const msOf = (at: string | undefined) => (at === undefined ? undefined : Date.parse(at));
