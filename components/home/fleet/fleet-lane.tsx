import { memo } from 'react';
import type { FleetLane as Lane } from '#lib/contract/sessions/fleet.ts';
import { laneMarks, laneSpans, momentWords, stateAt } from '#lib/fleet/fleet.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { useSay } from '../../language/use-say.ts';
import { cn } from '../../ui/cn.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { markLook, stateLook } from './fleet-looks.ts';

interface FleetLaneProps {
	lane: Lane;
	/** `shop/checkout` */
	name: string;
	/** The time that the strip shows, in ms. */
	from: number;
	to: number;
	id: string;
	isActive: boolean;
	hasName: boolean;
}

/** The room of the names, which the axis keeps free, too. */
export const LANE_NAME = 'w-24 shrink-0 sm:w-36';

/** One session over the strip's time: spans of what it did, marks for what happened to it. */
export const FleetLane = memo(function FleetLane({ lane, name, from, to, id, isActive, hasName }: FleetLaneProps) {
	const place = (at: number) => `${(100 * (at - from)) / (to - from)}%`;
	const spans = laneSpans(lane, from, to);
	const marks = laneMarks(lane);
	const say = useSay();
	const count = marks.length;
	const told = [
		say(momentWords(stateAt(spans, to))),
		...(count > 0 ? [say('{count} {count:mark|marks}', { count })] : []),
	];
	return (
		// biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names its active lane.
		<div
			id={id}
			role="option"
			aria-selected={isActive}
			aria-label={visibleString(`${name}: ${told.join(', ')}`)}
			className={cn('flex min-h-0 flex-1 items-stretch gap-x-2', isActive && 'bg-selected')}
		>
			{hasName && <AgentText className={cn(LANE_NAME, 'self-center truncate text-muted text-small')}>{name}</AgentText>}
			<span aria-hidden className="relative min-w-0 flex-1">
				{spans.map((span) => (
					<span
						key={span.from}
						className={cn('absolute min-w-px', stateLook.get(span.state))}
						style={{ left: place(span.from), width: `${(100 * (span.to - span.from)) / (to - from)}%` }}
					/>
				))}
				{marks.map(({ at, what, row }) => {
					const [glyph, tone] = markLook.get(what) ?? [];
					return (
						<span
							key={`${at} ${what} ${row}`}
							className={cn(
								'absolute top-1/2 -translate-x-1/2 -translate-y-1/2 rounded-full bg-surface px-px font-bold text-small leading-none',
								tone,
							)}
							style={{ left: `clamp(0.4rem, ${place(Date.parse(at))}, 100% - 0.4rem)` }}
						>
							{glyph}
						</span>
					);
				})}
			</span>
		</div>
	);
});
