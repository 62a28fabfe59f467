import { PolicyParam, PolicySignature, TeamPolicies, TeamPolicy } from '../hub/hub-policies.ts';
import { READERS, type RouteName, type RouteSpec } from './route-spec.ts';

/** What the machines of a hub hold back by it. Setting a policy needs the hub's key, and so its own machine. */
export const policyRoutes = {
	'GET /api/hub/policies': {
		access: READERS,
		at: 'hub',
		summary: 'The policies of the teams that one watches, and what their machines made of them',
		answer: TeamPolicies,
	},
	'POST /api/hub/policies/:team/:version': {
		access: READERS,
		at: 'hub',
		decides: true,
		summary: "Has a root passkey's answer stand for a version that waits for it",
		params: PolicyParam,
		body: PolicySignature,
		answer: TeamPolicy,
	},
} as const satisfies Record<RouteName, RouteSpec>;
