import { visibleString } from '#lib/text/visible-text.ts';
import type { PlacedLane } from '#lib/timeline/lanes.ts';
import { AgentText } from '../ui/text/agent-text.tsx';

/** How far (px) a lane stands in for each caller above it. */
const INDENT_PX = 10;

interface LaneNameProps {
	lane: PlacedLane;
	actor: string;
	height: number;
}

/** Who a lane belongs to, and what that agent was asked to do. */
export function LaneName({ lane: { level, task }, actor, height }: LaneNameProps) {
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
