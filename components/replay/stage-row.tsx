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
	label?: string;
	/** All runs of the stage, including those after the instant. */
	bars: readonly StageRun[];
	scale: TimeScale;
	instant: number;
	/** Last instant of the recording, or now for a live feature (ms). Unfinished runs end here. */
	end?: number;
}

/** Widths (px) of one letter and of the padding of a bar. */
const LETTER_PX = 6.5;
const EDGES_PX = 9;

const MIN_PX = 6;

/** One stage, with each run as a bar in its state at the instant. Later parts are dotted. */
export function StageRow({ stage, label = stage, bars, scale, instant, end = instant }: StageRowProps) {
	const stretchStyle = (from: number, to: number) => {
		const left = Math.min(scale.toX(from), scale.width - MIN_PX);
		return { left, width: Math.max(MIN_PX, Math.min(scale.toX(to), scale.width - 1) - left) };
	};
	return (
		<>
			<AgentText className="truncate text-small leading-5">{label}</AgentText>
			<div className="relative h-5">
				<span aria-hidden className="absolute inset-x-0 top-1/2 border-line border-t" />
				{bars
					.filter(({ to }) => (to ?? end) > instant)
					.map((run) => (
						<span
							key={run.from}
							aria-hidden
							data-testid="still-to-come"
							className="absolute inset-y-px rounded-xs border border-muted border-dotted bg-surface"
							style={stretchStyle(run.from, run.to ?? end)}
						/>
					))}
				{runsAt(bars, instant).map(({ from, to, result }) => {
					const tone = to === null ? 'run' : resultTone(result, 'ok');
					const style = stretchStyle(from, to ?? instant);
					const [glyph, time] = [toneGlyph[tone], runningDuration((to ?? instant) - from)];
					const label = `${glyph} ${to === null ? 'running' : (result ?? 'done')} ${time}`;
					const fits = (text: string) => style.width >= EDGES_PX + text.length * LETTER_PX;
					const inside = [`${glyph} ${time}`, glyph].find(fits);
					// Where not even the glyph fits, what did not pass is filled.
					const isFilled = !inside && tone !== 'ok' && tone !== 'run';
					return (
						<span
							key={from}
							title={visibleString(`${stage} ${label}`)}
							className={cn(
								'absolute inset-y-px rounded-xs border border-current text-small',
								...[toneText[tone], tone === 'run' && 'border-dashed', isFilled ? 'bg-current' : 'bg-surface'],
							)}
							style={style}
						>
							<AgentText className="sr-only">{label}</AgentText>
							<span aria-hidden className="absolute -inset-y-0.5 left-1 flex items-center whitespace-pre leading-none">
								{inside}
							</span>
						</span>
					);
				})}
			</div>
		</>
	);
}
