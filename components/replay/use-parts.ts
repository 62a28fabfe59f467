'use client';
import { useEffect, useRef, useState } from 'react';
import type { PartAnswer } from '#lib/contract/archives/replay.ts';
import { seqAt } from '#lib/replay/recording.ts';
import { holds, type LoadedParts, nextWanted, withPart } from './loaded-parts.ts';
import type { RecordingReads } from './recording-reads.ts';

interface Parts {
	/** The one from which the instant is folded; the last known one while that is on its way. */
	part: PartAnswer | null;
	error: string | null;
}

/** The stretch of a recorded session around an instant (ms), and soon the one after it: never the whole. */
export function useParts(reads: RecordingReads, sessionId: string, instant: number): Parts {
	const [loaded, setLoaded] = useState<LoadedParts>([]);
	const [error, setError] = useState<string | null>(null);
	const asked = useRef(new Set<string>());
	const here = loaded.find((part) => holds(part, instant));
	const ahead = here ? nextWanted(here, seqAt(here, instant)) : null;
	const isAheadKnown = ahead === null || loaded.some(({ after }) => after === ahead);
	const wanted = here ? (isAheadKnown ? null : `seq ${ahead}`) : `at ${instant}`;
	// biome-ignore lint/correctness/useExhaustiveDependencies: while one part came the instant has moved on, so each one that comes looks again.
	useEffect(() => {
		if (wanted === null || asked.current.size > 0) return;
		const [by, place] = wanted.split(' ');
		asked.current.add(wanted);
		const asking = reads.part(sessionId, by === 'at' ? { at: Number(place) } : { seq: Number(place) });
		void asking.then((answer) => {
			asked.current.delete(wanted);
			if (answer.ok) setLoaded((before) => withPart(before, answer.data));
			setError(answer.ok ? null : answer.message);
		});
	}, [reads, sessionId, wanted, loaded]);
	return { part: here ?? loaded.at(-1) ?? null, error };
}
