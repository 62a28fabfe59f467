import { decisionWithoutContent, summaryWithoutContent } from '#lib/hub/without-content.ts';
import type { Feed } from '../../timeline/feed.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';

/** Search is off: hits would reveal content. */
export function feedWithoutContent(feed: Feed): Feed {
	return {
		...feed,
		onBatch: (listener) =>
			feed.onBatch(({ summary, ...batch }) =>
				listener({
					...batch,
					events: [],
					...(summary && { summary: (now: number) => summaryWithoutContent(summary(now)) }),
				}),
			),
		async summaries({ q: _, ...request }) {
			const page = await feed.summaries(request);
			return { ...page, sessions: page.sessions.map(summaryWithoutContent) };
		},
	};
}

/** What an auditor may read of the ledger and of a session's view. */
export function ledgerWithoutContent({ ledger, view }: Pick<SessionReads, 'ledger' | 'view'>) {
	return {
		ledger: async (...range: Parameters<typeof ledger>) =>
			(await ledger(...range)).map(({ line, place }) => ({ line: decisionWithoutContent(line), place })),
		async view(sessionId: string) {
			const found = await view(sessionId);
			if (!found) return;
			const { branch: _, ...rest } = found;
			return rest;
		},
		rows: async () => [],
	} satisfies Pick<SessionReads, 'ledger' | 'view' | 'rows'>;
}

export const nothingToRead = {
	headOf: async () => undefined,
	snapshot: async () => undefined,
	eventsSince: async () => null,
	view: async () => undefined,
	row: async () => undefined,
	rows: async () => [],
	events: async () => [],
	denials: async () => [],
	find: async () => null,
	timesOf: async (_: string, seqs: readonly number[]) => seqs.map(() => undefined),
} satisfies Partial<SessionReads>;
