import type { ReactNode } from 'react';
import type { Tone } from '#lib/contract/events/event-labels.ts';
import type { SessionView, StageRun } from '#lib/contract/sessions/read-model/session-view.ts';
import { english, type Say } from '#lib/messages/say.ts';
import { planAgainstReality } from '#lib/session/plan-sides.ts';
import { resultTone } from '#lib/session/row.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { type Span, stackSpans, type TimeScale } from '#lib/timeline/time-scale.ts';
import { useSay } from '../language/use-say.ts';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { toneGlyph, toneText } from '../ui/tone.tsx';
import { barBox } from './lane-bars.tsx';

/** Width (px) of each phase expected next. It is drawn after now, because it has no times yet. */
export const EXPECTED_PX = 120;

interface PlanRowProps {
	plan: PlanTimeline;
	scale: TimeScale;
	view: Span;
	/** Width (px) reserved after now for expected phases; 0 if the view ends before now. */
	room: number;
	height: number;
}

export function PlanRow({ plan, scale, view, room, height }: PlanRowProps) {
	const say = useSay();
	return (
		<ul aria-label={say('Plan over time')} className="relative" style={{ height }}>
			{plan.segments
				.filter(({ from, to }) => to >= view.from && from <= view.to)
				.map((segment) => {
					const { key, agent: name, phase, isOpen } = segment;
					const words = `${phase}, ${statusOf(segment, say)}`;
					return (
						<SpanBox key={key} {...{ scale, name, words, isOpen }} span={segment} tone={toneOf(segment)}>
							{null}
						</SpanBox>
					);
				})}
			{(room > 0 ? plan.expected : []).map(({ key, phase, agents }, index) => (
				<li
					key={key}
					title={visibleString(say('{phase}: {agents} expected', { phase, agents: agents.join(say(' and ')) }))}
					className="absolute top-0.5 h-6 overflow-hidden text-ellipsis whitespace-nowrap rounded border border-edge border-dashed px-1 text-muted text-small leading-5"
					style={{ left: scale.width + 4 + index * EXPECTED_PX, width: EXPECTED_PX - 6 }}
				>
					<span aria-hidden>○ </span>
					<AgentText>{agents.join(' ‖ ')}</AgentText>
					<AgentText className="sr-only">{say(' expected in {phase}', { phase })}</AgentText>
				</li>
			))}
		</ul>
	);
}

function toneOf({ status, isOpen }: PlanSegment): 'run' | 'ok' | 'err' | 'plain' {
	if (isOpen) return 'run';
	if (status === 'failed') return 'err';
	return status === 'completed' ? 'ok' : 'plain';
}

const statusOf = ({ status }: PlanSegment, say: Say) => say.known(status.replaceAll('_', ' '));

interface PlanSegment extends Span {
	key: string;
	agent: string;
	phase: string;
	status: string;
	/** Still running; `to` is now. */
	isOpen: boolean;
	depth: number;
}

interface ExpectedPhase {
	key: string;
	phase: string;
	agents: string[];
}

interface PlanTimeline {
	segments: PlanSegment[];
	depth: number;
	expected: ExpectedPhase[];
}

const OVER: readonly string[] = ['completed', 'failed', 'skipped', 'cancelled'];

/** Maps the routing plan to the time axis of the lanes. Returns null without a plan. `now` in ms. */
export function planTimeline(
	view: Pick<SessionView, 'plan' | 'agents'>,
	now: number,
	say: Say = english,
): PlanTimeline | null {
	if (!view.plan) return null;
	const { phases } = planAgainstReality(view, say);
	const taken = phases.flatMap(({ name, sides }) =>
		sides.flatMap(({ key, task, agents }) =>
			agents.flatMap(({ agentId, startedAt, endedAt, closed }) => {
				if (!task || startedAt === undefined) return [];
				const from = Date.parse(startedAt);
				const end = endedAt ?? closed?.at;
				const to = Math.max(from, end === undefined ? now : Date.parse(end));
				const { agent, status } = task;
				return [{ key: `${key} ${agentId}`, agent, phase: name, status, from, to, isOpen: end === undefined }];
			}),
		),
	);
	const expected = phases.flatMap(({ name, sides }, index): ExpectedPhase[] => {
		const agents = sides.flatMap(({ task, agents: started }) =>
			task && started.length === 0 && !OVER.includes(task.status) ? [task.agent] : [],
		);
		return agents.length > 0 ? [{ key: `${index}`, phase: name, agents }] : [];
	});
	const { spans: segments, depth } = stackSpans(taken);
	return { segments, depth, expected: OVER.includes(view.plan.status) ? [] : expected };
}

