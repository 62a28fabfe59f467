'use client';
import { useMemo } from 'react';
import { clockTime } from '#lib/time/clock.ts';
import { timeScale } from '#lib/timeline/time-scale.ts';
import { AgentText } from '../text/agent-text.tsx';
import { AxisLabels } from '../timeline/axis-labels.tsx';
import { cn } from '../ui/cn.ts';
import { toneText } from '../ui/tone.ts';
import { useWidth } from '../ui/use-width.ts';
import { chapterLooks } from './chapter-list.tsx';
import { type ReplayMoments, rowsAt } from './replay-moments.ts';
import { StageRow } from './stage-row.tsx';

interface ReplayAxisProps {
	all: ReplayMoments;
	instant: number;
	/** No instant was chosen: all of it is shown. */
	isAll: boolean;
	/** The session whose readings are shown. */
	shown: string | undefined;
	onChoose: (sessionId: string) => void;
	onMove: (instant: number) => void;
}

/** One time axis over all sessions: stages as bars, chapters as marks, idle time collapsed, and the slider. */
export function ReplayAxis({ all, instant, isAll, shown, onChoose, onMove }: ReplayAxisProps) {
	const { busy, chapters, sessions } = all;
	const [ref, width] = useWidth<HTMLDivElement>();
	const scale = useMemo(() => timeScale(busy, width), [busy, width]);
	const rows = useMemo(() => rowsAt(all.rows, instant), [all.rows, instant]);
	const now = scale.toX(instant);
	return (
		<div className="scroll-hint relative overflow-x-auto">
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
				{sessions.length > 1 && (
					<>
						<span className="text-muted text-small">Sessions</span>
						<div className="relative h-6">
							{sessions.map(({ sessionId, from, to }) => (
								<button
									key={sessionId}
									type="button"
									aria-pressed={sessionId === shown}
									onClick={() => onChoose(sessionId)}
									className="absolute top-0.5 h-5 min-w-6 overflow-hidden rounded-xs border border-edge bg-surface px-1 text-left text-small leading-4 hover:bg-hover aria-pressed:border-accent aria-pressed:bg-selected"
									style={{ left: Math.min(scale.toX(from), scale.width - 24), width: scale.toX(to) - scale.toX(from) }}
								>
									<AgentText className="whitespace-nowrap font-mono">{sessionId}</AgentText>
								</button>
							))}
						</div>
					</>
				)}
				{rows.map(({ stage, bars }) => (
					<StageRow key={stage} stage={stage} bars={bars} scale={scale} instant={instant} />
				))}
				<label htmlFor="replay-instant" className="text-muted text-small">
					Instant
				</label>
				<input
					id="replay-instant"
					type="range"
					min={0}
					max={Math.ceil(scale.width)}
					step={1}
					value={isAll ? Math.ceil(scale.width) : Math.round(now)}
					aria-valuetext={isAll ? 'the whole recording' : clockTime(instant)}
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
