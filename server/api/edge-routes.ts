import type { Context } from 'hono';
import type { EdgeDesk } from '../hub/edge-desk.ts';
import { type ApiEnv, demandPrincipal } from './api-env.ts';
import { defineRoute } from './define-route.ts';

const rolesOf = (context: Context<ApiEnv>) => demandPrincipal(context).hub?.roles ?? [];

/** The machines of a hub. */
export function createEdgeRoutes({ edges }: { edges: EdgeDesk }) {
	return [
		defineRoute('GET /api/hub/edges', ({ query, context }) => edges.list(rolesOf(context), query)),
		defineRoute('POST /api/hub/codes', ({ body, context }) => edges.mint(rolesOf(context), body)),
		defineRoute('POST /api/hub/edges/:id', ({ params, body, context }) =>
			edges.change(rolesOf(context), params.id, body),
		),
	];
}
