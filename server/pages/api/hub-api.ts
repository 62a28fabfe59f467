import type { Context, Hono } from 'hono';
import { AppError } from '#lib/contract/errors.ts';
import { hubRights, hubRoutes } from '#lib/contract/routes/hub-routes.ts';
import { type RouteKey, routeSpecs, routeTable } from '#lib/contract/routes/route-table.ts';
import { mayAnywhere } from '#lib/hub/may.ts';
import { PASSKEY_HEADER } from '../../access/webauthn.ts';
import { type ApiEnv, demandPrincipal, proofOf } from '../../http/api-env.ts';
import { isForNul } from '../../hub/database/database.ts';
import type { HubApprovals } from '../../hub/decisions/hub-approvals.ts';
import type { HubGrants } from '../../hub/decisions/hub-grants.ts';
import type { HubFeatures } from '../../hub/features/hub-features.ts';
import type { EdgeService } from '../../hub/machines/edge-service.ts';
import type { HubPasskeys } from '../../hub/people/hub-passkeys.ts';
import type { PeopleService } from '../../hub/people/people-service.ts';
import type { PolicyService } from '../../hub/policies/policy-service.ts';
import type { RosterService } from '../../hub/policies/roster-service.ts';
import { readerOf } from '../../hub/reading/hub-reader.ts';
import type { Log } from '../../process/log.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';
import { type ApprovalRouteOptions, createApprovalRoutes } from './approval-routes.ts';
import { type DefinedRoute, defineRoute } from './define-route.ts';
import { createEdgeRoutes } from './edge-routes.ts';
import { createHubFeatureRoutes } from './hub-feature-routes.ts';
import { createHubGrantRoutes } from './hub-grant-routes.ts';
import { withPasskey } from './hub-passkey-routes.ts';
import { createLedgerRoutes, type LedgerRouteOptions } from './ledger-routes.ts';
import { createLoginRoutes, type LoginRouteOptions } from './login-routes.ts';
import { describeApi } from './openapi.ts';
import { createPeopleRoutes } from './people-routes.ts';
import { createPlaceRoutes } from './place-routes.ts';
import { createPolicyRoutes } from './policy-routes.ts';
import { serveRoutes } from './serve-routes.ts';
import { createSessionRoutes, type SessionRouteOptions } from './session-routes.ts';

export interface HubApiOptions
	extends Pick<LoginRouteOptions, 'auth' | 'tier' | 'ways' | 'home' | 'program' | 'openly'> {
	reads: SessionRouteOptions['reads'] & ApprovalRouteOptions['reads'] & Pick<SessionReads, 'denials' | 'row' | 'view'>;
	ledger: LedgerRouteOptions['reads'];
	feed: SessionRouteOptions['feed'];
	approvals: Pick<HubApprovals, 'forReader'>;
	grants: Pick<HubGrants, 'forReader'>;
	places: Parameters<typeof createPlaceRoutes>[0]['places'];
	features: HubFeatures;
	edges: EdgeService;
	people: PeopleService;
	roster: RosterService;
	policies: PolicyService;
	passkeys: HubPasskeys;
	/** Further ways to sign in; the same for everybody. */
	comingIn: readonly DefinedRoute[];
	/** Milliseconds since the epoch. */
	now: () => number;
	log: Log;
}

/** The routes of the table as a hub serves them to those of one reach; of all else it says where it is done. */
export function createHubApi({
	auth,
	reads,
	ledger,
	feed,
	approvals,
	grants,
	tier,
	places,
	features,
	edges,
	people,
	roster,
	policies,
	passkeys,
	comingIn,
	ways,
	home,
	program,
	openly,
	now,
	log,
}: HubApiOptions): Hono<ApiEnv> {
	const serviceFor = (context: Context<ApiEnv>) =>
		approvals.forReader(readerOf(demandPrincipal(context), proofOf(context).headers[PASSKEY_HEADER]));
	const routes: DefinedRoute[] = [
		defineRoute('GET /api/openapi.json', ({ context }) => context.json(describeApi(routeTable))),
		...createLoginRoutes({
			...{ auth, ways, home, program, openly },
			epoch: feed.listEpoch,
			undoSeconds: () => 0,
			tier,
		}),
		...comingIn,
		...createSessionRoutes({ reads, feed, building: () => null, now }),
		// Archives lie in each machine's home.
		...createLedgerRoutes({ reads: ledger, archived: { read: async () => ({ lines: [], unread: 0 }) } }),
		...createPlaceRoutes({ places }),
		...createHubFeatureRoutes({ features }),
		...createEdgeRoutes({ edges }),
		...createPeopleRoutes({ people, roster }),
		...createPolicyRoutes({ policies }),
		...createHubGrantRoutes({ grants, approvals, reads }),
		...createApprovalRoutes({ serviceFor, reads }),
		defineRoute('GET /api/hub/decisions', async ({ context }) => ({ decisions: await serviceFor(context).underWay() })),
	];
	const elsewhere = (Object.keys(routeSpecs) as RouteKey[])
		.filter((key) => !hubRoutes.has(key))
		.map((key): DefinedRoute => ({ key, serve: () => Promise.reject(new AppError('hub/at-machine')) }));
	const served = routes.map((route) => forWhoMay(withPasskey(refuseNul(route), passkeys)));
	return serveRoutes([...served, ...elsewhere], {
		pathOf: withMachine,
		program,
		openly,
		log,
	});
}

/** A session or feature of a hub is named by two parts of the path. */
const withMachine = (path: string) =>
	path.replace(/^\/api\/(?:sessions|features)\/:id|\/sessions\/:sessionId/g, '$&{[0-9]+/[A-Za-z0-9_-]+}');

const rights: ReadonlyMap<string, (typeof hubRights)[keyof typeof hubRights]> = new Map(Object.entries(hubRights));

/** The route, for those whose roles allow it somewhere; a token only reads. It throws `auth/forbidden` for everybody else. */
function forWhoMay({ key, serve }: DefinedRoute): DefinedRoute {
	const right = rights.get(key);
	return {
		key,
		async serve(context) {
			if (right === 'anybody') return serve(context);
			const { hub, via } = demandPrincipal(context);
			const isAllowed = right !== undefined && hub && (right === 'person' || mayAnywhere(hub.roles, right));
			if (!isAllowed || (via === 'token' && !key.startsWith('GET '))) throw new AppError('auth/forbidden');
			return serve(context);
		},
	};
}

/** The route, for which a NUL in what was sent is the sender's mistake, wherever it stands. */
function refuseNul({ key, serve }: DefinedRoute): DefinedRoute {
	return {
		key,
		serve: (context) =>
			serve(context).catch((error: unknown) => {
				if (isForNul(error))
					throw new AppError('request/invalid', 'There is a NUL in it, which no text of a hub holds.');
				throw error;
			}),
	};
}
