import type { PolicyDesk } from '../hub/policy-desk.ts';
import { demandPrincipal } from './api-env.ts';
import { defineRoute } from './define-route.ts';

/** The policies of a hub's teams. */
export function createPolicyRoutes({ policies }: { policies: PolicyDesk }) {
	return [
		defineRoute('GET /api/hub/policies', ({ context }) => policies.list(demandPrincipal(context).hub?.roles ?? [])),
		defineRoute('POST /api/hub/policies/:team/:version', ({ params, body, context }) =>
			policies.sign(demandPrincipal(context).hub?.roles ?? [], params, body.answer),
		),
	];
}
