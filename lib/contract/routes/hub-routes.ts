import * as z from 'zod';
import { AccessParam, ChallengeBody, EnrolmentEnd, Revocation } from '../access/access.ts';
import { CodeBody, EdgeChange, EdgeParam, EdgesQuery, HubEdge, HubEdges, MadeCode } from '../hub/edges.ts';
import { DecisionUnderWay } from '../hub/hub-commands.ts';
import {
	HubPasskeyList,
	HubPeople,
	MadeToken,
	Nothing,
	OidcQuery,
	PasskeyParam,
	PersonChange,
	PersonParam,
	PersonRoster,
	RoleChange,
	RosterSignature,
	SessionTokenAnswer,
	SignIns,
	TokenBody,
} from '../hub/hub-people.ts';
import { PolicyParam, PolicySignature, TeamPolicies, TeamPolicy } from '../hub/hub-policies.ts';
import { READERS, type RouteName, type RouteSpec } from './route-spec.ts';

// Only a hub has these; the roles of people say whom and what they may see and change.
const ofHub = { access: READERS, at: 'hub' } as const;
const changesHub = { ...ofHub, decides: true } as const;
const asksItself = { ...ofHub, decides: 'itself' } as const;
const beforeSignIn = { access: 'open', at: 'hub' } as const;

export const hubOnlyRoutes = {
	'GET /login/oidc': {
		...beforeSignIn,
		summary: 'Leads to the provider that people sign in at',
		query: OidcQuery,
	},
	'GET /login/oidc/callback': {
		...beforeSignIn,
		summary: 'Where the provider sends who has signed in',
	},
	'GET /api/hub/people': {
		...ofHub,
		summary: 'The people of the teams that one is an admin of, and those who have no role yet',
		answer: HubPeople,
	},
	'POST /api/hub/people/:id': {
		...changesHub,
		summary: 'Switches a person off, or on again',
		params: PersonParam,
		missing: 'person/not-found',
		body: PersonChange,
		answer: HubPeople,
	},
	'POST /api/hub/people/:id/roles': {
		...changesHub,
		summary: 'Gives a person a role, or takes it',
		params: PersonParam,
		missing: 'person/not-found',
		body: RoleChange,
		answer: HubPeople,
	},
	'GET /api/hub/people/:id/roster': {
		...ofHub,
		summary: 'Which passkeys of a person machines know that check them',
		params: PersonParam,
		answer: PersonRoster,
	},
	'POST /api/hub/people/:id/roster': {
		...asksItself,
		summary: "Has a root passkey's answer take a person's passkey into the roster",
		params: PersonParam,
		body: RosterSignature,
		answer: PersonRoster,
	},
	'GET /api/hub/sign-ins': {
		...ofHub,
		summary: "One's sign-ins and tokens; for an admin of everything, everybody's",
		answer: SignIns,
	},
	'POST /api/hub/sign-ins/:id': {
		...changesHub,
		summary: 'Ends a sign-in or token for good',
		params: AccessParam,
		missing: 'access/not-found',
		body: Revocation,
		answer: SignIns,
	},
	'POST /api/hub/tokens': {
		...changesHub,
		summary: 'Makes a token with which a tool reads what one may read',
		body: TokenBody,
		answer: MadeToken,
	},
	'GET /api/hub/passkeys': {
		...ofHub,
		summary: "One's passkeys",
		answer: HubPasskeyList,
	},
	'POST /api/hub/passkeys/challenge': {
		...ofHub,
		summary: "What a passkey of one's own has to answer for one exact request",
		body: ChallengeBody,
	},
	'POST /api/hub/passkeys/options': {
		...changesHub,
		summary: 'Begins to enrol a passkey: by a fresh sign-in, or by one that there is',
		body: Nothing,
	},
	'POST /api/hub/passkeys': {
		...ofHub,
		summary: 'Enrols the passkey',
		body: EnrolmentEnd,
		answer: HubPasskeyList,
	},
	'POST /api/hub/passkeys/:id': {
		...asksItself,
		summary: "Takes a passkey of one's own away for good",
		params: PasskeyParam,
		missing: 'access/not-found',
		body: Revocation,
		answer: HubPasskeyList,
	},
	'POST /login/passkey/challenge': {
		...beforeSignIn,
		summary: "What an admin's passkey has to answer to sign in",
		body: Nothing,
	},
	'POST /login/passkey': {
		...beforeSignIn,
		summary: 'Signs an admin in by a passkey',
		body: Nothing,
		answer: SessionTokenAnswer,
	},
	'GET /api/hub/edges': {
		...ofHub,
		summary: 'The machines of the teams that one is an admin of',
		query: EdgesQuery,
		answer: HubEdges,
	},
	'GET /api/hub/decisions': {
		...ofHub,
		summary: 'What has been decided here of calls that wait at machines which have not answered yet',
		answer: z.object({ decisions: z.array(DecisionUnderWay) }),
	},
	'POST /api/hub/codes': {
		...changesHub,
		summary: 'Makes the line by which machines join a team',
		body: CodeBody,
		answer: MadeCode,
	},
	'POST /api/hub/edges/:id': {
		...changesHub,
		summary: 'Takes a machine back, or sends it away',
		params: EdgeParam,
		body: EdgeChange,
		answer: HubEdge,
	},
	'GET /api/hub/policies': {
		...ofHub,
		summary: 'The policies of the teams that one watches, and what their machines made of them',
		answer: TeamPolicies,
	},
	'POST /api/hub/policies/:team/:version': {
		...asksItself,
		summary: "Has a root passkey's answer stand for a version that waits for it",
		params: PolicyParam,
		body: PolicySignature,
		answer: TeamPolicy,
	},
} as const satisfies Record<RouteName, RouteSpec>;
