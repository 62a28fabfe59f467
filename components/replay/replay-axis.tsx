'use client';
import { useMemo } from 'react';
import { clockTime, hourMinute } from '#lib/time/clock.ts';
import { clockDuration } from '#lib/time/duration.ts';
import { type TimeScale, timeScale } from '#lib/timeline/time-scale.ts';
import { cn } from '../ui/cn.ts';
import { toneText } from '../ui/tone.ts';
import { useWidth } from '../ui/use-width.ts';
import { chapterLooks } from './chapter-list.tsx';
import { type ReplayMoments, rowsAt } from './replay-moments.ts';
import { StageRow } from './stage-row.tsx';

/** A label under the axis needs this much room (px). */
const LABEL_PX = 44;

interface ReplayAxisProps {
	all: ReplayMoments;
	instant: number;
	onMove: (instant: number) => void;
}

/** One time axis over all sessions: stages as bars, chapters as marks, idle time collapsed, and the slider. */
export function ReplayAxis({ all, instant, onMove }: ReplayAxisProps) {
	const { busy, chapters } = all;
	const [ref, width] = useWidth<HTMLDivElement>();
	const scale = useMemo(() => timeScale(busy, width), [busy, width]);
	const rows = useMemo(() => rowsAt(all.rows, instant), [all.rows, instant]);
	const hasMany = new Set(rows.map(({ sessionId }) => sessionId)).size > 1;
	const now = scale.toX(instant);
	return (
		<div className="overflow-x-auto">
			<div className="grid grid-cols-[5rem_minmax(0,1fr)] items-center md:grid-cols-[7rem_minmax(0,1fr)]">
				<span className="text-muted text-small">Chapters</span>
				<div ref={ref} aria-hidden className="relative h-4 overflow-hidden">
					{chapters.map(({ at, kind, row }) => (
						<span
							key={`${at} ${kind} ${row}`}
							className={cn('absolute top-1 h-3 w-0.5 bg-current', toneText[chapterLooks[kind].tone])}
							style={{ left: Math.min(scale.toX(at), width - 2) }}
						/>
					))}
				</div>
				<div className="contents">
					{rows.map(({ sessionId, stage, bars }, at) => (
						<StageRow
							key={`${sessionId} ${stage}`}
							stage={stage}
							session={hasMany && rows[at - 1]?.sessionId !== sessionId ? sessionId : null}
							bars={bars}
							scale={scale}
							instant={instant}
						/>
					))}
				</div>
				<label htmlFor="replay-instant" className="text-muted text-small">
					Instant
				</label>
				<input
					id="replay-instant"
					type="range"
					min={0}
					max={Math.ceil(scale.width)}
					step={1}
					value={Math.round(now)}
					aria-valuetext={clockTime(instant)}
					onChange={(event) => {
						const x = Number(event.target.value);
						onMove(x >= Math.ceil(scale.width) ? Number.POSITIVE_INFINITY : scale.toTime(x));
					}}
					className="h-6 w-full accent-accent"
				/>
				<span />
				<AxisLabels scale={scale} />
			</div>
		</div>
	);
}

function AxisLabels({ scale }: { scale: TimeScale }) {
	return (
		<div aria-hidden className="relative h-4 overflow-hidden text-muted text-small">
			{scale.segments.map(({ from, to, idle, x, width }) =>
				idle ? (
					<span key={x} className="absolute border-edge border-x border-dashed text-center" style={{ left: x, width }}>
						{clockDuration(to - from)}
					</span>
				) : (
					width >= LABEL_PX && (
						<span key={x} className="absolute truncate pl-0.5" style={{ left: x, width }}>
							{hourMinute(from)}
						</span>
					)
				),
			)}
		</div>
	);
}
