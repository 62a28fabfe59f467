import { AppError } from '#lib/contract/errors.ts';
import type { ServerStatus } from '#lib/contract/status.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { seqUntil } from '#lib/session/row-until.ts';
import { pageOfSessions } from '#lib/session/session-page.ts';
import type { SessionView } from '#lib/session/view.ts';
import { samplePoints } from '#lib/timeline/density.ts';
import type { IndexStore } from '../store/index-store.ts';
import { defineRoute } from './define-route.ts';

/** The current views, as the tail holds them. */
export interface SessionViews {
	viewOf(sessionId: string): SessionView | undefined;
	views(): SessionView[];
}

export interface SessionRouteOptions {
	index: Pick<IndexStore, 'epoch' | 'events' | 'rows' | 'timeOf'>;
	tail: SessionViews & {
		/** Null unless all timelines are just being read. */
		building(): ServerStatus['building'];
	};
	/** Milliseconds since the epoch. */
	now: () => number;
}

/** Reading sessions: the list, one, its events and its rows. */
export function createSessionRoutes({ index, tail, now }: SessionRouteOptions) {
	function demandSession({ id }: { id: string }): SessionView {
		const view = tail.viewOf(id);
		if (!view) throw new AppError(tail.building() ? 'index/building' : 'session/not-found');
		return view;
	}

	return [
		defineRoute('GET /api/sessions', ({ query: { alarmed, ...query } }) => {
			const views = tail.views().filter(({ sessionId }) => sessionId !== HOME_SESSION);
			const page = pageOfSessions(views, { ...query, alarmed: alarmed !== undefined, now: now() });
			return { ...page, epoch: index.epoch };
		}),
		defineRoute('GET /api/sessions/:id', ({ params }) => ({ session: demandSession(params) })),
		defineRoute('GET /api/sessions/:id/events', ({ params, query: { after, limit, row } }) => {
			const { sessionId } = demandSession(params);
			return { events: index.events(sessionId, { after, limit, ...(row === undefined ? {} : { row }) }) };
		}),
		defineRoute('GET /api/sessions/:id/rows', ({ params, query: { until, ...range } }) => {
			const { sessionId, seq } = demandSession(params);
			if (until === undefined) return { rows: index.rows(sessionId, range) };
			const rowBefore = (before: number) => index.rows(sessionId, { before, limit: 1 })[0];
			const before = Math.min(seqUntil(rowBefore, seq, new Date(until).toISOString()) + 1, range.before ?? seq + 1);
			return { rows: index.rows(sessionId, { ...range, before }) };
		}),
		defineRoute('GET /api/sessions/:id/density', ({ params }) => {
			const { sessionId, seq } = demandSession(params);
			return { points: samplePoints(seq, (each) => index.timeOf(sessionId, each)) };
		}),
	];
}
