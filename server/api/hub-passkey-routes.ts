import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { AppError } from '#lib/contract/errors.ts';
import { browserName } from '#lib/text/browser-name.ts';
import { PASSKEY_HEADER } from '../auth/webauthn.ts';
import type { HubAuth } from '../hub/people/hub-auth.ts';
import type { HubPasskeys } from '../hub/people/hub-passkeys.ts';
import { demandPrincipal, proofOf } from './api-env.ts';
import { type DefinedRoute, defineRoute } from './define-route.ts';

/** Passkeys of a hub's people: one's own, and signing in by an admin's. */
export function createHubPasskeyRoutes({ auth, passkeys }: { auth: HubAuth; passkeys: HubPasskeys }): DefinedRoute[] {
	return [
		defineRoute('GET /api/hub/passkeys', ({ context }) => passkeys.list(demandPrincipal(context))),
		defineRoute('POST /api/hub/passkeys/challenge', async ({ context }) =>
			context.json(await passkeys.askForAnother(demandPrincipal(context))),
		),
		defineRoute('POST /api/hub/passkeys/options', async ({ context }) =>
			context.json(await passkeys.beginEnrolment(demandPrincipal(context), proofOf(context).headers[PASSKEY_HEADER])),
		),
		// The library checks every part of it.
		defineRoute('POST /api/hub/passkeys', ({ body: { name, response }, context }) =>
			passkeys.endEnrolment(demandPrincipal(context), name, response as unknown as RegistrationResponseJSON),
		),
		defineRoute('POST /api/hub/passkeys/:id', ({ params, context }) =>
			passkeys.revoke(demandPrincipal(context), params.id),
		),
		defineRoute('POST /login/passkey/challenge', async ({ context }) => context.json(await passkeys.askForSignIn())),
		defineRoute('POST /login/passkey', async ({ context }) => {
			const proof = proofOf(context);
			if (!auth.isOwnHost(proof)) throw new AppError('auth/host');
			const name = browserName(context.req.header('user-agent'));
			const { cookie, sessionToken, lifeMs } = await auth.logInAs(
				'passkey',
				() => passkeys.signIn(proof.headers[PASSKEY_HEADER]),
				name,
			);
			context.header('set-cookie', auth.cookieFor(proof, cookie, lifeMs));
			return { sessionToken };
		}),
	];
}
