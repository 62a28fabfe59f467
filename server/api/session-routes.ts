import { type Context, Hono } from 'hono';
import { AppError } from '#lib/contract/errors.ts';
import { EventsQuery, RowsQuery, SessionsQuery } from '#lib/contract/http.ts';
import { SessionId } from '#lib/contract/ids.ts';
import type { ServerStatus } from '#lib/contract/status.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { pageOfSessions } from '#lib/session/session-page.ts';
import type { SessionView } from '#lib/session/view.ts';
import type { IndexStore } from '../store/index-store.ts';
import type { ApiEnv } from './api-env.ts';
import { demandId, readQuery } from './read-request.ts';

/** The current views, as the tail holds them. */
export interface SessionViews {
	viewOf(sessionId: string): SessionView | undefined;
	views(): SessionView[];
}

export interface SessionRouteOptions {
	index: Pick<IndexStore, 'epoch' | 'events' | 'rows'>;
	tail: SessionViews & {
		/** Null unless all timelines are just being read. */
		building(): ServerStatus['building'];
	};
	/** Milliseconds since the epoch. */
	now: () => number;
}

/** Reading sessions: the list, one, its events and its rows. */
export function createSessionRoutes({ index, tail, now }: SessionRouteOptions) {
	const routes = new Hono<ApiEnv>();

	function demandSession(context: Context): SessionView {
		const view = tail.viewOf(demandId(context, SessionId, 'session/not-found'));
		if (!view) throw new AppError(tail.building() ? 'index/building' : 'session/not-found');
		return view;
	}

	routes.get('/api/sessions', (context) => {
		const { alarmed, ...query } = readQuery(context, SessionsQuery);
		const views = tail.views().filter(({ sessionId }) => sessionId !== HOME_SESSION);
		const page = pageOfSessions(views, { ...query, alarmed: alarmed !== undefined, now: now() });
		return context.json({ ...page, epoch: index.epoch });
	});

	routes.get('/api/sessions/:id', (context) => context.json({ session: demandSession(context) }));

	routes.get('/api/sessions/:id/events', (context) => {
		const { sessionId } = demandSession(context);
		const { after, limit, row } = readQuery(context, EventsQuery);
		return context.json({ events: index.events(sessionId, { after, limit, ...(row === undefined ? {} : { row }) }) });
	});

	routes.get('/api/sessions/:id/rows', (context) => {
		const { sessionId } = demandSession(context);
		return context.json({ rows: index.rows(sessionId, readQuery(context, RowsQuery)) });
	});

	return routes;
}
