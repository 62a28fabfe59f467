import { type RefCallback, useMemo } from 'react';
import type { ChapterKind } from '#lib/contract/archives/replay.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { clockTime } from '#lib/time/clock.ts';
import { noteLine, spanOfNote } from '#lib/timeline/note-marks.ts';
import { gapFor, timeScale } from '#lib/timeline/time-scale.ts';
import { useSay } from '../language/use-say.ts';
import { useNotes } from '../session/notes/notes-context.ts';
import { AxisLabels } from '../ui/axis-labels.tsx';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { toneText } from '../ui/tone.tsx';
import { useWidth } from '../ui/use-size.ts';
import { chapterLooks } from './chapter-list.tsx';
import { StageRow } from './stage-row.tsx';
import type { Tape } from './tape.ts';

interface ReplayAxisProps {
	tape: Tape;
	instant: number;
	/** No instant was chosen: all of it is shown. */
	isAll: boolean;
	shown: string | undefined;
	kinds: readonly ChapterKind[];
	onChoose: (sessionId: string) => void;
	onMove: (instant: number) => void;
}

/** One time axis over all sessions: stages as bars, chapters as marks, idle time collapsed, the slider, how much happened when. */
export function ReplayAxis({ tape, instant, isAll, shown, kinds, onChoose, onMove }: ReplayAxisProps) {
	const say = useSay();
	const { busy, sessions, stages, to: end } = tape;
	const [ref, width] = useWidth<HTMLDivElement>();
	const scale = useMemo(() => timeScale(busy, width, gapFor(busy, width)), [busy, width]);
	const now = scale.toX(instant);
	const { notes } = useNotes();
	const shownRuns = sessions.find(({ sessionId }) => sessionId === shown)?.runs ?? [];
	const spans = notes.flatMap((note) => {
		const span = spanOfNote(note, shownRuns, end);
		return span ? [{ note, span }] : [];
	});
	return (
		<div className="scroll-hint relative overflow-x-auto">
			<div className="grid grid-cols-[5rem_minmax(0,1fr)] items-center md:grid-cols-[7rem_minmax(0,1fr)]">
				{sessions.length > 1 && (
					<>
						<span className="text-muted text-small">{say('Sessions')}</span>
						<div className="relative h-6">
							{sessions.map(({ sessionId, from, to }) => (
								<button
									key={sessionId}
									type="button"
									aria-pressed={sessionId === shown}
									onClick={() => onChoose(sessionId)}
									className={cn(
										'absolute top-0.5 h-5 min-w-6 overflow-hidden rounded-xs border border-edge bg-surface px-1 text-left text-small leading-4 hover:bg-hover aria-pressed:border-accent aria-pressed:bg-selected',
										from > instant && 'border-dotted text-muted',
									)}
									style={{ left: Math.min(scale.toX(from), scale.width - 24), width: scale.toX(to) - scale.toX(from) }}
								>
									<AgentText className="whitespace-nowrap font-mono">{sessionId}</AgentText>
								</button>
							))}
						</div>
					</>
				)}
				{spans.length > 0 && (
					<>
						<span className="text-muted text-small">{say('Notes')}</span>
						<div className="relative h-5">
							{spans.map(({ note, span }) => (
								<button
									key={note.id}
									type="button"
									title={visibleString(noteLine(note))}
									onClick={() => onMove(span.from)}
									className="absolute top-px h-4 min-w-3.5 truncate rounded-xs border border-accent bg-selected px-0.5 text-left text-accent text-small leading-3.5"
									style={{
										left: Math.min(scale.toX(span.from), scale.width - 14),
										width: scale.toX(span.to) - scale.toX(span.from),
									}}
								>
									<span aria-hidden>✎ </span>
									<AgentText>{noteLine(note)}</AgentText>
								</button>
							))}
						</div>
					</>
				)}
				<div className="col-span-2 grid max-h-33 grid-cols-subgrid items-center overflow-y-auto">
					{stages.map(({ stage, runs }) => (
						<StageRow key={stage} stage={stage} bars={runs} scale={scale} instant={instant} end={end} />
					))}
				</div>
				<label htmlFor="replay-instant" className="text-muted text-small">
					{say('Instant')}
				</label>
				<div className="relative">
					<ChapterMarks tape={tape} kinds={kinds} toX={scale.toX} width={width} measure={ref} />
					<input
						id="replay-instant"
						type="range"
						min={0}
						max={Math.ceil(scale.width)}
						step={1}
						value={isAll || instant >= end ? Math.ceil(scale.width) : Math.round(now)}
						aria-valuetext={isAll ? say('the whole recording') : clockTime(instant)}
						onChange={(event) => {
							const x = Number(event.target.value);
							onMove(x >= Math.ceil(scale.width) ? end : scale.toTime(x));
						}}
						className="h-6 w-full accent-accent"
					/>
				</div>
				<span />
				<AxisLabels scale={scale} />
			</div>
		</div>
	);
}

interface ChapterMarksProps {
	tape: Tape;
	kinds: readonly ChapterKind[];
	toX: (ms: number) => number;
	width: number;
	measure: RefCallback<HTMLDivElement>;
}

function ChapterMarks({ tape, kinds, toX, width, measure }: ChapterMarksProps) {
	const marks = useMemo(() => {
		const places = new Map<string, { x: number; kind: ChapterKind }>();
		for (const { kind, at } of tape.marks) {
			const x = Math.round(Math.min(toX(at), width - 2));
			if (kinds.includes(kind)) places.set(`${kind} ${x}`, { x, kind });
		}
		return [...places];
	}, [tape.marks, kinds, toX, width]);
	return (
		<div ref={measure} aria-hidden className="pointer-events-none absolute inset-x-0 top-0 h-2 overflow-hidden">
			{marks.map(([key, { x, kind }]) => (
				<span
					key={key}
					className={cn('absolute top-0 h-2 w-0.5 bg-current', toneText[chapterLooks[kind].tone])}
					style={{ left: x }}
				/>
			))}
		</div>
	);
}
