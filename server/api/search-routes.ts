import type { SearchResult } from '#lib/contract/search.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { excerptOf } from '#lib/search/excerpt.ts';
import { searchTerms } from '#lib/search/search-terms.ts';
import type { IndexStore } from '../store/index-store.ts';
import { defineRoute } from './define-route.ts';
import type { SessionRouteOptions } from './session-routes.ts';

/** What the route needs of the server. */
export interface SearchRouteOptions {
	index: Pick<IndexStore, 'find'>;
	tail: Pick<SessionRouteOptions['tail'], 'viewOf' | 'building'>;
}

/** Where in all sessions something was said; each row once, by the newest of its events. */
export function createSearchRoutes({ index, tail }: SearchRouteOptions) {
	return [
		defineRoute('GET /api/search', ({ query: { q, limit, before } }) => {
			const terms = searchTerms(q);
			const results = new Map<string, SearchResult>();
			const next = index.find(terms, before, ({ rowKey, event, text }) => {
				const { sessionId, seq, ts: at, type } = event;
				const view = sessionId === HOME_SESSION ? undefined : tail.viewOf(sessionId);
				const key = `${sessionId}\n${rowKey}`;
				if (!view || results.has(key)) return false;
				const { project, branch, title } = view;
				const session = { ...(project && { project }), ...(branch && { branch }), ...(title && { title }) };
				results.set(key, { sessionId, rowKey, seq, ...excerptOf(text, terms), at, type, ...session });
				return results.size === limit;
			});
			return { results: [...results.values()], next, building: tail.building() };
		}),
	];
}
