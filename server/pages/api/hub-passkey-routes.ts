import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { DecisionBody } from '#lib/contract/approvals/approval-record.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { RouteSpec } from '#lib/contract/routes/route-spec.ts';
import { type RouteKey, routeSpecs } from '#lib/contract/routes/route-table.ts';
import { browserName } from '#lib/text/browser-name.ts';
import type { Principal } from '../../access/principal.ts';
import { PASSKEY_HEADER } from '../../access/webauthn.ts';
import { demandPrincipal, proofOf } from '../../http/api-env.ts';
import type { HubApprovals } from '../../hub/decisions/hub-approvals.ts';
import type { HubAuth } from '../../hub/people/hub-auth.ts';
import type { HubPasskeys } from '../../hub/people/hub-passkeys.ts';
import { readerOf } from '../../hub/reading/hub-reader.ts';
import { type DefinedRoute, defineRoute } from './define-route.ts';
import { parseStrictJson } from './strict-json.ts';

/** They take an answer of their own. */
const BY_THEMSELVES: ReadonlySet<RouteKey> = new Set([
	'POST /api/hub/passkeys/:id',
	'POST /api/hub/policies/:team/:version',
	'POST /api/hub/people/:id/roster',
]);

/**
 * The route, for which whoever has a passkey has to answer by it where it can let somebody in or tell somebody more: a sign-in
 * that was stolen makes nobody an admin. Decisions about calls ask in their own way.
 */
export function withPasskey({ key, serve }: DefinedRoute, passkeys: HubPasskeys): DefinedRoute {
	const { at, decides }: RouteSpec = routeSpecs[key];
	if (at !== 'hub' || !decides || BY_THEMSELVES.has(key)) return { key, serve };
	return {
		key,
		async serve(context) {
			const request = { path: context.req.path, body: parseStrictJson(await context.req.text()) };
			await passkeys.demand(demandPrincipal(context), proofOf(context).headers[PASSKEY_HEADER], request);
			return serve(context);
		},
	};
}

/** Passkeys of a hub's people: one's own, and signing in by an admin's. */
export function createHubPasskeyRoutes({
	auth,
	passkeys,
	approvals,
}: {
	auth: HubAuth;
	passkeys: HubPasskeys;
	approvals: Pick<HubApprovals, 'forReader'>;
}): DefinedRoute[] {
	/** What stands for a decision is checked by the machine: a passkey is asked what that machine will ask. */
	async function challengeFor(principal: Principal, path: string, body: unknown) {
		const [, id] = /^\/api\/approvals\/([\w-]+)$/.exec(path) ?? [];
		const said = DecisionBody.safeParse(body).data;
		if (id === undefined || !said) return passkeys.challenge(principal, { path, body });
		return approvals.forReader(readerOf(principal, undefined)).askPasskey(id, said);
	}

	return [
		defineRoute('GET /api/hub/passkeys', ({ context }) => passkeys.list(demandPrincipal(context))),
		defineRoute('POST /api/hub/passkeys/challenge', async ({ body: { path, body }, context }) =>
			context.json(await challengeFor(demandPrincipal(context), path, body)),
		),
		defineRoute('POST /api/hub/passkeys/options', async ({ context }) =>
			context.json(await passkeys.beginEnrolment(demandPrincipal(context))),
		),
		// The library checks every part of it.
		defineRoute('POST /api/hub/passkeys', ({ body: { name, response }, context }) =>
			passkeys.endEnrolment(demandPrincipal(context), name, response as unknown as RegistrationResponseJSON),
		),
		defineRoute('POST /api/hub/passkeys/:id', ({ params, body, context }) =>
			passkeys.revoke(demandPrincipal(context), params.id, proofOf(context).headers[PASSKEY_HEADER], {
				path: context.req.path,
				body,
			}),
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
