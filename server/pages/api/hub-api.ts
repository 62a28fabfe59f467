import type { Context, Hono } from 'hono';
import { AppError } from '#lib/contract/errors.ts';
import { hubRights, hubRoutes } from '#lib/contract/routes/hub-rights.ts';
import type { RouteSpec } from '#lib/contract/routes/route-spec.ts';
import { type RouteKey, routeSpecs, routeTable } from '#lib/contract/routes/route-table.ts';
import { mayAnywhere } from '#lib/hub/may.ts';
import { PASSKEY_HEADER } from '../../access/webauthn.ts';
import { type ApiEnv, demandPrincipal, proofOf } from '../../http/api-env.ts';
import { isForNul } from '../../hub/database/database.ts';
import { type HubApprovals, hubAccessOf } from '../../hub/decisions/hub-approvals.ts';
import type { HubGrants } from '../../hub/decisions/hub-grants.ts';
import type { EdgeService } from '../../hub/edges/edge-service.ts';
import type { HubFeatures } from '../../hub/features/hub-features.ts';
import type { HubPasskeys } from '../../hub/people/hub-passkeys.ts';
import type { PeopleService } from '../../hub/people/people-service.ts';
import type { HubUser } from '../../hub/people/people-store.ts';
import type { HubAuth } from '../../hub/people/sign-ins.ts';
import type { PolicyService } from '../../hub/policies/policy-service.ts';
import type { RosterService } from '../../hub/policies/roster-service.ts';
import type { Log } from '../../process/log.ts';
import { type DefinedRoute, defineRoute, parseStrictJson, serveRoutes } from './define-route.ts';
import { createHubPasskeyRoutes } from './hub-passkey-routes.ts';
import type { LedgerRouteOptions } from './ledger-routes.ts';
import { createSharedRoutes, type SharedRouteOptions } from './shared-routes.ts';

export interface HubApiOptions
	extends Pick<
		SharedRouteOptions,
		'reads' | 'feed' | 'tier' | 'ways' | 'places' | 'home' | 'program' | 'openly' | 'now'
	> {
	auth: HubAuth;
	ledger: LedgerRouteOptions['reads'];
	approvals: Pick<HubApprovals, 'forPerson'>;
	grants: Pick<HubGrants, 'forPerson'>;
	features: HubFeatures;
	edges: EdgeService;
	people: PeopleService;
	roster: RosterService;
	policies: PolicyService;
	passkeys: HubPasskeys;
	comingIn: readonly DefinedRoute[];
	log: Log;
}

/** Every route of a hub behind the gate, answered as far as the reader's roles reach. */
export function createHubApi(options: HubApiOptions): Hono<ApiEnv> {
	const { auth, reads, approvals, grants, features, passkeys, comingIn, ledger, program, openly, log } = options;
	const readerIn = (context: Context<ApiEnv>) =>
		hubAccessOf(demandPrincipal(context), proofOf(context).headers[PASSKEY_HEADER]);
	const serviceFor = (context: Context<ApiEnv>) => approvals.forPerson(readerIn(context));
	const grantsFor = (context: Context<ApiEnv>) => grants.forPerson(readerIn(context), reads);
	const shared = createSharedRoutes({
		...options,
		serviceFor,
		grantsFor,
		replay: features.replay,
		described: routeTable,
		undoSeconds: () => 0,
		building: () => null,
		ledger: { reads: ledger, archived: { read: async () => ({ lines: [], unread: 0 }) } },
	});
	const underWay = defineRoute('GET /api/hub/decisions', async ({ context }) => ({
		decisions: await serviceFor(context).underWay(),
	}));
	const passkeyRoutes = createHubPasskeyRoutes({ auth, passkeys, serviceFor, grantsFor });
	const own = [...shared, underWay, ...comingIn, ...passkeyRoutes, ...createPlatformRoutes(options)];
	const served = own.filter(({ key }) => hubRoutes.has(key)).map((route) => guarded(route, passkeys));
	const elsewhere = (Object.keys(routeSpecs) as RouteKey[])
		.filter((key) => !hubRoutes.has(key))
		.map((key): DefinedRoute => ({ key, serve: () => Promise.reject(new AppError('hub/at-machine')) }));
	return serveRoutes([...served, ...elsewhere], { pathOf: withMachine, program, openly, log });
}

