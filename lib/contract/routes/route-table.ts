import type * as z from 'zod';
import { accessRoutes } from './access-routes.ts';
import { compareRoutes } from './compare-routes.ts';
import { decisionRoutes } from './decision-routes.ts';
import { edgeRoutes } from './edge-routes.ts';
import { featureRoutes } from './feature-routes.ts';
import { peopleRoutes } from './people-routes.ts';
import { policyRoutes } from './policy-routes.ts';
import { replayRoutes } from './replay-routes.ts';
import { type Access, READERS, type RouteName, type RouteSpec } from './route-spec.ts';
import { serverRoutes } from './server-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { splitRoute } from './split-route.ts';

/** The one table of routes. The gate refuses what is not in it, and pages ask for `PAGE_ACCESS`. */
export const routeSpecs = {
	...serverRoutes,
	...accessRoutes,
	...sessionRoutes,
	...decisionRoutes,
	...featureRoutes,
	...compareRoutes,
	...replayRoutes,
	...edgeRoutes,
	...peopleRoutes,
	...policyRoutes,
} as const satisfies Record<RouteName, RouteSpec>;

export type RouteKey = keyof typeof routeSpecs;
type SpecOf<Key extends RouteKey> = (typeof routeSpecs)[Key];

/** One route with its method and path. */
export interface Route extends RouteSpec {
	method: 'GET' | 'POST';
	path: string;
}

/** Every route with its method and path. */
export const routeTable: readonly Route[] = Object.entries<RouteSpec>(routeSpecs).map(([key, spec]) => {
	const [method, path] = splitRoute(key);
	return { ...spec, method, path };
});

/** Pages and their assets: whoever may read. */
export const PAGE_ACCESS: Access = READERS;

/** What a request of this route gives: parts of its path, its query and its body, as they are written. */
export type RequestOf<Key extends RouteKey> = (SpecOf<Key> extends { params: infer Part extends z.ZodType }
	? { params: z.input<Part> }
	: unknown) &
	(SpecOf<Key> extends { query: infer Query extends z.ZodType } ? { query?: z.input<Query> } : unknown) &
	(SpecOf<Key> extends { body: infer Body extends z.ZodType } ? { body: z.input<Body> } : unknown);

/** What a handler has of a request: parts of its path, its query and its body, checked, with defaults. */
export type AskedOf<Key extends RouteKey> = (SpecOf<Key> extends { params: infer Part extends z.ZodType }
	? { params: z.output<Part> }
	: unknown) &
	(SpecOf<Key> extends { query: infer Query extends z.ZodType } ? { query: z.output<Query> } : unknown) &
	(SpecOf<Key> extends { body: infer Body extends z.ZodType } ? { body: z.output<Body> } : unknown);

/** What a 200 holds. Of a route without a form for it nothing is known. */
export type AnswerOf<Key extends RouteKey> =
	SpecOf<Key> extends { answer: infer Answer extends z.ZodType }
		? z.output<Answer>
		: SpecOf<Key> extends { text: true }
			? string
			: unknown;
