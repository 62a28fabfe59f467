import { visibleString } from '#lib/text/visible-text.ts';
import type { PlacedLane } from '#lib/timeline/lanes.ts';
import { useSay } from '../language/use-say.ts';
import { AgentText } from '../ui/text/agent-text.tsx';

interface LaneNamesProps {
	/** In px; what is not there has none. */
	heights: { plan: number; stages: number; others: number };
	hasNotes: boolean;
	lanes: readonly { lane: PlacedLane; actor: string; height: number }[];
}

/** What stands in each line of the lanes. */
export function LaneNames({ heights, hasNotes, lanes }: LaneNamesProps) {
	const say = useSay();
	return (
		<div aria-hidden className="w-28 shrink-0 border-line border-r md:w-52">
			<p className="h-9 px-3 text-muted text-small leading-9">{say('Whole session')}</p>
			<p className="h-6 px-3 text-muted text-small leading-6">{say('Time')}</p>
			{heights.plan > 0 && (
				<p className="px-3 text-muted text-small leading-6" style={{ height: heights.plan }}>
					{say('Plan')}
				</p>
			)}
			{heights.stages > 0 && (
				<p className="px-3 text-muted text-small leading-6" style={{ height: heights.stages }}>
					{say('Stages')}
				</p>
			)}
			<p className="h-6 px-3 text-muted text-small leading-6">{say('Moments')}</p>
			{hasNotes && <p className="h-6 px-3 text-muted text-small leading-6">{say('Notes')}</p>}
			{lanes.map(({ lane, ...own }) => (
				<LaneName key={lane.agentId ?? ''} lane={lane} {...own} />
			))}
			{heights.others > 0 && (
				<p className="px-3 text-muted text-small leading-6" style={{ height: heights.others }}>
					{say('still to come')}
				</p>
			)}
		</div>
	);
}

/** How far (px) a lane stands in for each caller above it. */
const INDENT_PX = 10;

interface LaneNameProps {
	lane: PlacedLane;
	actor: string;
	height: number;
}

/** Who a lane belongs to, and what that agent was asked to do. */
function LaneName({ lane: { level, task }, actor, height }: LaneNameProps) {
	return (
		<p
			className="truncate border-line/60 border-t pr-2 leading-6"
			style={{ height, paddingLeft: 12 + Math.max(0, level - 1) * INDENT_PX }}
			title={visibleString(task ? `${actor}: ${task}` : actor)}
		>
			{level > 1 && <span className="text-muted">└ </span>}
			<AgentText>{actor}</AgentText>
			{task && <AgentText className="text-muted text-small">{` ${task}`}</AgentText>}
		</p>
	);
}
