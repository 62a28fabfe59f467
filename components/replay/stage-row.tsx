import type { StageRun } from '#lib/contract/sessions/read-model/session-view.ts';
import { resultTone } from '#lib/session/row.ts';
import { runsAt } from '#lib/session/workflow-progress.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { runningDuration } from '#lib/time/duration.ts';
import type { TimeScale } from '#lib/timeline/time-scale.ts';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { toneGlyph, toneText } from '../ui/tone.tsx';

interface StageRowProps {
	stage: string;
	/** All runs of the stage, including those after the instant. */
	bars: readonly StageRun[];
	scale: TimeScale;
	instant: number;
	/** Last instant of the recording, or now for a live feature (ms). Unfinished runs end here. */
	end?: number;
}

/** Widths (px) of one letter and of the padding of a bar. */
const LETTER_PX = 7;
const EDGES_PX = 12;

const MIN_PX = 4;

/** One stage, with each run as a bar in its state at the instant. Later parts are faint. */
export function StageRow({ stage, bars, scale, instant, end = instant }: StageRowProps) {
	const stretchStyle = (from: number, to: number) => {
		const left = scale.toX(from);
		return {
			left: Math.min(left, scale.width - MIN_PX),
			width: Math.max(MIN_PX, Math.min(scale.toX(to), scale.width - 1) - left),
		};
	};
	return (
		<>
			<AgentText className="truncate text-small leading-4">{stage}</AgentText>
			<div className="relative h-4">
				<span aria-hidden className="absolute inset-x-0 top-2 border-line border-t" />
				{bars
					.filter(({ to }) => (to ?? end) > instant)
					.map((run) => (
						<span
							key={run.from}
							aria-hidden
							data-testid="still-to-come"
							className="absolute top-px h-3.5 rounded-xs border border-edge border-dotted bg-raised opacity-60"
							style={stretchStyle(run.from, run.to ?? end)}
						/>
					))}
				{runsAt(bars, instant).map((run) => {
					const { word, look } = stageMark(run);
					const stretch = stretchStyle(run.from, run.to ?? instant);
					const length = runningDuration((run.to ?? instant) - run.from);
					const label = `${word} ${length}`;
					const isWhole = stretch.width >= EDGES_PX + label.length * LETTER_PX;
					return (
						<span
							key={run.from}
							title={visibleString(`${stage} ${label}`)}
							className={cn('absolute top-px flex h-3.5 items-center overflow-hidden rounded-xs border px-1', look)}
							style={stretch}
						>
							<AgentText className={cn('truncate text-small leading-3.5', !isWhole && 'sr-only')}>{label}</AgentText>
							{!isWhole && stretch.width >= EDGES_PX + length.length * LETTER_PX && (
								<span aria-hidden className="whitespace-nowrap text-small leading-3.5">
									{length}
								</span>
							)}
						</span>
					);
				})}
			</div>
		</>
	);
}

function stageMark({ to, result }: StageRun): { word: string; look: string } {
	if (to === null) return { word: '● running', look: 'border-run border-dashed bg-surface text-run' };
	const tone = resultTone(result, 'ok');
	return { word: `${toneGlyph[tone]} ${result ?? 'done'}`, look: cn('border-current bg-surface', toneText[tone]) };
}
