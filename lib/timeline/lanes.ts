import { agentTable } from '../agents/agent-table.ts';
import type { DeedKind } from '../agents/tool-call.ts';
import type { Tone } from '../contract/events/event-labels.ts';
import type { CallView } from '../contract/sessions/read-model/call-view.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { AgentView, StageRun } from '../contract/sessions/read-model/session-view.ts';
import { inWords, type Worded, wordsOf } from '../messages/sentence.ts';
import { holdOf, isAgentLast, isDenied, outcomeOf } from '../session/call.ts';
import { isFailedTest } from '../session/command-result.ts';
import { expectedWords } from '../session/row.ts';
import { oneLine } from '../text/printable.ts';
import type { Point } from './density.ts';
import { busySpans, type Span, stackSpans } from './time-scale.ts';

/** A call at work, a call that waits for its sub-agent, or one held for a person. */
type BarKind = 'call' | 'wait' | 'hold';

export interface LaneBar extends Span {
	row: string;
	kind: BarKind;
	tone: Tone;
	call: CallView;
	isOpen: boolean;
	/** It ended at `to` or before. */
	isAtMost?: true;
	/** Bars that overlap in time have different depths, from 0. */
	depth: number;
}

export interface Lane {
	agentId: string | undefined;
	bars: readonly LaneBar[];
	depth: number;
}

/** The loaded calls by actor, the first to act first. `now` in ms. */
export function lanesOf(rows: readonly Row[], now: number): Lane[] {
	const byActor = new Map<string | undefined, Omit<LaneBar, 'depth'>[]>();
	for (const { key, call, tone, agentId } of rows) {
		if (!call) continue;
		const bars = byActor.get(agentId) ?? [];
		byActor.set(agentId, bars);
		const shown = isFailedTest(call) ? 'err' : tone;
		bars.push(...barsOf(call, now).map((bar) => ({ ...bar, row: key, tone: shown, call })));
	}
	return [...byActor].map(([agentId, all]) => {
		const { spans: bars, depth } = stackSpans(all);
		return { agentId, bars, depth };
	});
}

export function busyIn(lanes: readonly Lane[]): Span[] {
	return busySpans(lanes.flatMap(({ bars }) => bars).map(({ from, to }) => ({ from, to })));
}

function barsOf(call: CallView, now: number): (Span & Pick<LaneBar, 'kind' | 'isOpen' | 'isAtMost'>)[] {
	const start = Date.parse(call.calledAt ?? call.at);
	const requestedAt = msOf(call.approval?.requestedAt);
	const hold = holdOf(call);
	const decided = msOf(hold?.to ?? call.approval?.decidedAt ?? call.closed?.at);
	const end = callEnd(call);
	const isOver = end !== undefined || call.closed !== undefined || isRefused(call);
	const last = Math.max(start, end ?? msOf(call.closed?.at) ?? (isOver ? (decided ?? start) : now));
	const kind = call.agentName !== undefined && !call.background ? 'wait' : 'call';
	if (requestedAt === undefined) return [{ from: start, to: last, kind, isOpen: !isOver }];
	const isHeld = call.approval?.state === 'waiting' && call.closed === undefined;
	const held = {
		from: requestedAt,
		to: Math.max(requestedAt, isHeld ? now : (decided ?? requestedAt)),
		kind: 'hold',
		isOpen: isHeld,
		...(!isHeld && hold?.isAtMost && { isAtMost: true as const }),
	} as const;
	if (isHeld || isRefused(call)) return [held];
	return [held, { from: held.to, to: Math.max(held.to, last), kind, isOpen: !isOver }];
}

function isRefused({ evidence, verdicts, approval }: CallView): boolean {
	return !evidence && approval?.state !== 'approved' && verdicts.some(({ decision }) => decision === 'deny');
}

function callEnd(call: CallView): number | undefined {
	const { agentEnd, endedAt, calledAt, durationMs, evidence } = call;
	const end = (isAgentLast(call) ? msOf(agentEnd?.at) : undefined) ?? msOf(endedAt);
	if (end !== undefined || !evidence || !calledAt) return end;
	return Date.parse(calledAt) + (durationMs ?? 0);
}

const msOf = (at: string | undefined) => (at === undefined ? undefined : Date.parse(at));

export interface DrawnBar {
	left: number;
	width: number;
	depth: number;
	/** Several if each alone could be neither seen nor clicked. */
	bars: [LaneBar, ...LaneBar[]];
	tone: Tone;
}

/** Narrower bars could be neither seen nor clicked. */
export const MIN_PX = 8;
/** Wider groups would make few and many calls look alike. */
const GROUP_PX = 24;

