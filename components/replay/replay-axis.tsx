import { useMemo } from 'react';
import type { ChapterKind } from '#lib/contract/archives/replay.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { clockTime } from '#lib/time/clock.ts';
import { noteLine, spanOfNote } from '#lib/timeline/note-marks.ts';
import { gapFor, timeScale } from '#lib/timeline/time-scale.ts';
import { useSay } from '../language/use-say.ts';
import { useNotes } from '../session/notes/notes-context.ts';
import { AxisLabels } from '../ui/axis-labels.tsx';
import { cn } from '../ui/cn.ts';
import { NarrowFold } from '../ui/part.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { toneText } from '../ui/tone.tsx';
import { useWidth } from '../ui/use-size.ts';
import { chapterLooks } from './chapter-list.tsx';
import { StageRow } from './stage-row.tsx';
import type { ReplayState } from './use-replay.ts';

const GRID = 'grid grid-cols-[5rem_minmax(0,1fr)] items-center md:grid-cols-[7rem_minmax(0,1fr)]';

/** One time axis for all sessions: stages, chapter marks, the slider and the event density. Idle time is collapsed. */
export function ReplayAxis({ replay }: { replay: ReplayState }) {
	const say = useSay();
	const { tape, instant, isAll, shown, moveTo } = replay;
	const { busy, sessions, stages, to: end } = tape;
	const [ref, width] = useWidth<HTMLDivElement>();
	const scale = useMemo(() => timeScale(busy, width, gapFor(busy, width)), [busy, width]);
	const now = scale.toX(instant);
	const { notes } = useNotes();
	const spans = notes.flatMap((note) => {
		const span = spanOfNote(note, shown?.runs ?? [], end);
		return span ? [{ note, span }] : [];
	});
	return (
		<div className="scroll-hint relative overflow-x-auto max-md:shrink-0 max-md:px-3 max-md:py-1">
			<div className={GRID}>
				{sessions.length > 1 && (
					<>
						<span className="text-muted text-small">{say('Sessions')}</span>
						<div className="relative h-5 pointer-coarse:h-10">
							{sessions.map(({ sessionId, from, to }, index) => (
								<button
									key={sessionId}
									type="button"
									title={visibleString(sessionId)}
									aria-pressed={sessionId === shown?.sessionId}
									onClick={() => replay.choose(sessionId)}
									className={cn(
										'absolute inset-y-0 min-w-6 overflow-hidden rounded-xs border border-edge bg-surface px-1 text-left text-small leading-4 hover:bg-hover aria-pressed:border-accent aria-pressed:bg-selected',
										from > instant && 'border-dotted text-muted',
									)}
									style={{
										left: Math.min(scale.toX(from), scale.width - 24),
										// A session that overlaps the next one ends at its start, so that both names can be read.
										width: scale.toX(Math.min(to, sessions[index + 1]?.from ?? to)) - scale.toX(from),
									}}
								>
									<AgentText className="block truncate font-mono">{sessionId}</AgentText>
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
									onClick={() => void moveTo(span.from)}
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
				<NarrowFold title={say('Stages')} className="col-span-2">
					<div className={cn(GRID, 'max-h-40 overflow-y-auto')}>
						{stages.map(({ stage, runs }) => (
							<StageRow key={stage} stage={stage} bars={runs} scale={scale} instant={instant} end={end} />
						))}
					</div>
				</NarrowFold>
				<label htmlFor="replay-instant" className="text-muted text-small">
					{say('Position')}
				</label>
				<div className="relative">
					<div ref={ref} aria-hidden className="pointer-events-none absolute inset-x-0 top-0 h-2 overflow-hidden">
						<ChapterMarks replay={replay} toX={scale.toX} width={width} />
					</div>
					<input
						id="replay-instant"
						type="range"
						min={0}
						max={Math.ceil(scale.width)}
						step={1}
						value={isAll ? 1 : instant >= end ? Math.ceil(scale.width) : Math.round(now)}
						aria-valuetext={isAll ? say('the whole recording') : clockTime(instant)}
						onChange={(event) => {
							const x = Number(event.target.value);
							void moveTo(x >= Math.ceil(scale.width) ? end : scale.toTime(x));
						}}
						className="h-6 w-full accent-accent pointer-coarse:h-10"
					/>
				</div>
				<div className="col-start-2">
					<AxisLabels scale={scale} />
				</div>
			</div>
		</div>
	);
}

function ChapterMarks(props: { replay: ReplayState; toX: (ms: number) => number; width: number }) {
	const { toX, width } = props;
	const { tape, kinds } = props.replay;
	const marks = useMemo(() => {
		const places = new Map<string, { x: number; kind: ChapterKind }>();
		for (const { kind, at } of tape.marks) {
			const x = Math.round(Math.min(toX(at), width - 2));
			if (kinds.includes(kind)) places.set(`${kind} ${x}`, { x, kind });
		}
		return [...places];
	}, [tape.marks, kinds, toX, width]);
	return marks.map(([key, { x, kind }]) => (
		<span
			key={key}
			className={cn('absolute top-0 h-2 w-0.5 bg-current', toneText[chapterLooks[kind].tone])}
			style={{ left: x }}
		/>
	));
}
