import type { Tone } from '#lib/contract/events/event-labels.ts';
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
	isTall?: boolean;
}

/** Widths (px) of one letter and of the padding of a bar. */
const LETTER_PX = 7;
const EDGES_PX = 10;

const MIN_PX = 4;

/** One stage, with each run as a bar in its state at the instant. Later parts are dotted. */
export function StageRow({ stage, label = stage, bars, scale, instant, end = instant, isTall = false }: StageRowProps) {
	const stretchStyle = (from: number, to: number) => {
		const left = Math.min(scale.toX(from), scale.width - MIN_PX);
		return { left, width: Math.max(MIN_PX, Math.min(scale.toX(to), scale.width - 1) - left) };
	};
	return (
		<>
			<AgentText className="truncate text-small leading-3.5">{label}</AgentText>
			<div className={cn('relative', isTall ? 'h-6' : 'h-3.5')}>
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
				{runsAt(bars, instant).map(({ from, to, result }) => (
					<StageBar
						key={from}
						stage={stage}
						word={to === null ? 'running' : (result ?? 'done')}
						time={runningDuration((to ?? instant) - from)}
						tone={to === null ? 'run' : resultTone(result, 'ok')}
						style={stretchStyle(from, to ?? instant)}
					/>
				))}
			</div>
		</>
	);
}

interface StageBarProps {
	stage: string;
	word: string;
	time: string;
	/** `run` for one that has not ended. */
	tone: Tone;
	style: { left: number; width: number };
}

/** A run of a stage as a bar: result and time in it as far as they fit, at least its glyph, else that beside it. */
function StageBar({ stage, word, time, tone, style }: StageBarProps) {
	const glyph = toneGlyph[tone];
	const label = `${glyph} ${word} ${time}`;
	const inside = [label, `${glyph} ${time}`, glyph].find((text) => style.width >= EDGES_PX + text.length * LETTER_PX);
	return (
		<span
			title={visibleString(`${stage} ${label}`)}
			className={cn(
				'absolute inset-y-px rounded-xs border border-current bg-surface text-small',
				...[toneText[tone], tone === 'run' && 'border-dashed'],
			)}
			style={style}
		>
			<AgentText className="sr-only">{label}</AgentText>
			<span
				aria-hidden
				className={cn(
					'absolute -inset-y-0.5 flex items-center whitespace-pre leading-none',
					inside ? 'left-1' : 'left-full pl-0.5',
				)}
			>
				<AgentText>{inside ?? glyph}</AgentText>
			</span>
		</span>
	);
}