const TONES: readonly Tone[] = ['plain', 'ok', 'run', 'warn', 'wait', 'err'];
const strongerTone = (a: Tone, b: Tone) => (TONES.indexOf(a) >= TONES.indexOf(b) ? a : b);

/** The bars of a lane (ascending by start) on `width` px, neighbours that are too short as one; row `kept` stays apart. */
export function clusterBars(
	bars: readonly LaneBar[],
	toX: (ms: number) => number,
	width: number,
	kept?: string | null,
): DrawnBar[] {
	const drawn: DrawnBar[] = [];
	const last = new Map<number, DrawnBar>();
	for (const bar of bars) {
		const from = toX(bar.from);
		const left = Math.min(from, width - MIN_PX);
		const wide = Math.max(MIN_PX, toX(bar.to) - left);
		const before = last.get(bar.depth);
		const isTiny = wide <= MIN_PX && bar.row !== kept && bar.kind !== 'hold';
		if (
			isTiny &&
			before &&
			isClustered(before, kept) &&
			left <= before.left + before.width + 1 &&
			left + wide <= before.left + GROUP_PX
		) {
			before.width = Math.max(before.width, left + wide - before.left);
			before.bars.push(bar);
			before.tone = strongerTone(before.tone, bar.tone);
			continue;
		}
		// What is drawn wider than it lasted moves the start of what follows it.
		const start = Math.max(left, before ? before.left + before.width : 0);
		const rest = Math.max(MIN_PX, left + wide - start);
		const next: DrawnBar = { left: start, width: rest, depth: bar.depth, bars: [bar], tone: bar.tone };
		drawn.push(next);
		last.set(bar.depth, next);
	}
	return drawn;
}

function isClustered({ bars: [first, ...others], width }: DrawnBar, kept?: string | null): boolean {
	if (others.length > 0) return true;
	return width <= MIN_PX && first.row !== kept && first.kind !== 'hold';
}

/** A lane under the one whose actor started its agent. */
export interface PlacedLane extends Lane {
	level: number;
	/** The task of its agent; agent text. */
	task?: string;
	life?: { from: number; to: number | null };
}

/** Deeper callers are not indented further, so that names have enough space. */
const MAX_DEPTH = 4;

/**
 * The main lane, then each agent under its caller in order of their starts, so that no bar moves a lane. `callerOf`
 * finds the call that started an agent.
 */
export function orderLanes(
	lanes: readonly Lane[],
	agents: readonly AgentView[],
	callerOf: (toolUseId: string) => { agentId?: string; title: string } | undefined,
): PlacedLane[] {
	const laneOf = new Map(lanes.map((lane) => [lane.agentId, lane]));
	const known = new Map(agents.map((agent) => [agent.agentId, agent]));
	const ids = [...new Set([...agents.map(({ agentId }) => agentId), ...laneOf.keys()])].filter(
		(id) => id !== undefined,
	);
	const startOf = (id: string) => {
		const started = known.get(id)?.startedAt;
		return started === undefined ? (laneOf.get(id)?.bars[0]?.from ?? Number.POSITIVE_INFINITY) : Date.parse(started);
	};
	const children = new Map<string | undefined, string[]>();
	for (const id of ids.sort((a, b) => startOf(a) - startOf(b) || (a < b ? -1 : 1))) {
		const callId = known.get(id)?.toolUseId;
		const caller = callId === undefined ? undefined : callerOf(callId)?.agentId;
		const parent = caller !== id && caller !== undefined && ids.includes(caller) ? caller : undefined;
		children.set(parent, [...(children.get(parent) ?? []), id]);
	}
	const placed: PlacedLane[] = [];
	const seen = new Set<string | undefined>();
	const addAgent = (agentId: string | undefined, level: number) => {
		if (seen.has(agentId)) return;
		seen.add(agentId);
		const agent = agentId === undefined ? undefined : known.get(agentId);
		const task = agent?.description ?? callerOf(agent?.toolUseId ?? '')?.title ?? agent?.stage;
		const lane = laneOf.get(agentId) ?? { agentId, bars: [], depth: 1 };
		placed.push({ ...lane, level, ...(task && { task }), ...lifeOf(agent) });
		for (const child of children.get(agentId) ?? []) addAgent(child, Math.min(MAX_DEPTH, level + 1));
	};
	addAgent(undefined, 0);
	// Agents that started each other, by a hostile timeline, have no root.
	for (const id of ids) addAgent(id, 1);
	return placed;
}

