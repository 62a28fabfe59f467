'use client';
import { useEffect, useRef, useState } from 'react';
import type { ChapterKind, ChaptersAround } from '#lib/contract/replay.ts';
import { callRoute } from '../live/call-route.ts';

/** Chapters on either side of an instant that the list has. */
const SIDE = 100;

/** The chapters of these kinds around an instant (ms), asked for anew where it leaves those that are known. */
export function useChapters(featureId: string, kinds: readonly ChapterKind[], instant: number): ChaptersAround | null {
	const [known, setKnown] = useState<{ of: string; around: ChaptersAround } | null>(null);
	const asked = kinds.join();
	const of = `${featureId} ${asked}`;
	const around = known?.of === of ? known.around : null;
	const isNear = around !== null && reaches(around, instant);
	const busyWith = useRef<string | null>(null);
	useEffect(() => {
		// While it is played the instant moves on: the answer that is on its way is taken first.
		if (isNear || asked === '' || busyWith.current === of) return;
		busyWith.current = of;
		const query = { at: instant, kinds: asked, limit: SIDE };
		void callRoute('GET /api/features/:id/recording/chapters', { params: { id: featureId }, query }).then((answer) => {
			if (busyWith.current === of) busyWith.current = null;
			if (answer.ok) setKnown({ of, around: answer.data });
		});
	}, [featureId, asked, of, isNear, instant]);
	return asked === '' ? { before: [], after: [] } : around;
}

/** Whether all chapters next to an instant are among these: a side that is not full has no more. */
function reaches({ before, after }: ChaptersAround, instant: number): boolean {
	const first = before.length < SIDE ? Number.NEGATIVE_INFINITY : (before[0]?.at ?? 0);
	const last = after.length < SIDE ? Number.POSITIVE_INFINITY : (after.at(-1)?.at ?? 0);
	return instant > first && instant < last;
}
