import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { english, type Say } from '#lib/messages/say.ts';
import { planAgainstReality } from '#lib/session/plan-sides.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { type Span, stackSpans, type TimeScale } from '#lib/timeline/time-scale.ts';
import { useSay } from '../language/use-say.ts';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { toneGlyph, toneText } from '../ui/tone.ts';
import { BAR_PX } from './lane-bars.tsx';

/** What the plan expects next has no time yet: each phase takes this much (px) behind now. */
export const EXPECTED_PX = 120;

interface PlanRowProps {
	plan: PlanTimeline;
	scale: TimeScale;
	view: Span;
	/** The width (px) behind now for what is expected; none while the view ends earlier. */
	room: number;
	height: number;
}

/** The routing plan over the lanes: tasks where they were worked on, then what is still expected, dashed. */
export function PlanRow({ plan, scale, view, room, height }: PlanRowProps) {
	const say = useSay();
	return (
		<ul aria-label={say('Plan over time')} className="relative" style={{ height }}>
			{plan.segments
				.filter(({ from, to }) => to >= view.from && from <= view.to)
				.map((segment) => {
					const left = Math.min(scale.toX(segment.from), scale.width - 4);
					const tone = toneOf(segment);
					return (
						<li
							key={segment.key}
							title={sentenceOf(segment, say)}
							className={cn(
								'absolute h-5 truncate rounded-xs border border-current bg-surface px-1 text-small leading-4',
								toneText[tone],
								segment.isOpen && 'border-dashed',
							)}
							style={{
								left,
								width: Math.max(4, scale.toX(segment.to) - left),
								top: segment.depth * BAR_PX + 2,
							}}
						>
							<span aria-hidden>{toneGlyph[tone]} </span>
							<AgentText>{segment.agent}</AgentText>
							<AgentText className="sr-only">{` ${segment.phase}, ${statusOf(segment, say)}`}</AgentText>
						</li>
					);
				})}
			{(room > 0 ? plan.expected : []).map(({ key, phase, agents }, at) => (
				<li
					key={key}
					title={visibleString(say('{phase}: {agents} expected', { phase, agents: agents.join(say(' and ')) }))}
					className="absolute top-0.5 h-5 overflow-hidden text-ellipsis whitespace-nowrap rounded-xs border border-edge border-dashed px-1 text-muted text-small leading-4"
					style={{ left: scale.width + 4 + at * EXPECTED_PX, width: EXPECTED_PX - 6 }}
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

/** `Phase 2: developer, completed, 2:11` */
function sentenceOf(segment: PlanSegment, say: Say): string {
	const { phase, agent, from, to, isOpen } = segment;
	const time = spanDuration(to - from, say.language);
	const length = isOpen ? say('{time} so far', { time }) : time;
	return visibleString(`${phase}: ${agent}, ${statusOf(segment, say)}, ${length}`);
}

const statusOf = ({ status }: PlanSegment, say: Say) => say.known(status.replaceAll('_', ' '));

/** A task of the plan that an agent has taken up, for as long as that agent worked. */
interface PlanSegment extends Span {
	key: string;
	agent: string;
	phase: string;
	/** The task's own word. */
	status: string;
	/** It goes on; `to` is now. */
	isOpen: boolean;
	/** Segments that overlap in time stand under each other, from 0. */
	depth: number;
}

/** The agents of one phase that the plan still expects; several of them side by side. */
interface ExpectedPhase {
	key: string;
	phase: string;
	agents: string[];
}

/** The plan over time: what was taken up, and what is still to come in the plan's order. */
interface PlanTimeline {
	segments: PlanSegment[];
	/** How many segments stand under each other at most; at least 1. */
	depth: number;
	expected: ExpectedPhase[];
}

const OVER: readonly string[] = ['completed', 'failed', 'skipped', 'cancelled'];

/** Lays the routing plan over the lanes' time; null without a plan. `now` in ms. */
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
	const expected = phases.flatMap(({ name, sides }, at): ExpectedPhase[] => {
		const agents = sides.flatMap(({ task, agents: started }) =>
			task && started.length === 0 && !OVER.includes(task.status) ? [task.agent] : [],
		);
		return agents.length > 0 ? [{ key: `${at}`, phase: name, agents }] : [];
	});
	const { spans: segments, depth } = stackSpans(taken);
	return { segments, depth, expected: isOver(view.plan.status) ? [] : expected };
}

const isOver = (status: string) => OVER.includes(status);
