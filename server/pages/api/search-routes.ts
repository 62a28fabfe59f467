import { FIRST_AGENT } from '#lib/agents/agent-table.ts';
import type { SearchResult } from '#lib/contract/sessions/search.ts';
import { isHomeSession } from '#lib/ids/session-name.ts';
import { excerptOf } from '#lib/search/excerpt.ts';
import { searchTerms } from '#lib/search/search-terms.ts';
import type { SearchableText, SessionReads } from '../../timeline/store/session-reads.ts';
import { defineRoute } from './define-route.ts';
import type { SessionRouteOptions } from './session-routes.ts';

/** Only the sessions say which make they are of: what others said is passed over so often before a page may be short. */
const ROUNDS = 10;

/** What the route needs of the server. */
export interface SearchRouteOptions {
	reads: Pick<SessionReads, 'find' | 'view'>;
	building: SessionRouteOptions['building'];
}

/** Where in all sessions something was said; each row once, by the newest of its events. */
export function createSearchRoutes({ reads, building }: SearchRouteOptions) {
	/** The row of something that was said; undefined where its session is gone or of another make. */
	async function resultOf({ rowKey, event, text }: SearchableText, terms: readonly string[], make: string | undefined) {
		const { sessionId, seq, ts: at, type } = event;
		const view = await reads.view(sessionId);
		const agent = view?.agent ?? FIRST_AGENT;
		if (!view || (make !== undefined && agent !== make)) return undefined;
		const { project, branch, title } = view;
		const session = { agent, ...(project && { project }), ...(branch && { branch }), ...(title && { title }) };
		return { sessionId, rowKey, seq, ...excerptOf(text, terms), at, type, ...session } satisfies SearchResult;
	}

	return [
		defineRoute('GET /api/search', async ({ query: { q, limit, before, make } }) => {
			const terms = searchTerms(q);
			const known = new Set<string>();
			const results: SearchResult[] = [];
			let next: number | null | undefined = before;
			for (let round = make === undefined ? ROUNDS : 1; round <= ROUNDS && next !== null; round++) {
				const found: SearchableText[] = [];
				next = await reads.find(terms, next, (said) => {
					const { sessionId } = said.event;
					const key = `${sessionId}\n${said.rowKey}`;
					if (isHomeSession(sessionId) || known.has(key)) return false;
					known.add(key);
					return results.length + found.push(said) === limit;
				});
				for (const said of found) {
					const result = await resultOf(said, terms, make);
					if (result) results.push(result);
				}
				if (results.length >= limit) break;
			}
			return { results, next: next ?? null, building: building() };
		}),
	];
}