function lifeOf(agent: AgentView | undefined): Pick<PlacedLane, 'life'> {
	if (!agent?.startedAt) return {};
	const from = Date.parse(agent.startedAt);
	const end = agent.endedAt ?? agent.closed?.at;
	return { life: { from, to: end === undefined ? null : Math.max(from, Date.parse(end)) } };
}

export type PinKind = 'prompt' | 'denial' | 'mismatch' | 'decision' | 'verdict' | 'failure';

export interface Pin extends Worded<'title'> {
	kind: PinKind;
	at: number;
	row: string;
	tone: Tone;
	title: string;
	type: Row['type'];
}

/** The pins of the loaded rows, ascending. A call has one for its denial and one for its decision. */
export function pinsOf(rows: readonly Row[]): Pin[] {
	return rows.flatMap(pinsOfRow).sort((a, b) => a.at - b.at);
}

function pinsOfRow(row: Row): Pin[] {
	const pin = (kind: PinKind, tone: Tone, title = wordsOf(row, 'title'), at = row.at): Pin => ({
		kind,
		tone,
		row: row.key,
		type: kind === 'mismatch' ? 'routing:mismatch' : row.type,
		at: Date.parse(at),
		...inWords({ title }, oneLine),
	});
	const { call } = row;
	if (call) {
		const denied = call.verdicts.find(({ decision }) => decision === 'deny');
		const { mismatch, approval } = call;
		const title = denied ? denied.reason : row.title;
		const isDecided = approval?.decidedAt !== undefined && !approval.unverified;
		return [
			...(mismatch ? [pin('mismatch', 'warn', expectedWords(mismatch))] : []),
			...(denied && !mismatch && isDenied(call) && outcomeOf(call) !== 'waiting' ? [pin('denial', 'err', title)] : []),
			...(isDecided ? [pin('decision', approval.state === 'approved' ? 'ok' : 'err', title, approval.decidedAt)] : []),
		];
	}
	switch (row.type) {
		case 'prompt:submit':
			return [pin('prompt', 'plain')];
		case 'supervisor:verdict':
		case 'validator:assessment':
			return [pin('verdict', row.tone)];
		case 'stage:complete':
			return row.tone === 'plain' ? [] : [pin('verdict', row.tone)];
		case 'command:block':
			return [pin('denial', 'err')];
		case 'error:fatal':
		case 'workflow:abort':
		case 'agent:error':
		case 'session:lost':
			return [pin('failure', 'err')];
		default:
			return [];
	}
}

const MAX_EVENTS = 3_000;

/** A whole recording, of which a part has happened at the instant shown. Times in ms. */
export interface WholeRecording {
	to: number;
	points: readonly Point[];
	busy: readonly Span[];
	runs: readonly StageRun[];
}

interface ComingSpans {
	to: number | null;
	busy: readonly Span[];
	runs: readonly Span[];
	lanes: ReadonlyMap<string | undefined, readonly (Span & { depth: number })[]>;
	others: readonly (Span & { depth: number })[];
}

/** What a recording contains after `now` (ms), when `seq` events have happened; `rows` as they are at its end. */
export function comingSpans(
	{ to, points, busy, runs }: WholeRecording,
	rows: readonly Row[],
	{ now, seq, known }: { now: number; seq: number; known: readonly (string | undefined)[] },
): ComingSpans {
	if (now >= to) return { to: null, busy: [], runs: [], lanes: new Map(), others: [] };
	const until = Math.max(now, points.find((point) => point.seq > seq + MAX_EVENTS)?.at ?? to);
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

/** The purpose of a tool, as coarsely as a reader distinguishes bars. */
export type ToolFamily = 'read' | 'edit' | 'run' | 'agent' | 'other';

const ofDeed: Partial<Record<DeedKind, ToolFamily>> = {
	'run-command': 'run',
	'run-shell': 'run',
	'edit-file': 'edit',
	'start-agent': 'agent',
	'use-skill': 'agent',
};

const byTool: ReadonlyMap<string, ToolFamily> = new Map(
	agentTable.flatMap(({ tools }) =>
		(Object.entries(tools) as [DeedKind, readonly string[]][]).flatMap(([deed, names]) => {
			const family = ofDeed[deed];
			return family ? names.map((name) => [name, family] as const) : [];
		}),
	),
);

/** No table lists reading tools, since no gate judges them; their names begin alike in every client. */
const READS = /^(?:read|view|cat|grep|glob|search|find|list|ls|web|fetch|google_web)/i;

export function toolFamily(tool: string): ToolFamily {
	return byTool.get(tool) ?? (READS.test(tool) ? 'read' : 'other');
}
