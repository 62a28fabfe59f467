import { AppError } from '#lib/contract/errors.ts';
import type { ServerStatus } from '#lib/contract/health/status.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { seqUntil } from '#lib/session/row.ts';
import { readPoints } from '#lib/timeline/density.ts';
import type { Feed } from '../../timeline/feed.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';
import { defineRoute } from './define-route.ts';

/** The current views, as the tail holds them. */
export interface SessionViews {
	viewOf(sessionId: string): SessionView | undefined;
	views(): SessionView[];
}

export interface SessionRouteOptions {
	reads: Pick<SessionReads, 'view' | 'events' | 'rows' | 'timesOf'>;
	feed: Pick<Feed, 'summaries' | 'listEpoch'>;
	/** Null unless all timelines are just being read. */
	building: () => ServerStatus['building'];
	/** Milliseconds since the epoch. */
	now: () => number;
}

/** Reading sessions: the list, one, its events and its rows. */
export function createSessionRoutes({ reads, feed, building, now }: SessionRouteOptions) {
	async function demandSession({ id }: { id: string }): Promise<SessionView> {
		const view = await reads.view(id);
		if (!view) throw new AppError(building() ? 'index/building' : 'session/not-found');
		return view;
	}

	return [
		defineRoute('GET /api/sessions', async ({ query: { alarmed, ...query } }) => {
			const epoch = feed.listEpoch();
			const page = await feed.summaries({ ...query, alarmed: alarmed !== undefined, now: now() });
			return { ...page, epoch };
		}),
		defineRoute('GET /api/sessions/:id', async ({ params }) => ({ session: await demandSession(params) })),
		defineRoute('GET /api/sessions/:id/events', async ({ params, query: { after, limit, row } }) => {
			const { sessionId } = await demandSession(params);
			return { events: await reads.events(sessionId, { after, limit, ...(row === undefined ? {} : { row }) }) };
		}),
		defineRoute('GET /api/sessions/:id/rows', async ({ params, query: { until, ...range } }) => {
			const { sessionId, seq } = await demandSession(params);
			if (until === undefined) return { rows: await reads.rows(sessionId, range) };
			const rowBefore = async (before: number) => (await reads.rows(sessionId, { before, limit: 1 }))[0];
			const begun = await seqUntil(rowBefore, seq, new Date(until).toISOString());
			const before = Math.min(begun + 1, range.before ?? seq + 1);
			return { rows: await reads.rows(sessionId, { ...range, before }) };
		}),
		defineRoute('GET /api/sessions/:id/density', async ({ params }) => {
			const { sessionId, seq } = await demandSession(params);
			return { points: await readPoints(seq, (seqs) => reads.timesOf(sessionId, seqs)) };
		}),
	];
}
