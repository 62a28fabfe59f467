import type { Say } from '#lib/messages/say.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { spanDuration } from '#lib/time/duration.ts';
import type { Span, TimeScale } from '#lib/timeline/time-scale.ts';
import { useSay } from '../language/use-say.ts';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { toneGlyph, toneText } from '../ui/tone.ts';
import { BAR_PX } from './lane-bars.tsx';
import type { PlanSegment, PlanTimeline } from './plan-segments.ts';

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
