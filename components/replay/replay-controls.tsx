'use client';
import { type Chapter, type ChapterKind, countUpTo, stepFrom } from '#lib/timeline/chapters.ts';
import { ariaKeys } from '../keys/shortcut.ts';
import { shortcuts } from '../keys/shortcuts.ts';
import { useShortcut } from '../keys/use-shortcut.ts';
import { Button } from '../ui/button.tsx';
import type { ReplayMoments } from './replay-moments.ts';

interface ReplayControlsProps {
	all: ReplayMoments;
	instant: number;
	/** No instant was chosen: steps forward begin at the start, those back at the end. */
	isAll: boolean;
	onMove: (instant: number) => void;
	onOpen: (chapter: Chapter) => void;
}

/** Steps to other instants: by event, by chapter, by kind of chapter. */
export function ReplayControls({ all, instant, isAll, onMove, onOpen }: ReplayControlsProps) {
	const { moments, chapters } = all;
	const happened = countUpTo(moments, instant);

	const from = (side: 1 | -1) => (isAll && side === 1 ? Number.NEGATIVE_INFINITY : instant);

	function stepEvent(side: 1 | -1) {
		const to = stepFrom(moments, from(side), side);
		if (to !== null) onMove(to);
		else if (side === -1 && happened > 0) onMove((moments[0] ?? 0) - 1);
	}
	function stepChapter(side: 1 | -1, kind?: ChapterKind) {
		const fitting = kind === undefined ? chapters : chapters.filter((chapter) => chapter.kind === kind);
		const to = stepFrom(
			fitting.map(({ at }) => at),
			from(side),
			side,
		);
		const chapter = fitting.find(({ at }) => at === to);
		if (chapter) onOpen(chapter);
	}
	useShortcut('eventBack', () => stepEvent(-1));
	useShortcut('eventOn', () => stepEvent(1));
	useShortcut('chapterBack', () => stepChapter(-1));
	useShortcut('chapterOn', () => stepChapter(1));
	useShortcut('nextDenial', () => stepChapter(1, 'denial'));
	useShortcut('nextMismatch', () => stepChapter(1, 'mismatch'));
	useShortcut('nextDecision', () => stepChapter(1, 'decision'));

	const kinds = (['denial', 'mismatch', 'decision'] as const).filter((kind) =>
		chapters.some((chapter) => chapter.kind === kind),
	);
	const steps = [
		{ key: 'eventBack', label: '‹ Event', act: () => stepEvent(-1), has: happened > 0 },
		{ key: 'eventOn', label: 'Event ›', act: () => stepEvent(1), has: isAll || happened < moments.length },
		...kinds.map((kind) => ({
			key: ({ denial: 'nextDenial', mismatch: 'nextMismatch', decision: 'nextDecision' } as const)[kind],
			label: `Next ${kind}`,
			act: () => stepChapter(1, kind),
			has: chapters.some((chapter) => chapter.kind === kind && chapter.at > from(1)),
		})),
	] as const;
	return (
		<div className="flex flex-wrap items-center gap-2">
			{steps.map(({ key, label, act, has }) => (
				<Button key={key} size="small" disabled={!has} aria-keyshortcuts={ariaKeys(shortcuts[key])} onClick={act}>
					{label}
				</Button>
			))}
		</div>
	);
}
