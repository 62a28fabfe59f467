import { unaskedDenials } from '#lib/approvals/unasked-denials.ts';
import type { GrantDesk } from '../grants/grant-desk.ts';
import type { IndexStore } from '../store/index-store.ts';
import type { Decisions } from './approval-routes.ts';
import { defineRoute } from './define-route.ts';
import type { SessionViews } from './session-routes.ts';

/** So many of the newest verdicts are looked through; what is older is in its session's story. */
const REACH = 1000;
/** So many of the newest grants and questions are held against them. */
const DECIDED_REACH = 200;

/** What the routes need of the server. */
export interface DenialRouteOptions {
	index: Pick<IndexStore, 'denials' | 'row'>;
	tail: Pick<SessionViews, 'viewOf'>;
	grants: Pick<GrantDesk, 'list'>;
	desk: Pick<Decisions, 'list'>;
	now: () => number;
}

/** Reading what was denied while nobody was asked. */
export function createDenialRoutes({ index, tail, grants, desk, now }: DenialRouteOptions) {
	return [
		defineRoute('GET /api/denials', ({ query: { limit } }) => {
			const known = {
				row: index.row,
				view: tail.viewOf,
				grants: grants.list(undefined, DECIDED_REACH),
				questions: desk.list(undefined, DECIDED_REACH),
				now: now(),
			};
			return { denials: unaskedDenials(index.denials(REACH), known, limit) };
		}),
	];
}
