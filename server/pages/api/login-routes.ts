import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Context } from 'hono';
import { AppError } from '#lib/contract/errors.ts';
import type { Me } from '#lib/contract/routes/me.ts';
import { browserName } from '#lib/text/browser-name.ts';
import type { AccessList } from '../../access/access-list.ts';
import type { ApprovalLinks } from '../../access/approval-links.ts';
import type { Auth, MachineAuth } from '../../access/auth.ts';
import type { SignIn } from '../../access/credentials.ts';
import type { Passkeys } from '../../access/passkeys.ts';
import { PASSKEY_HEADER } from '../../access/webauthn.ts';
import type { ApprovalService } from '../../approvals/approval-service.ts';
import { type ApiEnv, demandPrincipal, proofOf } from '../../http/api-env.ts';
import type { OpenName } from '../../process/program-name.ts';
import type { Feed } from '../../timeline/feed.ts';
import { type Awaitable, defineRoute } from './define-route.ts';
import { answerPage, elsewherePage, linkPage, loginPage, type SignInWays } from './plain-page.ts';

export interface LoginRouteOptions {
	auth: Auth;
	/** The epoch is read for each request, since a rebuilt index has a new one. */
	feed: Pick<Feed, 'listEpoch'>;
	undoSeconds: () => number;
	tier: () => Awaitable<Me['tier']>;
	/** Other ways to sign in here. */
	ways?: (() => Awaitable<SignInWays>) | undefined;
	home: string;
	/** The command line of this program, for signed-in people and for others. */
	program: string;
	openly: OpenName;
}

/** Signs somebody in with a browser's name. Throws `auth/host`: nothing is used up where the cookie would not count. */
export async function signIn(
	context: Context<ApiEnv>,
	auth: Auth,
	open: (name: string | undefined) => Promise<SignIn & { lifeMs?: number }>,
): Promise<{ sessionToken: string }> {
	const proof = proofOf(context);
	if (!auth.isOwnHost(proof)) throw new AppError('auth/host');
	const { cookie, sessionToken, lifeMs } = await open(browserName(context.req.header('user-agent')));
	context.header('set-cookie', auth.cookieFor(proof, cookie, lifeMs));
	return { sessionToken };
}

export function createLoginRoutes(options: LoginRouteOptions) {
	const { auth, feed, undoSeconds, tier, ways, home, program, openly } = options;
	return [
		defineRoute('GET /login', async ({ context }) => {
			const fromElsewhere = /^(?:cross|same)-site$/.test(context.req.header('sec-fetch-site') ?? '');
			const mayBeSignedIn = fromElsewhere || context.req.header('cookie') !== undefined;
			const others = await ways?.();
			const isHere = auth.isOwnHost(proofOf(context));
			return answerPage(context, openly, isHere ? (reader) => loginPage(reader, mayBeSignedIn, others) : elsewherePage);
		}),

		defineRoute('POST /login', async ({ body, context }) =>
			context.json(await signIn(context, auth, (name) => auth.logIn(body.token, name))),
		),

		defineRoute('POST /logout', async ({ context }) => {
			const principal = demandPrincipal(context);
			if (principal.via !== 'browser') throw new AppError('auth/forbidden', 'A token has no session to end.');
			await auth.closeSignIn(principal.sessionHash);
			context.header('set-cookie', auth.cookieFor(proofOf(context), null));
			return context.body(null, 204);
		}),

		defineRoute('GET /api/me', async ({ context }): Promise<Me> => {
			const principal = demandPrincipal(context);
			const { role, approval, hub } = principal;
			return {
				role,
				home,
				program,
				undoSeconds: undoSeconds(),
				epoch: feed.listEpoch(),
				...(approval !== undefined && { approval }),
				...(hub && { hub: { ...hub, roles: [...hub.roles] } }),
				tier: await tier(),
				minted: await auth.minted(principal),
			};
		}),
	];
}

export interface LinkRouteOptions {
	auth: MachineAuth;
	links: ApprovalLinks;
	passkeys: Passkeys;
	service: Pick<ApprovalService, 'get'>;
	openly: OpenName;
	now: () => number;
}

/** How long a sign-in by a link outlasts the call's deadline, to see the outcome. */
const AFTERMATH_MS = 10 * 60_000;

/**
 * The pages behind a link to a waiting call (docs/decisions/0010). Fetching does nothing; using needs an operator's sign-in or a
 * passkey, and the decision still asks for its proof.
 */
export function createLinkRoutes({ auth, links, passkeys, service, openly, now }: LinkRouteOptions) {
	/** The link to a waiting call. Throws `link/...`. */
	function readLink(text: string) {
		try {
			const link = links.read(text);
			if (service.get(link.approvalId)?.state === 'waiting') return link;
		} catch (error) {
			if (error instanceof AppError && error.code === 'link/wrong') auth.countWrongLink();
			throw error;
		}
		throw new AppError('link/over');
	}

	function askerBy({ hash }: ReturnType<typeof readLink>) {
		if (passkeys.list().length === 0) throw new AppError('link/sign-in');
		return { via: 'browser' as const, sessionHash: hash };
	}

	return [
		defineRoute('GET /link', ({ context }) =>
			answerPage(context, openly, auth.isOwnHost(proofOf(context)) ? linkPage : elsewherePage),
		),

		defineRoute('POST /link', async ({ body, context }) => {
			const proof = proofOf(context);
			// A link must not be used up where its cookie would not count.
			if (!auth.isOwnHost(proof)) throw new AppError('auth/host');
			const link = readLink(body.link);
			const to = `/approvals?card=${encodeURIComponent(link.approvalId)}`;
			// An old cookie or half a sign-in is no attack; it is ignored.
			const principal = await auth.authenticate(proof).catch(() => null);
			if (principal?.via === 'browser' && principal.role === 'operator') {
				await links.use(link, 'browser');
				return { to };
			}
			await passkeys.prove(proof.headers[PASSKEY_HEADER], askerBy(link), { path: '/link', body });
			await links.use(link, 'passkey');
			const lifeMs = link.until - now() + AFTERMATH_MS;
			const { cookie, sessionToken } = await auth.openSignInFor(link.approvalId, lifeMs);
			context.header('set-cookie', auth.cookieFor(proof, cookie, lifeMs));
			return { to, sessionToken };
		}),

		defineRoute('POST /link/challenge', async ({ body, context }) =>
			context.json(await passkeys.challenge(askerBy(readLink(body.link)), { path: '/link', body })),
		),
	];
}

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
