'use client';
import { useEffect } from 'react';
import type { SessionSummary } from '#lib/contract/read-model/session-summary.ts';
import { wantSession } from './session-pages.ts';
import { useLive } from './store.ts';

/** A session's line of the list, asked for where no page has brought it yet; undefined until it is known. */
export function useSummary(sessionId: string): SessionSummary | undefined {
	const summary = useLive(({ sessions }) => sessions?.[sessionId]);
	const round = useLive(({ list }) => list?.round ?? 0);
	const isMissing = round > 0 && summary === undefined;
	// biome-ignore lint/correctness/useExhaustiveDependencies: a new list has forgotten what was asked for.
	useEffect(() => {
		if (isMissing) wantSession(sessionId);
	}, [isMissing, sessionId, round]);
	return summary;
}
