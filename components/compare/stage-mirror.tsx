import { useMemo } from 'react';
import type { Comparison, StagePass } from '#lib/contract/archives/compare.ts';
import type { StageRun } from '#lib/contract/sessions/read-model/session-view.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { timeScale } from '#lib/timeline/time-scale.ts';
import { useSay } from '../language/use-say.ts';
import { StageRow } from '../replay/stage-row.tsx';
import { Part } from '../ui/part.tsx';
import { useWidth } from '../ui/use-size.ts';

const TICKS = [0, 0.5, 1];

/** All stage runs of both on one scale: of each stage the first run above the second. */
export function StageMirror({ found }: { found: Comparison }) {
	const say = useSay();
	const [ref, width] = useWidth<HTMLDivElement>();
	const longest = Math.max(1, found.a.workMs, found.b.workMs);
	const scale = useMemo(() => timeScale([{ from: 0, to: longest }], width), [longest, width]);
	const stages = [...new Set(found.stages.map(({ stage }) => stage))].filter(Boolean);
	if (stages.length === 0) return null;
	return (
		<Part
			title={say('Stages on one scale')}
			note={say(
				'Time of work from the start: above the first run, below it the second. ≠ is where they first went apart.',
			)}
		>
			<div className="grid grid-cols-[5rem_minmax(0,1fr)] md:grid-cols-[8rem_minmax(0,1fr)]">
				<div ref={ref} className="col-start-2" />
				{stages.map((stage) => (
					<div key={stage} className="col-span-2 grid grid-cols-subgrid items-center border-line border-t py-0.5">
						{(['a', 'b'] as const).map((side) => (
							<StageRow
								key={side}
								stage={stage}
								label={side === 'b' ? '' : stage === found.divergence?.stage ? `≠ ${stage}` : stage}
								bars={found.stages.flatMap((pair) => (pair.stage === stage && pair[side] ? runOf(pair[side]) : []))}
								scale={scale}
								instant={longest}
							/>
						))}
					</div>
				))}
				<div aria-hidden className="col-start-2 flex justify-between text-muted text-small">
					{TICKS.map((share) => (
						<span key={share}>{spanDuration(longest * share, say.language)}</span>
					))}
				</div>
			</div>
		</Part>
	);
}

const runOf = ({ stage, fromMs, toMs, isOpen, result }: StagePass): StageRun => ({
	...{ stage, from: fromMs, to: isOpen ? null : toMs },
	...(result !== undefined && { result }),
});
