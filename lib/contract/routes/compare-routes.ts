import { CompareQuery, Comparison } from '../archives/compare.ts';
import { READERS, type RouteName, type RouteSpec } from './route-spec.ts';

/** Recorded runs beside each other. */
export const compareRoutes = {
	'GET /api/compare': {
		access: READERS,
		summary:
			'Two runs side by side: where they first went apart, and every number of both; `a` and `b` name archives, features, sessions or `previous`',
		query: CompareQuery,
		answer: Comparison,
	},
} as const satisfies Record<RouteName, RouteSpec>;
