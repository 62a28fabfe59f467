'use client';
import { useMemo } from 'react';
import type { FeatureRun } from '#lib/contract/archives/features.ts';
import { busySpans, gapFor, timeScale } from '#lib/timeline/time-scale.ts';
import { useSay } from '../language/use-say.ts';
import { useClock } from '../live/now.ts';
import { StageRow } from '../replay/stage-row.tsx';
import { AxisLabels } from '../ui/timeline/axis-labels.tsx';
import { useWidth } from '../ui/use-width.ts';

const STEP_MS = 1000;

/** Every run of every stage on one axis over all sessions, up to now while one runs; idle time is collapsed. */
export function LiveStages({ runs }: { runs: readonly FeatureRun[] }) {
	const say = useSay();
	const [ref, width] = useWidth<HTMLDivElement>();
	const goesOn = runs.some(({ to }) => to === null);
	const now = useClock((at) => (goesOn ? Math.floor(at / STEP_MS) * STEP_MS : lastEnd(runs)));
	const scale = useMemo(() => {
		const busy = busySpans(runs.map(({ from, to }) => ({ from, to: to ?? Math.max(from, now) })));
		return timeScale(busy, width, gapFor(busy, width));
	}, [runs, now, width]);
	const stages = [...new Set(runs.map(({ stage }) => stage))];
	return (
		<section aria-label={say('Stages')} className="flex min-w-0 flex-1 flex-col gap-2 p-3">
			<h2 className="font-semibold">
				{say('Stages')} <span className="font-normal text-muted">{goesOn ? say('as they run') : ''}</span>
			</h2>
			{runs.length === 0 ? (
				<p className="text-muted">{say('No stage has begun. Each of its runs stands here from then on.')}</p>
			) : (
				<div className="scroll-hint relative overflow-x-auto">
					<div className="grid grid-cols-[5rem_minmax(0,1fr)] items-center md:grid-cols-[7rem_minmax(0,1fr)]">
						<span />
						<div ref={ref} />
						{stages.map((stage) => (
							<StageRow
								key={stage}
								stage={stage}
								bars={runs.filter((run) => run.stage === stage)}
								scale={scale}
								instant={now}
							/>
						))}
						<span />
						<AxisLabels scale={scale} />
					</div>
				</div>
			)}
		</section>
	);
}

/** When the last of them ended (ms): nothing of what is over is still to come. */
const lastEnd = (runs: readonly FeatureRun[]) => runs.reduce((last, { to }) => Math.max(last, to ?? 0), 0);
