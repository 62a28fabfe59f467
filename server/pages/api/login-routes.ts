import { AppError } from '#lib/contract/errors.ts';
import type { Me } from '#lib/contract/routes/me.ts';
import { browserName } from '#lib/text/browser-name.ts';
import type { Auth } from '../../access/auth.ts';
import { demandPrincipal, proofOf } from '../../http/api-env.ts';
import { mintNonce } from '../../http/security-headers.ts';
import type { OpenName } from '../../process/program-name.ts';
import type { Feed } from '../../timeline/feed.ts';
import { defineRoute } from './define-route.ts';
import { elsewherePage } from './elsewhere-page.ts';
import { loginPage, type SignInWays } from './login-page.ts';
import { plainPolicy } from './plain-page.ts';
import { sayTo } from './say-to.ts';

export interface LoginRouteOptions {
	auth: Auth;
	/** The epoch is read at each request, since a rebuilt index draws a new one. */
	feed: Pick<Feed, 'listEpoch'>;
	/** `approvals.undoSeconds` as it is now. */
	undoSeconds: () => number;
	/** How well decisions are protected at this moment. */
	tier: () => Me['tier'] | Promise<Me['tier']>;
	/** How else than by a link somebody signs in here. */
	ways?: (() => SignInWays | Promise<SignInWays>) | undefined;
	/** The state folder, shown so that a person knows which instance this is. */
	home: string;
	/** What a person types to run this program, for who is signed in, and for everybody. */
	program: string;
	openly: OpenName;
}

/** Signing in and out, and who one is. */
export function createLoginRoutes(options: LoginRouteOptions) {
	const { auth, feed, undoSeconds, tier, ways, home, program, openly } = options;
	return [
		defineRoute('GET /login', async ({ context }) => {
			const nonce = mintNonce();
			const say = sayTo(context);
			const fromElsewhere = /^(?:cross|same)-site$/.test(context.req.header('sec-fetch-site') ?? '');
			const mayBeSignedIn = fromElsewhere || context.req.header('cookie') !== undefined;
			const isHere = auth.isOwnHost(proofOf(context));
			return context.html(
				isHere
					? loginPage({ nonce, mayBeSignedIn, program: openly, say, ways: await ways?.() })
					: elsewherePage(nonce, openly, say),
				200,
				{
					'content-security-policy': plainPolicy(nonce),
				},
			);
		}),

		defineRoute('POST /login', async ({ body, context }) => {
			const proof = proofOf(context);
			// A link must not be used up where its cookie would not count.
			if (!auth.isOwnHost(proof)) throw new AppError('auth/host');
			const name = browserName(context.req.header('user-agent'));
			const { cookie, sessionToken, lifeMs } = await auth.logIn(body.token, name);
			context.header('set-cookie', auth.cookieFor(proof, cookie, lifeMs));
			return context.json({ sessionToken });
		}),

		defineRoute('POST /logout', async ({ context }) => {
			const principal = demandPrincipal(context);
			if (principal.via !== 'browser') throw new AppError('auth/forbidden', 'A token has no session to end.');
			await auth.closeLogin(principal.sessionHash);
			context.header('set-cookie', auth.cookieFor(proofOf(context), null));
			return context.body(null, 204);
		}),

		defineRoute('GET /api/me', async ({ context }): Promise<Me> => {
			const principal = demandPrincipal(context);
			return {
				role: principal.role,
				...(principal.approval !== undefined && { approval: principal.approval }),
				...(principal.hub && { hub: { ...principal.hub, roles: [...principal.hub.roles] } }),
				tier: await tier(),
				minted: await auth.minted(principal),
				epoch: feed.listEpoch(),
				undoSeconds: undoSeconds(),
				home,
				program,
			};
		}),
	];
}
