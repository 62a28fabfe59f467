import type { SearchResult } from '#lib/contract/search.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { excerptOf } from '#lib/search/excerpt.ts';
import { searchTerms } from '#lib/search/search-terms.ts';
import type { Said, SessionReads } from '../store/session-reads.ts';
import { defineRoute } from './define-route.ts';
import type { SessionRouteOptions } from './session-routes.ts';

/** What the route needs of the server. */
export interface SearchRouteOptions {
	reads: Pick<SessionReads, 'find' | 'view'>;
	building: SessionRouteOptions['building'];
}

/** Where in all sessions something was said; each row once, by the newest of its events. */
export function createSearchRoutes({ reads, building }: SearchRouteOptions) {
	return [
		defineRoute('GET /api/search', async ({ query: { q, limit, before } }) => {
			const terms = searchTerms(q);
			const found = new Map<string, Said>();
			const next = await reads.find(terms, before, (said) => {
				const { sessionId } = said.event;
				const key = `${sessionId}\n${said.rowKey}`;
				if (sessionId === HOME_SESSION || found.has(key)) return false;
				found.set(key, said);
				return found.size === limit;
			});
			const results: SearchResult[] = [];
			for (const { rowKey, event, text } of found.values()) {
				const { sessionId, seq, ts: at, type } = event;
				const view = await reads.view(sessionId);
				if (!view) continue;
				const { project, branch, title } = view;
				const session = { ...(project && { project }), ...(branch && { branch }), ...(title && { title }) };
				results.push({ sessionId, rowKey, seq, ...excerptOf(text, terms), at, type, ...session });
			}
			return { results, next, building: building() };
		}),
	];
}
