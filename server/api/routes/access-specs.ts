import {
	AccessList,
	AccessParam,
	AccessQuery,
	ChallengeBody,
	EnrolmentEnd,
	EnrolmentStart,
	Revocation,
} from '#lib/contract/access.ts';
import { LinkAnswer, LinkBody, LoginBody, Me } from '#lib/contract/http.ts';
import { PushBody, PushState } from '#lib/contract/push.ts';
import { OPERATOR, READERS, type RouteSpec } from '../route-spec.ts';

/** Signing in and out, passkeys, and who may come in. */
export const accessSpecs: readonly RouteSpec[] = [
	{ method: 'GET', path: '/login', access: 'open', summary: 'The page a login link opens' },
	{ method: 'POST', path: '/login', access: 'open', summary: 'Swaps a one-time link for a session', body: LoginBody },
	{ method: 'GET', path: '/link', access: 'open', summary: 'The page that a link to a waiting call opens' },
	{
		method: 'POST',
		path: '/link',
		access: 'open',
		summary: 'Uses a link to a waiting call: for an operator who is signed in, or with a passkey',
		body: LinkBody,
		answer: LinkAnswer,
	},
	{
		method: 'POST',
		path: '/link/challenge',
		access: 'open',
		summary: 'What a passkey has to answer for a link',
		body: LinkBody,
	},
	{ method: 'POST', path: '/logout', access: READERS, summary: 'Ends the cookie session' },
	{
		method: 'GET',
		path: '/api/access',
		access: OPERATOR,
		summary: 'Sign-ins, tokens and passkeys that count, and one that ended if asked for',
		query: AccessQuery,
		answer: AccessList,
	},
	{
		method: 'POST',
		path: '/api/access/:id',
		access: OPERATOR,
		decides: true,
		summary: 'Takes a sign-in, token or passkey away for good',
		params: AccessParam,
		body: Revocation,
		answer: AccessList,
	},
	{ method: 'POST', path: '/api/passkeys/code', access: OPERATOR, summary: "Shows a code on the server's terminal" },
	{
		method: 'POST',
		path: '/api/passkeys/options',
		access: OPERATOR,
		decides: true,
		summary: 'Begins to enrol a passkey',
		body: EnrolmentStart,
	},
	{
		method: 'POST',
		path: '/api/passkeys',
		access: OPERATOR,
		summary: 'Enrols the passkey',
		body: EnrolmentEnd,
		answer: AccessList,
	},
	{
		method: 'POST',
		path: '/api/passkeys/challenge',
		access: OPERATOR,
		summary: 'What a passkey has to answer for one exact request',
		body: ChallengeBody,
	},
	{
		method: 'GET',
		path: '/api/push',
		access: OPERATOR,
		summary: 'The browsers that are told while no page is open',
		answer: PushState,
	},
	{
		method: 'POST',
		path: '/api/push',
		access: OPERATOR,
		// What agents do goes to whoever is named here; and who is no longer told does not look.
		decides: true,
		summary: 'Tells a browser from now on, or no longer',
		body: PushBody,
		answer: PushState,
	},
	{ method: 'GET', path: '/api/me', access: READERS, summary: 'Who asks, and what they may do', answer: Me },
];
