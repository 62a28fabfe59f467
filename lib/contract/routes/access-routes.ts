import {
	AccessList,
	AccessParam,
	AccessQuery,
	ChallengeBody,
	EnrolmentEnd,
	EnrolmentStart,
	LinkAnswer,
	LinkBody,
	LoginBody,
	PushBody,
	PushState,
	Revocation,
} from '../access/access.ts';
import { Me } from './me.ts';
import { OPERATOR, READERS, type RouteName, type RouteSpec } from './route-spec.ts';

export const accessRoutes = {
	'GET /login': {
		access: 'open',
		summary: 'The page a login link opens',
	},
	'POST /login': {
		access: 'open',
		summary: 'Swaps a one-time link for a session',
		body: LoginBody,
	},
	'GET /link': {
		access: 'open',
		summary: 'The page that a link to a waiting call opens',
	},
	'POST /link': {
		access: 'open',
		summary: 'Uses a link to a waiting call: for an operator who is signed in, or with a passkey',
		body: LinkBody,
		answer: LinkAnswer,
	},
	'POST /link/challenge': {
		access: 'open',
		summary: 'What a passkey has to answer for a link',
		body: LinkBody,
	},
	'POST /logout': {
		access: READERS,
		summary: 'Ends the cookie session',
	},
	'GET /api/access': {
		access: OPERATOR,
		summary: 'Sign-ins, tokens and passkeys that count, and one that ended if asked for',
		query: AccessQuery,
		answer: AccessList,
	},
	'POST /api/access/:id': {
		access: OPERATOR,
		decides: true,
		summary: 'Takes a sign-in, token or passkey away for good',
		params: AccessParam,
		missing: 'access/not-found',
		body: Revocation,
		answer: AccessList,
	},
	'POST /api/passkeys/code': {
		access: OPERATOR,
		summary: "Shows a code on the server's terminal",
	},
	'POST /api/passkeys/options': {
		access: OPERATOR,
		decides: true,
		summary: 'Begins to enrol a passkey',
		body: EnrolmentStart,
	},
	'POST /api/passkeys': {
		access: OPERATOR,
		summary: 'Enrols the passkey',
		body: EnrolmentEnd,
		answer: AccessList,
	},
	'POST /api/passkeys/challenge': {
		access: OPERATOR,
		summary: 'What a passkey has to answer for one exact request',
		body: ChallengeBody,
	},
	'GET /api/push': {
		access: OPERATOR,
		summary: 'The browsers that are told while no page is open',
		answer: PushState,
	},
	'POST /api/push': {
		access: OPERATOR,
		// It changes who reads what agents do.
		decides: true,
		summary: 'Tells a browser from now on, or no longer',
		body: PushBody,
		answer: PushState,
	},
	'GET /api/me': {
		access: READERS,
		summary: 'Who asks, and what they may do',
		answer: Me,
	},
} as const satisfies Record<RouteName, RouteSpec>;