function userIn(context: Context<ApiEnv>): HubUser {
	const { hub } = demandPrincipal(context);
	if (!hub) throw new AppError('auth/forbidden');
	return hub;
}

function createPlatformRoutes({ edges, people, roster, policies }: HubApiOptions): DefinedRoute[] {
	const signInOf = (context: Context<ApiEnv>) => demandPrincipal(context).sessionHash;
	return [
		defineRoute('GET /api/hub/edges', ({ query, context }) => edges.list(userIn(context), query)),
		defineRoute('POST /api/hub/codes', ({ body, context }) => edges.mint(userIn(context), body)),
		defineRoute('POST /api/hub/edges/:id', ({ params, body, context }) =>
			edges.change(userIn(context), params.id, body),
		),
		defineRoute('GET /api/hub/people', ({ context }) => people.list(userIn(context))),
		defineRoute('POST /api/hub/people/:id', ({ params, body, context }) =>
			people.setDisabled(userIn(context), params.id, body.action === 'disable'),
		),
		defineRoute('POST /api/hub/people/:id/roles', ({ params, body, context }) =>
			people.changeRole(userIn(context), params.id, body),
		),
		defineRoute('GET /api/hub/people/:id/roster', ({ params, context }) => roster.read(userIn(context), params.id)),
		defineRoute('POST /api/hub/people/:id/roster', ({ params, body, context }) =>
			roster.sign(userIn(context), params.id, body.passkey, body.answer),
		),
		defineRoute('GET /api/hub/sign-ins', ({ context }) => people.listSignIns(userIn(context), signInOf(context))),
		defineRoute('POST /api/hub/sign-ins/:id', ({ params, context }) =>
			people.end(userIn(context), signInOf(context), params.id),
		),
		defineRoute('POST /api/hub/tokens', ({ body, context }) => people.makeToken(userIn(context), body)),
		defineRoute('GET /api/hub/policies', ({ context }) => policies.list(userIn(context).roles)),
		defineRoute('POST /api/hub/policies/:team/:version', ({ params, body, context }) =>
			policies.sign(userIn(context), params, body.answer),
		),
	];
}

/** At a hub two parts of the path name a session or feature. */
const withMachine = (path: string) =>
	path.replace(/^\/api\/(?:sessions|features)\/:id|\/sessions\/:sessionId/g, '$&{[0-9]+/[A-Za-z0-9_-]+}');

const rights: ReadonlyMap<string, (typeof hubRights)[keyof typeof hubRights]> = new Map(Object.entries(hubRights));

/**
 * Requires a role that allows the route somewhere. What admits somebody or discloses more also needs the passkey of people who
 * have one: a stolen sign-in must make nobody an admin. Decisions about calls ask by themselves.
 */
function guarded({ key, serve }: DefinedRoute, passkeys: HubPasskeys): DefinedRoute {
	const right = rights.get(key);
	const { at, decides }: RouteSpec = routeSpecs[key];
	const needsPasskey = at === 'hub' && decides === true;
	return {
		key,
		async serve(context) {
			if (right !== 'anybody') {
				const { hub, via } = demandPrincipal(context);
				const isAllowed = right !== undefined && hub && (right === 'person' || mayAnywhere(hub.roles, right));
				// A token only reads.
				if (!isAllowed || (via === 'token' && !key.startsWith('GET '))) throw new AppError('auth/forbidden');
			}
			if (needsPasskey) {
				const request = { path: context.req.path, body: parseStrictJson(await context.req.text()) };
				await passkeys.demand(demandPrincipal(context), proofOf(context).headers[PASSKEY_HEADER], request);
			}
			return serve(context).catch((error: unknown) => {
				if (!isForNul(error)) throw error;
				throw new AppError('request/invalid', 'There is a NUL in it, which no text of a hub holds.');
			});
		},
	};
}
