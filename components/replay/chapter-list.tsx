import { useEffect, useRef, useState } from 'react';
import { chapterKinds } from '#lib/contract/archives/chapter-kinds.ts';
import type { Chapter, ChapterKind, ChaptersAround } from '#lib/contract/archives/replay.ts';
import type { Tone } from '#lib/contract/events/event-labels.ts';
import type { Plain } from '#lib/messages/say.ts';
import { chapterAt } from '#lib/replay/chapters.ts';
import { clockTime, dayWords, endTime, isSameDay } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/cn.ts';
import { NarrowFold } from '../ui/part.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { Toned } from '../ui/tone.tsx';
import type { RecordingReads } from './recording-reads.ts';
import type { ReplayState } from './use-replay.ts';

export function ChapterList({ replay }: { replay: ReplayState }) {
	const say = useSay();
	const { reads, tape, instant, isAll, chosen, kinds, setKinds } = replay;
	const around = useChapters(reads, kinds, isAll ? tape.from - 1 : instant);
	const chapters = around ? [...around.before, ...around.after] : [];
	const current = isAll ? -1 : chapterAt(chapters, instant, chosen);
	const hasDays = !isSameDay(tape.from, tape.to);
	const list = useRef<HTMLOListElement>(null);
	const currentKey = chapters[current] && keyOf(chapters[current]);
	// biome-ignore lint/correctness/useExhaustiveDependencies: scroll the list when another chapter becomes current.
	useEffect(() => {
		list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
	}, [currentKey]);
	const total = kinds.reduce((sum, kind) => sum + (tape.chapters[kind] ?? 0), 0);
	return (
		<section
			aria-label={say('Chapters')}
			className="shrink-0 overflow-y-auto border-line border-y px-2 py-1 md:w-72 md:border-y-0 md:border-l xl:w-88"
		>
			<h2 className="px-1 pb-1 font-semibold max-md:hidden">
				{say('Chapters')} <span className="font-normal text-muted">{total}</span>
			</h2>
			<NarrowFold
				title={
					// On a phone the chapter of the instant stands here.
					chapters[current] ? <ChapterWords chapter={chapters[current]} now={tape.to} /> : `${say('Chapters')} ${total}`
				}
			>
				<fieldset className="flex flex-wrap gap-1 pb-1">
					<legend className="sr-only">{say('Kinds of chapters')}</legend>
					{chapterKinds
						.filter((kind) => tape.chapters[kind])
						.map((kind) => (
							<Button
								key={kind}
								kind="quiet"
								size="small"
								aria-pressed={kinds.includes(kind)}
								onClick={() => setKinds(chapterKinds.filter((each) => kinds.includes(each) !== (each === kind)))}
								className="rounded-full border-line px-2 text-muted text-small aria-pressed:border-edge"
							>
								{say(chapterLooks[kind].all)} {tape.chapters[kind]?.toLocaleString(say.language)}
							</Button>
						))}
				</fieldset>
				{total === 0 && (
					<p className="pb-2 text-muted">
						{chapterKinds.some((kind) => tape.chapters[kind] && !kinds.includes(kind))
							? say('None of the chosen kinds. Switch another one on.')
							: say('Nothing was denied, decided or failed, and all went by the plan.')}
					</p>
				)}
				<ol ref={list}>
					{chapters.map((chapter, index) => (
						<li key={keyOf(chapter)}>
							{hasDays && !isSameDay(chapters[index - 1]?.at ?? 0, chapter.at) && (
								<span className="block px-1 pt-1 text-muted text-small">
									{dayWords(chapter.at, tape.to, say.language)}
								</span>
							)}
							<button
								type="button"
								aria-current={index === current ? 'step' : undefined}
								onClick={() => void replay.open(chapter, chapter.row)}
								className={cn(
									'flex min-h-7 w-full items-baseline gap-2 px-1 py-0.5 text-left hover:bg-hover pointer-coarse:py-2.5',
									index === current && 'bg-selected',
									!isAll && chapter.at > instant && 'text-muted',
								)}
							>
								<ChapterWords chapter={chapter} />
							</button>
						</li>
					))}
				</ol>
			</NarrowFold>
		</section>
	);
}

/** When a chapter was, what it is, and of what; with `now` (ms), its day if that is another one. */
function ChapterWords({ chapter, now }: { chapter: Chapter; now?: number }) {
	const say = useSay();
	const { word, tone } = chapterLooks[chapter.kind];
	return (
		<>
			<span className="shrink-0 text-muted tabular-nums">
				{now === undefined ? clockTime(chapter.at) : endTime(chapter.at, now, say.language)}
			</span>
			<Toned tone={tone} className="shrink-0">
				{say(word)}
			</Toned>
			<AgentText className="line-clamp-2 min-w-0 [overflow-wrap:anywhere]">{say.field(chapter, 'title')}</AgentText>
		</>
	);
}

const keyOf = ({ sessionId, seq, kind }: Chapter) => `${sessionId} ${seq} ${kind}`;

const SIDE = 100;

/** Chapters of these kinds around an instant (ms). Loaded again when the instant leaves the loaded range. */
function useChapters(reads: RecordingReads, kinds: readonly ChapterKind[], instant: number): ChaptersAround | null {
	const [known, setKnown] = useState<{ reads: RecordingReads; of: string; around: ChaptersAround } | null>(null);
	const of = kinds.join();
	const around = known?.reads === reads && known.of === of ? known.around : null;
	const isNear = around !== null && reaches(around, instant);
	const busyWith = useRef<string | null>(null);
	useEffect(() => {
		// One request at a time for the same kinds: while playing, the instant changes faster than answers come.
		if (isNear || of === '' || busyWith.current === of) return;
		busyWith.current = of;
		void reads.chapters(instant, kinds, SIDE).then((answer) => {
			if (busyWith.current === of) busyWith.current = null;
			if (answer.ok) setKnown({ reads, of, around: answer.data });
		});
	}, [reads, kinds, of, isNear, instant]);
	return of === '' ? { before: [], after: [] } : around;
}

/** Whether the loaded chapters include the neighbours of an instant. A side that is not full is complete. */
function reaches({ before, after }: ChaptersAround, instant: number): boolean {
	const first = before.length < SIDE ? Number.NEGATIVE_INFINITY : (before[0]?.at ?? 0);
	const last = after.length < SIDE ? Number.POSITIVE_INFINITY : (after.at(-1)?.at ?? 0);
	return instant > first && instant < last;
}

export const chapterLooks: Record<ChapterKind, { word: Plain; all: Plain; tone: Tone }> = {
	denial: { word: 'Denied', all: 'Denials', tone: 'err' },
	'sent-on': { word: 'Sent on', all: 'Sent on', tone: 'plain' },
	mismatch: { word: 'Not in the plan', all: 'Mismatches', tone: 'warn' },
	override: { word: 'Overridden', all: 'Overrides', tone: 'wait' },
	decision: { word: 'Decided', all: 'Decisions', tone: 'wait' },
	failure: { word: 'Failed', all: 'Failures', tone: 'err' },
	stage: { word: 'Stage', all: 'Stages', tone: 'run' },
	prompt: { word: 'Prompt', all: 'Prompts', tone: 'plain' },
};
