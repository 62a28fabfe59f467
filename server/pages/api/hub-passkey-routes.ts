import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Context } from 'hono';
import { DecisionBody } from '#lib/contract/approvals/approval-record.ts';
import { GrantBody } from '#lib/contract/approvals/grants.ts';
import { AppError, type ErrorCode } from '#lib/contract/errors.ts';
import { PASSKEY_HEADER } from '../../access/webauthn.ts';
import { type ApiEnv, demandPrincipal, proofOf } from '../../http/api-env.ts';
import type { HubApprovals } from '../../hub/decisions/hub-approvals.ts';
import type { HubGrants } from '../../hub/decisions/hub-grants.ts';
import type { HubPasskeys } from '../../hub/people/hub-passkeys.ts';
import { OIDC_MS, type OidcSignIn } from '../../hub/people/oidc.ts';
import type { HubAuth, SignInStore } from '../../hub/people/sign-ins.ts';
import { DatabaseAway } from '../../timeline/store/hub-store.ts';
import { type DefinedRoute, defineRoute } from './define-route.ts';
import { signIn } from './login-routes.ts';

export function createHubPasskeyRoutes(options: {
	auth: HubAuth;
	passkeys: HubPasskeys;
	serviceFor: (context: Context<ApiEnv>) => Pick<ReturnType<HubApprovals['forPerson']>, 'askPasskey'>;
	grantsFor: (context: Context<ApiEnv>) => Pick<ReturnType<HubGrants['forPerson']>, 'askPasskey'>;
}): DefinedRoute[] {
	const { auth, passkeys, serviceFor, grantsFor } = options;
	/** The passkey must answer what the machine of the call will check. */
	async function challengeFor(context: Context<ApiEnv>, path: string, body: unknown) {
		const [, id] = /^\/api\/approvals\/([\w-]+)$/.exec(path) ?? [];
		const decision = DecisionBody.safeParse(body).data;
		if (id !== undefined && decision) return serviceFor(context).askPasskey(id, decision);
		const grant = path === '/api/grants' ? GrantBody.safeParse(body).data : undefined;
		if (grant) return grantsFor(context).askPasskey(grant);
		return passkeys.challenge(demandPrincipal(context), { path, body });
	}

	return [
		defineRoute('GET /api/hub/passkeys', ({ context }) => passkeys.list(demandPrincipal(context))),
		defineRoute('POST /api/hub/passkeys/challenge', async ({ body: { path, body }, context }) =>
			context.json(await challengeFor(context, path, body)),
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
		defineRoute('POST /login/passkey', ({ context }) => {
			const prove = () => passkeys.signIn(proofOf(context).headers[PASSKEY_HEADER]);
			return signIn(context, auth, (name) => auth.logInAs('passkey', prove, name));
		}),
	];
}

const WHYS: Partial<Record<ErrorCode, string>> = {
	'oidc/refused': 'refused',
	'oidc/away': 'away',
	'person/disabled': 'disabled',
	'person/no-role': 'roleless',
};
const PAGE = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/;

/** Signing in at a provider. Its cookie only checks the provider's answer; the sign-in itself is a link. */
export function createOidcRoutes(options: {
	oidc: OidcSignIn | undefined;
	signIns: SignInStore;
	url: URL;
}): DefinedRoute[] {
	const { oidc, signIns, url } = options;
	const isSecure = url.protocol === 'https:';
	const cookieName = isSecure ? '__Secure-signalbox-oidc' : `signalbox-oidc-${url.port}`;
	const cookieOf = (kept: string, lifeMs: number) =>
		`${cookieName}=${kept}; Path=/login/oidc;${isSecure ? ' Secure;' : ''} HttpOnly; SameSite=Lax; Max-Age=${lifeMs / 1000}`;

	function readKept({ headers }: Context<ApiEnv>['env']['incoming']): string {
		const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
		return pairs.find((pair) => pair.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1) ?? '';
	}

	function redirectWithWhy(context: Context<ApiEnv>, error: unknown): Response {
		const why = error instanceof DatabaseAway ? 'database' : error instanceof AppError ? WHYS[error.code] : undefined;
		if (why === undefined) throw error;
		return context.redirect(`/login?why=${why}`, 303);
	}

	return [
		defineRoute('GET /login/oidc', async ({ query: { to = '/' }, context }) => {
			if (!oidc) throw new AppError('route/not-found');
			try {
				const begun = await oidc.begin(PAGE.test(to) ? to : '/');
				context.header('set-cookie', cookieOf(begun.kept, OIDC_MS));
				return context.redirect(begun.url.href, 303);
			} catch (error) {
				return redirectWithWhy(context, error);
			}
		}),
		defineRoute('GET /login/oidc/callback', async ({ context }) => {
			if (!oidc) throw new AppError('route/not-found');
			context.header('set-cookie', cookieOf('', 0));
			try {
				const cameBy = new URL(context.env.incoming.url ?? '', url);
				const { person, to } = await oidc.end(cameBy, readKept(context.env.incoming));
				const secret = await signIns.mintLink(person, 'oidc');
				return context.redirect(`/login?to=${encodeURIComponent(to)}#${secret}`, 303);
			} catch (error) {
				return redirectWithWhy(context, error);
			}
		}),
	];
}
