import type { StageRun } from '#lib/contract/sessions/read-model/session-view.ts';
import { resultTone } from '#lib/session/row.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { type Span, stackSpans, type TimeScale } from '#lib/timeline/time-scale.ts';
import { useSay } from '../language/use-say.ts';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { toneGlyph, toneText } from '../ui/tone.ts';
import { BAR_PX } from './lane-bars.tsx';

/** The room (px) of the sign before a name, of the band's own edges, and of a letter. */
const NAME_PX = 24;
const EDGE_PX = 6;
const LETTER_PX = 8;

/** A run in view with its place under those beside it. */
export type StageBand = Span & { run: StageRun; depth: number };

/** The runs in view, parallel ones under each other, and how many stand so; runs that go on end `now` (ms). */
export function stageBands(runs: readonly StageRun[], view: Span, now: number): { bands: StageBand[]; depth: number } {
	const all = runs.map((run) => ({ run, from: run.from, to: Math.max(run.from, run.to ?? now) }));
	const { spans, depth } = stackSpans(all.filter(({ from, to }) => to >= view.from && from <= view.to));
	return { bands: spans, depth: spans.length > 0 ? depth : 0 };
}

/** Every run of the stages as a band above the lanes. */
export function StageBands({
	bands,
	scale,
	height,
	onNote,
}: {
	bands: readonly StageBand[];
	scale: TimeScale;
	height: number;
	/** Hears of the stage of a band that was pressed. */
	onNote?: (stage: string) => void;
}) {
	const say = useSay();
	return (
		<ul aria-label={say('Stages over time')} className="relative" style={{ height }}>
			{bands.map(({ run, from, to, depth }) => {
				const isRunning = run.to === null;
				const tone = isRunning ? 'run' : resultTone(run.result, 'ok');
				const word = isRunning ? say('running') : say.known(run.result?.toLowerCase() ?? 'done');
				const left = Math.min(scale.toX(from), scale.width - 4);
				const time = spanDuration(to - from, say.language);
				const length = isRunning ? say('{time} so far', { time }) : time;
				const width = Math.max(4, scale.toX(to) - left);
				// A name that is cut says nothing: it stands whole, or the sign alone. What passed needs no sign beside its name.
				const hasBoth = width >= NAME_PX + run.stage.length * LETTER_PX;
				const hasName = hasBoth || (tone === 'ok' && width >= EDGE_PX + run.stage.length * LETTER_PX);
				const hasLength = width >= NAME_PX + (run.stage.length + length.length + 1) * LETTER_PX;
				return (
					<li
						key={`${run.stage} ${run.from}`}
						title={visibleString(`${run.stage} ${word}, ${length}`)}
						className={cn(
							'absolute h-5 overflow-hidden whitespace-nowrap rounded-xs border border-current bg-raised text-small leading-4',
							hasBoth || !hasName ? width >= NAME_PX && 'px-1' : 'px-0.5',
							toneText[tone],
							isRunning && 'border-dashed',
						)}
						style={{ left, width, top: depth * BAR_PX + 2 }}
					>
						{onNote && (
							<button
								type="button"
								aria-label={visibleString(say('Notes on stage {stage}', { stage: run.stage }))}
								className="absolute inset-0 hover:bg-hover/50"
								onClick={() => onNote(run.stage)}
							/>
						)}
						{(hasBoth || !hasName) && <span aria-hidden>{toneGlyph[tone]} </span>}
						<AgentText className={cn(!hasName && 'sr-only')}>{run.stage}</AgentText>
						<AgentText className="sr-only">{` ${word}`}</AgentText>{' '}
						<span className={cn('text-muted', !hasLength && 'sr-only')}>{length}</span>
					</li>
				);
			})}
		</ul>
	);
}
