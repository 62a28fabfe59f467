'use client';
import { useEffect, useRef, useState } from 'react';
import type { ChapterKind, ChaptersAround } from '#lib/contract/archives/replay.ts';
import type { RecordingReads } from './recording-reads.ts';

/** Chapters on either side of an instant that the list has. */
const SIDE = 100;

/** The chapters of these kinds around an instant (ms), asked for anew where it leaves those that are known. */
export function useChapters(
	reads: RecordingReads,
	kinds: readonly ChapterKind[],
	instant: number,
): ChaptersAround | null {
	const [known, setKnown] = useState<{ reads: RecordingReads; of: string; around: ChaptersAround } | null>(null);
	const of = kinds.join();
	const around = known?.reads === reads && known.of === of ? known.around : null;
	const isNear = around !== null && reaches(around, instant);
	const busyWith = useRef<string | null>(null);
	useEffect(() => {
		// While it is played the instant moves on: the answer that is on its way is taken first.
		if (isNear || of === '' || busyWith.current === of) return;
		busyWith.current = of;
		void reads.chapters(instant, kinds, SIDE).then((answer) => {
			if (busyWith.current === of) busyWith.current = null;
			if (answer.ok) setKnown({ reads, of, around: answer.data });
		});
	}, [reads, kinds, of, isNear, instant]);
	return of === '' ? { before: [], after: [] } : around;
}

/** Whether all chapters next to an instant are among these: a side that is not full has no more. */
function reaches({ before, after }: ChaptersAround, instant: number): boolean {
	const first = before.length < SIDE ? Number.NEGATIVE_INFINITY : (before[0]?.at ?? 0);
	const last = after.length < SIDE ? Number.POSITIVE_INFINITY : (after.at(-1)?.at ?? 0);
	return instant > first && instant < last;
}
