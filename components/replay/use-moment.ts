'use client';
import { useEffect, useRef, useState } from 'react';
import type { RecordedMoment } from '#lib/contract/archives/replay.ts';
import type { RecordingReads } from './recording-reads.ts';

/** Where an instant (ms) stands among all events: the last that is known, while it moves. Null before the first answer. */
export function useMoment(reads: RecordingReads, instant: number): RecordedMoment | null {
	const [known, setKnown] = useState<{ at: number; moment: RecordedMoment } | null>(null);
	const isBusy = useRef(false);
	useEffect(() => {
		if (known?.at === instant || isBusy.current) return;
		isBusy.current = true;
		void reads.moment(instant).then((answer) => {
			isBusy.current = false;
			if (answer.ok) setKnown({ at: instant, moment: answer.data });
		});
	}, [reads, instant, known]);
	return known?.moment ?? null;
}
