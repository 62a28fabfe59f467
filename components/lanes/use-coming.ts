'use client';
import { useEffect, useMemo, useState } from 'react';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { comingSpans } from '#lib/timeline/lanes.ts';
import { useSessionSource } from '../live/session-source.ts';

/** Rows are asked for anew once so many events more have happened. */
const STEP_EVENTS = 250;

const NOTHING = { to: null, busy: [], runs: [], lanes: new Map(), others: [] } as const;

/**
 * What a recording still holds behind the instant that is shown, as far as a reader can tell it apart: nothing for a live
 * session. `lanes` are calls by actor, `others` those of actors whom `known` does not have yet; `to` is where it ends (ms).
 */
export function useComing({ sessionId, seq }: SessionView, now: number, known: readonly (string | undefined)[]) {
	const { coming } = useSessionSource();
	const [asked, setAsked] = useState<{ from: number; rows: readonly Row[] }>({ from: -1, rows: [] });
	const from = Math.floor(seq / STEP_EVENTS) * STEP_EVENTS;
	useEffect(() => {
		if (!coming) return;
		let isCurrent = true;
		void coming.getRows(sessionId, from).then((rows) => isCurrent && setAsked({ from, rows }));
		return () => {
			isCurrent = false;
		};
	}, [coming, sessionId, from]);
	const names = known.join(' ');
	// biome-ignore lint/correctness/useExhaustiveDependencies: `names` says whom `known` has.
	return useMemo(
		() => (coming ? comingSpans(coming, asked.rows, { now, seq, known }) : NOTHING),
		[coming, asked, now, seq, names],
	);
}
