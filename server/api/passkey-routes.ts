import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { Hono } from 'hono';
import { AccessQuery, ChallengeBody, EnrolmentEnd, EnrolmentStart, Revocation } from '#lib/contract/access.ts';
import { AccessId } from '#lib/contract/ids.ts';
import type { AccessList } from '../auth/access-list.ts';
import type { Passkeys } from '../auth/passkeys.ts';
import { type ApiEnv, demandPrincipal } from './api-env.ts';
import { demandId, readBody, readQuery } from './read-request.ts';

/** Enrolling passkeys, asking them, and the list of everybody who may come in. */
export function createPasskeyRoutes(parts: { passkeys: Passkeys; access: AccessList }) {
	const { passkeys, access } = parts;
	const routes = new Hono<ApiEnv>();

	routes.get('/api/access', (context) => {
		const { who } = readQuery(context, AccessQuery);
		const entries = access.list(demandPrincipal(context));
		return context.json({ entries, ...(who !== undefined && { ended: access.ended(who) }) });
	});

	routes.post('/api/access/:id', async (context) => {
		const principal = demandPrincipal(context);
		await readBody(context, Revocation);
		const id = demandId(context, AccessId, 'access/not-found');
		await access.revoke(id, principal);
		return context.json({ entries: access.list(principal) });
	});

	routes.post('/api/passkeys/code', async (context) => {
		const principal = demandPrincipal(context);
		passkeys.showCode(principal);
		return context.body(null, 204);
	});

	routes.post('/api/passkeys/options', async (context) => {
		const principal = demandPrincipal(context);
		const { code } = await readBody(context, EnrolmentStart);
		return context.json(await passkeys.beginEnrolment(principal, code));
	});

	routes.post('/api/passkeys', async (context) => {
		const principal = demandPrincipal(context);
		const { name, response } = await readBody(context, EnrolmentEnd);
		// The library checks every part of it.
		await passkeys.endEnrolment(principal, name, response as unknown as RegistrationResponseJSON);
		return context.json({ entries: access.list(principal) });
	});

	routes.post('/api/passkeys/challenge', async (context) => {
		const principal = demandPrincipal(context);
		const { path, body } = await readBody(context, ChallengeBody);
		return context.json(await passkeys.challenge(principal, { path, body }));
	});

	return routes;
}
