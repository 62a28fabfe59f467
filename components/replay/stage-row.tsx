import { resultTone } from '#lib/session/row-of.ts';
import type { StageRun } from '#lib/session/stage-runs.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { clockDuration } from '#lib/time/duration.ts';
import type { TimeScale } from '#lib/timeline/time-scale.ts';
import { AgentText } from '../text/agent-text.tsx';
import { cn } from '../ui/cn.ts';
import { toneGlyph, toneText } from '../ui/tone.ts';

interface StageRowProps {
	stage: string;
	bars: readonly StageRun[];
	scale: TimeScale;
	instant: number;
}

/** A bar must be seen however short it is. */
const MIN_PX = 4;

/** One stage: each of its runs as a bar. */
export function StageRow({ stage, bars, scale, instant }: StageRowProps) {
	return (
		<>
			<AgentText className="truncate text-small">{stage}</AgentText>
			<div className="relative h-4.5">
				<span aria-hidden className="absolute inset-x-0 top-2 border-line border-t" />
				{bars.map((bar) => {
					const { word, look } = lookOf(bar);
					const from = scale.toX(bar.from);
					const width = Math.max(MIN_PX, scale.toX(bar.to ?? instant) - from);
					const standing = `${word} ${clockDuration((bar.to ?? instant) - bar.from)}`;
					return (
						<span
							key={bar.from}
							title={visibleString(`${stage} ${standing}`)}
							className={cn('absolute top-px flex h-4 items-center overflow-hidden rounded-xs border px-1', look)}
							style={{ left: Math.min(from, scale.width - MIN_PX), width }}
						>
							<AgentText className={cn('truncate text-small leading-3.5', width < 70 && 'sr-only')}>
								{standing}
							</AgentText>
						</span>
					);
				})}
			</div>
		</>
	);
}

function lookOf({ to, result }: StageRun): { word: string; look: string } {
	if (to === null) return { word: '● running', look: 'border-run border-dashed text-run' };
	const tone = resultTone(result, 'ok');
	return { word: `${toneGlyph[tone]} ${result ?? 'done'}`, look: cn('border-current', toneText[tone]) };
}
