import type { SearchResult } from '#lib/contract/sessions/search.ts';

/** Results by session, in the order in which the sessions come first. */
export function groupBySession(results: readonly SearchResult[]): [first: SearchResult, ...SearchResult[]][] {
	const groups = new Map<string, [SearchResult, ...SearchResult[]]>();
	for (const result of results) {
		const group = groups.get(result.sessionId);
		if (group) group.push(result);
		else groups.set(result.sessionId, [result]);
	}
	return [...groups.values()];
}
