'use client';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { useSummaries } from './use-summaries.ts';

/** A session's line of the list, asked for where no page has brought it yet; undefined until it is known. */
export function useSummary(sessionId: string): SessionSummary | undefined {
	return useSummaries([sessionId])[0];
}
