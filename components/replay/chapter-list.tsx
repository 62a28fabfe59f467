'use client';
import { useEffect, useRef } from 'react';
import type { Tone } from '#lib/contract/event-labels.ts';
import { clockTime, isSameDay } from '#lib/time/clock.ts';
import type { Chapter, ChapterKind } from '#lib/timeline/chapters.ts';
import { AgentText } from '../text/agent-text.tsx';
import { cn } from '../ui/cn.ts';
import { toneGlyph, toneText } from '../ui/tone.ts';

/** How each kind of chapter reads. */
export const chapterLooks: Record<ChapterKind, { word: string; tone: Tone }> = {
	denial: { word: 'Denied', tone: 'err' },
	'sent-on': { word: 'Sent on', tone: 'plain' },
	mismatch: { word: 'Not in the plan', tone: 'warn' },
	decision: { word: 'Decided', tone: 'wait' },
	failure: { word: 'Failed', tone: 'err' },
};

/** More than this many chapters are shown around the instant only; the keys reach them all. */
const SHOWN = 200;

interface ChapterListProps {
	chapters: readonly Chapter[];
	/** In ms; null for the whole recording. */
	instant: number | null;
	onOpen: (chapter: Chapter) => void;
}

/** Denials, refused stops, mismatches, decisions and failures of all sessions; choosing one goes to its moment and row. */
export function ChapterList({ chapters, instant, onOpen }: ChapterListProps) {
	const current = instant === null ? -1 : chapters.findLastIndex(({ at }) => at <= instant);
	const first = Math.max(0, Math.min(current - SHOWN / 2, chapters.length - SHOWN));
	const shown = chapters.slice(first, first + SHOWN);
	const hasDays = !isSameDay(chapters[0]?.at ?? 0, chapters.at(-1)?.at ?? 0);
	const list = useRef<HTMLOListElement>(null);
	// biome-ignore lint/correctness/useExhaustiveDependencies: another current chapter is what moves the list.
	useEffect(() => {
		list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
	}, [current]);
	return (
		<section aria-label="Chapters" className="flex flex-col border-line border-t md:w-80 md:border-t-0 md:border-l">
			<h2 className="px-3 pt-2 pb-1 font-semibold">
				Chapters <span className="font-normal text-muted">{chapters.length}</span>
			</h2>
			{chapters.length === 0 && (
				<p className="px-3 pb-2 text-muted">Nothing was denied, decided or failed, and all went by the plan.</p>
			)}
			<ol ref={list} className="max-h-48 overflow-y-auto">
				{shown.map((chapter, at) => {
					const { word, tone } = chapterLooks[chapter.kind];
					const isCurrent = first + at === current;
					return (
						<li key={`${chapter.sessionId} ${chapter.at} ${chapter.row} ${chapter.kind}`}>
							<button
								type="button"
								aria-current={isCurrent ? 'step' : undefined}
								onClick={() => onOpen(chapter)}
								className={cn(
									'flex min-h-7 w-full items-baseline gap-2 px-3 py-0.5 text-left hover:bg-hover',
									isCurrent && 'bg-selected',
									instant !== null && chapter.at > instant && 'text-muted',
								)}
							>
								<span className="shrink-0 font-mono text-mono text-muted">
									{hasDays && `${new Date(chapter.at).toLocaleDateString('en-CA').slice(5)} `}
									{clockTime(chapter.at)}
								</span>
								<span className={cn('shrink-0', toneText[tone])}>
									<span aria-hidden>{toneGlyph[tone]} </span>
									{word}
								</span>
								<AgentText className="min-w-0 truncate">{chapter.title}</AgentText>
							</button>
						</li>
					);
				})}
			</ol>
		</section>
	);
}
