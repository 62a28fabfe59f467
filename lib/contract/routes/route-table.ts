import type * as z from 'zod';
import { accessRoutes } from './access-routes.ts';
import { archiveRoutes } from './archive-routes.ts';
import { decisionRoutes } from './decision-routes.ts';
import { hubOnlyRoutes } from './hub-routes.ts';
import { type Access, READERS, type RouteName, type RouteSpec, splitRoute } from './route-spec.ts';
import { serverRoutes } from './server-routes.ts';
import { sessionRoutes } from './session-routes.ts';

/** The one table of routes; the gate refuses what is not in it. */
export const routeSpecs = {
	...serverRoutes,
	...accessRoutes,
	...sessionRoutes,
	...decisionRoutes,
	...archiveRoutes,
	...hubOnlyRoutes,
} as const satisfies Record<RouteName, RouteSpec>;

export type RouteKey = keyof typeof routeSpecs;
type SpecOf<Key extends RouteKey> = (typeof routeSpecs)[Key];

export interface Route extends RouteSpec {
	method: 'GET' | 'POST';
	path: string;
}

export const routeTable: readonly Route[] = Object.entries<RouteSpec>(routeSpecs).map(([key, spec]) => {
	const [method, path] = splitRoute(key);
	return { ...spec, method, path };
});

export const PAGE_ACCESS: Access = READERS;

export type RequestOf<Key extends RouteKey> = (SpecOf<Key> extends { params: infer Part extends z.ZodType }
	? { params: z.input<Part> }
	: unknown) &
	(SpecOf<Key> extends { query: infer Query extends z.ZodType } ? { query?: z.input<Query> } : unknown) &
	(SpecOf<Key> extends { body: infer Body extends z.ZodType } ? { body: z.input<Body> } : unknown);

/** What a handler gets: checked, with defaults. */
export type AskedOf<Key extends RouteKey> = (SpecOf<Key> extends { params: infer Part extends z.ZodType }
	? { params: z.output<Part> }
	: unknown) &
	(SpecOf<Key> extends { query: infer Query extends z.ZodType } ? { query: z.output<Query> } : unknown) &
	(SpecOf<Key> extends { body: infer Body extends z.ZodType } ? { body: z.output<Body> } : unknown);

export type AnswerOf<Key extends RouteKey> =
	SpecOf<Key> extends { answer: infer Answer extends z.ZodType }
		? z.output<Answer>
		: SpecOf<Key> extends { text: true }
			? string
			: unknown;
