'use client';
import { useRef } from 'react';
import type { Chapter, ChapterKind } from '#lib/contract/archives/replay.ts';
import { stepChapter } from '#lib/replay/chapters.ts';
import type { RecordingReads } from './recording-reads.ts';

/** As many chapters of one moment can be stepped through. */
const AROUND = 50;

interface ReplayPosition {
	reads: RecordingReads;
	/** In ms. */
	instant: number;
	/** The first instant, ms; of a whole recording steps forward begin before it. */
	from: number;
	isAll: boolean;
	/** The chapter that was opened. */
	chosen: { sessionId: string; seq: number } | undefined;
	onMove: (instant: number) => Promise<unknown>;
	onOpen: (chapter: Chapter) => Promise<unknown>;
}

/** Steps from where the page stands to other instants, one after another however fast they are asked for. */
export function useSteps(place: ReplayPosition) {
	const latest = useRef(place);
	/** Where a step has led that the page has not drawn yet: the next one begins there. */
	const ahead = useRef<Pick<ReplayPosition, 'instant' | 'isAll' | 'chosen'> | null>(null);
	const waiting = useRef(0);
	const { instant: shown, chosen: marked, isAll: whole } = latest.current;
	const isMoved = shown !== place.instant || marked?.seq !== place.chosen?.seq || whole !== place.isAll;
	if (isMoved && waiting.current === 0) ahead.current = null;
	latest.current = place;
	const last = useRef<Promise<unknown>>(Promise.resolve());

	const after = (step: (from: ReplayPosition & { at: number }, side: 1 | -1) => Promise<unknown>, side: 1 | -1) => {
		waiting.current += 1;
		last.current = last.current.then(async () => {
			const standing = { ...latest.current, ...ahead.current };
			const { instant, from, isAll } = standing;
			try {
				await step({ ...standing, at: isAll && side === 1 ? from - 1 : instant }, side);
			} finally {
				waiting.current -= 1;
			}
		});
	};
	async function stepEvent({ reads, at, from, onMove }: ReplayPosition & { at: number }, side: 1 | -1) {
		const answer = await reads.moment(at);
		if (!answer.ok) return;
		const { previous, next } = answer.data;
		// A step back from the first event shows what was before it: nothing.
		const to = side === 1 ? next : (previous ?? (at >= from ? from - 1 : null));
		if (to === null) return;
		ahead.current = { instant: to, isAll: false, chosen: undefined };
		await onMove(to);
	}
	return {
		toEvent: (side: 1 | -1) => after(stepEvent, side),
		toChapter: (side: 1 | -1, kinds: readonly ChapterKind[]) =>
			after(async ({ reads, at, chosen, onOpen }) => {
				if (kinds.length === 0) return;
				const answer = await reads.chapters(at, kinds, AROUND);
				const chapter = answer.ok && stepChapter(answer.data, at, side, chosen);
				if (!chapter) return;
				ahead.current = { instant: chapter.at, isAll: false, chosen: chapter };
				await onOpen(chapter);
			}, side),
	};
}
