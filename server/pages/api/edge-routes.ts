import type { Context } from 'hono';
import { AppError } from '#lib/contract/errors.ts';
import { type ApiEnv, demandPrincipal } from '../../http/api-env.ts';
import type { EdgeService } from '../../hub/machines/edge-service.ts';
import { defineRoute } from './define-route.ts';

/** Throws `auth/forbidden` to who is no person of a hub. */
function personOf(context: Context<ApiEnv>) {
	const { hub } = demandPrincipal(context);
	if (!hub) throw new AppError('auth/forbidden');
	return hub;
}

/** The machines of a hub. */
export function createEdgeRoutes({ edges }: { edges: EdgeService }) {
	return [
		defineRoute('GET /api/hub/edges', ({ query, context }) => edges.list(personOf(context), query)),
		defineRoute('POST /api/hub/codes', ({ body, context }) => edges.mint(personOf(context), body)),
		defineRoute('POST /api/hub/edges/:id', ({ params, body, context }) =>
			edges.change(personOf(context), params.id, body),
		),
	];
}
