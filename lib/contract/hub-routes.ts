import type { RouteKey } from './route-table.ts';

/** What a hub answers, which at H0 only watches. Everything else is done at the machine whose session it is about. */
const served = [
	'GET /login',
	'POST /login',
	'POST /logout',
	'GET /api/me',
	'GET /api/openapi.json',
	'GET /api/places',
	'GET /api/sessions',
	'GET /api/sessions/:id',
	'GET /api/sessions/:id/events',
	'GET /api/sessions/:id/rows',
	'GET /api/sessions/:id/density',
	'GET /api/decisions',
	'GET /api/decisions/summary',
	'GET /api/hub/edges',
	'POST /api/hub/codes',
	'POST /api/hub/edges/:id',
] as const satisfies readonly RouteKey[];

/** By their names; pages know them too, and do not ask in vain. */
export const hubRoutes: ReadonlySet<string> = new Set(served);
