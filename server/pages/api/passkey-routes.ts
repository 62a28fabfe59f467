import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { AccessList } from '../../access/access-list.ts';
import type { Passkeys } from '../../access/passkeys.ts';
import { demandPrincipal } from '../../http/api-env.ts';
import { defineRoute } from './define-route.ts';

/** Enrolling passkeys, asking them, and the list of everybody who may come in. */
export function createPasskeyRoutes({ passkeys, access }: { passkeys: Passkeys; access: AccessList }) {
	return [
		defineRoute('GET /api/access', ({ query: { who }, context }) => {
			const entries = access.list(demandPrincipal(context));
			return { entries, ...(who !== undefined && { ended: access.ended(who) }) };
		}),

		defineRoute('POST /api/access/:id', async ({ params, context }) => {
			const principal = demandPrincipal(context);
			await access.revoke(params.id, principal);
			return { entries: access.list(principal) };
		}),

		defineRoute('POST /api/passkeys/code', ({ context }) => {
			passkeys.showCode(demandPrincipal(context));
			return context.body(null, 204);
		}),

		defineRoute('POST /api/passkeys/options', async ({ body, context }) =>
			context.json(await passkeys.beginEnrolment(demandPrincipal(context), body.code)),
		),

		defineRoute('POST /api/passkeys', async ({ body: { name, response }, context }) => {
			const principal = demandPrincipal(context);
			// The library checks every part of it.
			await passkeys.endEnrolment(principal, name, response as unknown as RegistrationResponseJSON);
			return { entries: access.list(principal) };
		}),

		defineRoute('POST /api/passkeys/challenge', async ({ body: { path, body }, context }) =>
			context.json(await passkeys.challenge(demandPrincipal(context), { path, body })),
		),
	];
}
