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
	isTall?: boolean;
}

/** Widths (px) of one letter and of the padding of a bar. */
const LETTER_PX = 7;
const EDGES_PX = 12;

const MIN_PX = 4;

/** One stage, with each run as a bar in its state at the instant, and its result in it or beside it. Later parts are faint. */
export function StageRow({ stage, bars, scale, instant, end = instant, isTall = false }: StageRowProps) {
	const stretchStyle = (from: number, to: number) => {
		const left = Math.min(scale.toX(from), scale.width - MIN_PX);
		return { left, width: Math.max(MIN_PX, Math.min(scale.toX(to), scale.width - 1) - left) };
	};
	const drawn = runsAt(bars, instant).map((run) => ({ run, ...stretchStyle(run.from, run.to ?? instant) }));
	/** Where the bars and labels drawn so far end. */
	let free = 0;
	const height = isTall ? 'h-6 leading-6' : 'h-3.5 leading-3.5';
	return (
		<>
			<AgentText className="truncate text-small leading-3.5">{stage}</AgentText>
			<div className={cn('relative', height)}>
				<span aria-hidden className="absolute inset-x-0 top-1/2 border-line border-t" />
				{bars
					.filter(({ to }) => (to ?? end) > instant)
					.map((run) => (
						<span
							key={run.from}
							aria-hidden
							data-testid="still-to-come"
							className="absolute inset-y-px rounded-xs border border-edge border-dotted bg-raised opacity-60"
							style={stretchStyle(run.from, run.to ?? end)}
						/>
					))}
				{drawn.map(({ run, left, width }, at) => {
					const { word, look } = stageMark(run);
					const label = `${word} ${runningDuration((run.to ?? instant) - run.from)}`;
					const needed = EDGES_PX + label.length * LETTER_PX;
					const isRight = (drawn[at + 1]?.left ?? scale.width) - left - width >= needed;
					const isLeft = !isRight && left - free >= needed;
					const beside = isRight ? { left: left + width } : { right: scale.width - left };
					const isWhole = width >= needed;
					free = left + width + (isRight && !isWhole ? needed : 0);
					return (
						<span key={run.from} title={visibleString(`${stage} ${label}`)} className="contents">
							<span className={cn('absolute inset-y-px rounded-xs border', look)} style={{ left, width }} />
							<span
								className={cn(
									'absolute px-1.5 text-small',
									height,
									look,
									'border-0 bg-transparent',
									!isWhole && (isRight || isLeft ? 'bg-surface' : 'sr-only'),
								)}
								style={isWhole ? { left } : beside}
							>
								<AgentText>{label}</AgentText>
							</span>
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
