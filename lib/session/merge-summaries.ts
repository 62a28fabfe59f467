import type { SessionSummary } from '../contract/sessions/read-model/session-summary.ts';

/** Sessions by their ids, with others put in; of two summaries of one session the one that tells more stays. */
export function mergeSummaries(
	known: Readonly<Record<string, SessionSummary>>,
	more: readonly SessionSummary[],
): Record<string, SessionSummary> {
	const merged = { ...known };
	for (const summary of more) {
		const { sessionId, seq } = summary;
		if (seq >= (merged[sessionId]?.seq ?? 0)) merged[sessionId] = summary;
	}
	return merged;
}
