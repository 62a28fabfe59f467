import type { Context } from 'hono';
import { type ApiEnv, demandPrincipal } from '../../http/api-env.ts';
import type { PolicyService } from '../../hub/policies/policy-service.ts';
import { defineRoute } from './define-route.ts';

const NOBODY = { person: 0, name: '', roles: [] };
const hubOf = (context: Context<ApiEnv>) => demandPrincipal(context).hub ?? NOBODY;

/** The policies of a hub's teams. */
export function createPolicyRoutes({ policies }: { policies: PolicyService }) {
	return [
		defineRoute('GET /api/hub/policies', ({ context }) => policies.list(hubOf(context).roles)),
		defineRoute('POST /api/hub/policies/:team/:version', ({ params, body, context }) =>
			policies.sign(hubOf(context), params, body.answer),
		),
	];
}
