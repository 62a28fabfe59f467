import { Revocation } from '../access.ts';
import {
	HubPeople,
	MadeToken,
	OidcQuery,
	PersonChange,
	PersonParam,
	RoleChange,
	SignInParam,
	SignIns,
	TokenBody,
} from '../hub-people.ts';
import { READERS, type RouteName, type RouteSpec } from '../route-spec.ts';

/** The people of a hub, and what lets them in. Whom somebody may see and change, their roles say. */
export const peopleRoutes = {
	'GET /login/oidc': {
		access: 'open',
		at: 'hub',
		summary: 'Leads to the provider that people sign in at',
		query: OidcQuery,
	},
	'GET /login/oidc/callback': {
		access: 'open',
		at: 'hub',
		summary: 'Where the provider sends who has signed in',
	},
	'GET /api/hub/people': {
		access: READERS,
		at: 'hub',
		summary: 'The people of the teams that one is an admin of, and those who have no role yet',
		answer: HubPeople,
	},
	'POST /api/hub/people/:id': {
		access: READERS,
		at: 'hub',
		decides: true,
		summary: 'Switches a person off, or on again',
		params: PersonParam,
		missing: 'person/not-found',
		body: PersonChange,
		answer: HubPeople,
	},
	'POST /api/hub/people/:id/roles': {
		access: READERS,
		at: 'hub',
		decides: true,
		summary: 'Gives a person a role, or takes it',
		params: PersonParam,
		missing: 'person/not-found',
		body: RoleChange,
		answer: HubPeople,
	},
	'GET /api/hub/sign-ins': {
		access: READERS,
		at: 'hub',
		summary: "One's sign-ins and tokens; for an admin of everything, everybody's",
		answer: SignIns,
	},
	'POST /api/hub/sign-ins/:id': {
		access: READERS,
		at: 'hub',
		decides: true,
		summary: 'Ends a sign-in or token for good',
		params: SignInParam,
		missing: 'access/not-found',
		body: Revocation,
		answer: SignIns,
	},
	'POST /api/hub/tokens': {
		access: READERS,
		at: 'hub',
		decides: true,
		summary: 'Makes a token with which a tool reads what one may read',
		body: TokenBody,
		answer: MadeToken,
	},
} as const satisfies Record<RouteName, RouteSpec>;
