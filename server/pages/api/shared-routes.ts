import type { Route } from '#lib/contract/routes/route-table.ts';
import type { SourceOptions } from '#lib/contract/sessions/session-queries.ts';
import type { ReplayService } from '../../archives/replay/replay-service.ts';
import { type ApprovalRouteOptions, createApprovalRoutes } from './approval-routes.ts';
import { type Awaitable, type DefinedRoute, defineRoute } from './define-route.ts';
import { createDenialRoutes } from './denial-routes.ts';
import { createFeatureRoutes, type FeatureReads } from './feature-routes.ts';
import { createGrantRoutes, type GrantRouteOptions } from './grant-routes.ts';
import { createLedgerRoutes, type LedgerRouteOptions } from './ledger-routes.ts';
import { createLoginRoutes, type LoginRouteOptions } from './login-routes.ts';
import { describeApi } from './openapi.ts';
import { createReplayRoutes } from './replay-routes.ts';
import { createSessionRoutes, type SessionRouteOptions } from './session-routes.ts';

export type SharedRouteOptions = LoginRouteOptions &
	SessionRouteOptions &
	ApprovalRouteOptions &
	GrantRouteOptions & {
		ledger: LedgerRouteOptions;
		features: FeatureReads;
		replay: ReplayService;
		/** Where sessions come from. */
		places: () => Awaitable<SourceOptions>;
		/** What the description of the API names. */
		described: readonly Route[];
	};

/** The routes that a machine and a hub serve alike, each over its own store. */
export function createSharedRoutes(options: SharedRouteOptions): DefinedRoute[] {
	const { described, ledger, places } = options;
	return [
		defineRoute('GET /api/openapi.json', ({ context }) => context.json(describeApi(described))),
		defineRoute('GET /api/places', places),
		...createLoginRoutes(options),
		...createSessionRoutes(options),
		...createApprovalRoutes(options),
		...createGrantRoutes(options),
		...createDenialRoutes(options),
		...createLedgerRoutes(ledger),
		...createFeatureRoutes(options),
		...createReplayRoutes(options),
	];
}
