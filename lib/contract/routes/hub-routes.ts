import type { HubAction } from '../hub/hub-roles.ts';
import type { RouteKey } from './route-table.ts';

/**
 * What a hub answers, and what somebody must be allowed somewhere to ask for it; what they get is as far as their roles reach.
 * `anybody` has not signed in, `person` may be anything at all. Everything else is done at the machine whose session it is about.
 */
export const hubRights = {
	'GET /login': 'anybody',
	'POST /login': 'anybody',
	'GET /login/oidc': 'anybody',
	'GET /login/oidc/callback': 'anybody',
	'POST /login/passkey': 'anybody',
	'POST /login/passkey/challenge': 'anybody',
	'POST /logout': 'person',
	'GET /api/me': 'person',
	'GET /api/openapi.json': 'person',
	'GET /api/places': 'watch',
	'GET /api/sessions': 'watch',
	'GET /api/sessions/:id': 'read',
	'GET /api/sessions/:id/events': 'read',
	'GET /api/sessions/:id/rows': 'read',
	'GET /api/sessions/:id/density': 'read',
	'GET /api/approvals': 'read',
	'GET /api/approvals/:id': 'read',
	'POST /api/approvals/:id': 'decide',
	'GET /api/grants': 'read',
	'GET /api/grants/preview': 'grant',
	'POST /api/grants/:id/revoke': 'grant',
	'GET /api/decisions': 'watch',
	'GET /api/decisions/summary': 'watch',
	'GET /api/hub/decisions': 'read',
	'GET /api/features': 'watch',
	'GET /api/features/:id': 'read',
	'GET /api/features/:id/recording': 'read',
	'GET /api/features/:id/recording/moment': 'read',
	'GET /api/features/:id/recording/chapters': 'read',
	'GET /api/features/:id/sessions/:sessionId/part': 'read',
	'GET /api/features/:id/sessions/:sessionId/rows': 'read',
	'GET /api/features/:id/sessions/:sessionId/events': 'read',
	'GET /api/features/:id/sessions/:sessionId/blobs/:sha': 'read',
	'GET /api/features/:id/sessions/:sessionId/handoffs/:name': 'read',
	'GET /api/hub/edges': 'edges',
	'POST /api/hub/codes': 'edges',
	'POST /api/hub/edges/:id': 'edges',
	'GET /api/hub/people': 'people',
	'POST /api/hub/people/:id': 'people',
	'POST /api/hub/people/:id/roles': 'people',
	'GET /api/hub/people/:id/roster': 'people',
	'POST /api/hub/people/:id/roster': 'people',
	'GET /api/hub/sign-ins': 'person',
	'POST /api/hub/sign-ins/:id': 'person',
	'POST /api/hub/tokens': 'watch',
	'GET /api/hub/policies': 'watch',
	'POST /api/hub/policies/:team/:version': 'policies',
	'GET /api/hub/passkeys': 'person',
	'POST /api/hub/passkeys': 'person',
	'POST /api/hub/passkeys/:id': 'person',
	'POST /api/hub/passkeys/challenge': 'person',
	'POST /api/hub/passkeys/options': 'person',
} as const satisfies Partial<Record<RouteKey, HubAction | 'anybody' | 'person'>>;

/** By their names; pages know them too, and do not ask in vain. */
export const hubRoutes: ReadonlySet<string> = new Set(Object.keys(hubRights));
