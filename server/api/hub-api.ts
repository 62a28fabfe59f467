import type { Hono } from 'hono';
import { AppError } from '#lib/contract/errors.ts';
import { hubRoutes } from '#lib/contract/hub-routes.ts';
import { type RouteKey, routeSpecs, routeTable } from '#lib/contract/route-table.ts';
import type { EdgeDesk } from '../hub/edge-desk.ts';
import type { Log } from '../log.ts';
import type { ApiEnv } from './api-env.ts';
import { type DefinedRoute, defineRoute } from './define-route.ts';
import { createEdgeRoutes } from './edge-routes.ts';
import { createLedgerRoutes, type LedgerRouteOptions } from './ledger-routes.ts';
import { createLoginRoutes, type LoginRouteOptions } from './login-routes.ts';
import { describeApi } from './openapi.ts';
import { createPlaceRoutes } from './place-routes.ts';
import { serveRoutes } from './serve-routes.ts';
import { createSessionRoutes, type SessionRouteOptions } from './session-routes.ts';

export interface HubApiOptions extends Pick<LoginRouteOptions, 'auth' | 'home' | 'program' | 'openly'> {
	reads: SessionRouteOptions['reads'] & LedgerRouteOptions['reads'];
	feed: SessionRouteOptions['feed'];
	places: Parameters<typeof createPlaceRoutes>[0]['places'];
	edges: EdgeDesk;
	/** Milliseconds since the epoch. */
	now: () => number;
	log: Log;
}

/** The routes of the table as a hub serves them: it watches, and says of all else where it is done. */
export function createHubApi({
	auth,
	reads,
	feed,
	places,
	edges,
	home,
	program,
	openly,
	now,
	log,
}: HubApiOptions): Hono<ApiEnv> {
	const routes: DefinedRoute[] = [
		defineRoute('GET /api/openapi.json', ({ context }) => context.json(describeApi(routeTable))),
		...createLoginRoutes({
			...{ auth, home, program, openly },
			epoch: feed.listEpoch,
			undoSeconds: () => 0,
			tier: () => 'H0',
		}),
		...createSessionRoutes({ reads, feed, building: () => null, now }),
		// Archives lie in each machine's home.
		...createLedgerRoutes({ reads, archived: { read: async () => ({ lines: [], unread: 0 }) } }),
		...createPlaceRoutes({ places }),
		...createEdgeRoutes({ edges }),
	];
	const elsewhere = (Object.keys(routeSpecs) as RouteKey[])
		.filter((key) => !hubRoutes.has(key))
		.map((key): DefinedRoute => ({ key, serve: () => Promise.reject(new AppError('hub/at-machine')) }));
	return serveRoutes([...routes, ...elsewhere], { pathOf: withMachine, program, openly, log });
}

/** A session of a hub is named by two parts of the path. */
const withMachine = (path: string) => path.replace('/api/sessions/:id', '/api/sessions/:id{[0-9]+/[A-Za-z0-9_-]+}');