/** Widths (px) of a box that holds a sign, of the sign before a name, the padding, and one letter. */
const SIGN_PX = 20;
const NAME_PX = 24;
const EDGE_PX = 6;
const LETTER_PX = 8;

type StageBand = Span & { run: StageRun; depth: number };

/** The visible stage runs, with parallel runs stacked, and the stack depth. Running stages end at `now` (ms). */
export function stageBands(runs: readonly StageRun[], view: Span, now: number): { bands: StageBand[]; depth: number } {
	const all = runs.map((run) => ({ run, from: run.from, to: Math.max(run.from, run.to ?? now) }));
	const { spans, depth } = stackSpans(all.filter(({ from, to }) => to >= view.from && from <= view.to));
	return { bands: spans, depth: spans.length > 0 ? depth : 0 };
}

interface StageBandsProps {
	bands: readonly StageBand[];
	scale: TimeScale;
	height: number;
	onNote?: (stage: string) => void;
}

export function StageBands({ bands, scale, height, onNote }: StageBandsProps) {
	const say = useSay();
	return (
		<ul aria-label={say('Stages over time')} className="relative" style={{ height }}>
			{bands.map(({ run, ...span }) => {
				const isOpen = run.to === null;
				const words = isOpen ? say('running') : say.known(run.result?.toLowerCase() ?? 'done');
				const tone = isOpen ? 'run' : resultTone(run.result, 'ok');
				return (
					<SpanBox key={`${run.stage} ${run.from}`} name={run.stage} {...{ scale, span, words, tone, isOpen }}>
						{onNote && (
							<button
								type="button"
								aria-label={visibleString(say('Notes on stage {stage}', { stage: run.stage }))}
								className="absolute inset-0 hover:bg-hover/50"
								onClick={() => onNote(run.stage)}
							/>
						)}
					</SpanBox>
				);
			})}
		</ul>
	);
}

interface SpanBoxProps {
	scale: TimeScale;
	span: Span & { depth: number };
	name: string;
	words: string;
	tone: Tone;
	isOpen: boolean;
	children: ReactNode;
}

/** A stretch of the plan or of a stage: sign, name and length, as much of it as fits whole. */
function SpanBox({ scale, span, name, words, tone, isOpen, children }: SpanBoxProps) {
	const say = useSay();
	const time = spanDuration(span.to - span.from, say.language);
	const length = isOpen ? say('{time} so far', { time }) : time;
	const box = barBox(scale, span, span.depth);
	const letters = name.length * LETTER_PX;
	// A cut name is useless: all of it, or the sign alone. What passed needs no sign beside its name.
	const hasBoth = box.width >= NAME_PX + letters;
	const hasName = hasBoth || (tone === 'ok' && box.width >= EDGE_PX + letters);
	const hasSign = box.width >= SIGN_PX && (hasBoth || !hasName);
	const hasLength = box.width >= NAME_PX + letters + (length.length + 1) * LETTER_PX;
	return (
		<li
			title={visibleString(`${name} ${words}, ${length}`)}
			className={cn(
				'absolute h-6 overflow-hidden whitespace-nowrap rounded border border-current bg-raised text-small leading-5',
				hasBoth ? 'px-1' : 'px-0.5',
				toneText[tone],
				isOpen && 'border-dashed',
			)}
			style={box}
		>
			{children}
			{hasSign && <span aria-hidden>{toneGlyph[tone]} </span>}
			<AgentText className={hasName ? '' : 'sr-only'}>{name}</AgentText>
			<AgentText className="sr-only">{` ${words}`}</AgentText>{' '}
			<span className={hasLength ? 'pl-1 text-muted' : 'sr-only'}>{length}</span>
		</li>
	);
}
