import type { Context } from 'hono';
import { AppError, type ErrorCode } from '#lib/contract/errors.ts';
import type { ApiEnv } from '../../http/api-env.ts';
import { OIDC_MS, type OidcSignIn } from '../../hub/people/oidc-sign-in.ts';
import type { SignInStore } from '../../hub/people/sign-in-store.ts';
import { DatabaseAway } from '../../timeline/store/database-away.ts';
import { type DefinedRoute, defineRoute } from './define-route.ts';

/** What the page of signing in says of a sign-in that came to nothing. */
const WHYS: Partial<Record<ErrorCode, string>> = {
	'oidc/refused': 'refused',
	'oidc/away': 'away',
	'person/disabled': 'disabled',
	'person/no-role': 'roleless',
};
/** A path of these pages, never one of somebody else's. */
const PAGE = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/;

/**
 * Signing in at a provider. Its cookie is the only one that goes with a request from another site, and holds nothing but what
 * the provider's answer is held against; the sign-in itself comes by the page of signing in, as with any link.
 */
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

	/** Back to the page of signing in, with why. */
	function say(context: Context<ApiEnv>, error: unknown): Response {
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
				return say(context, error);
			}
		}),
		defineRoute('GET /login/oidc/callback', async ({ context }) => {
			if (!oidc) throw new AppError('route/not-found');
			// Whatever comes of it, it counts once.
			context.header('set-cookie', cookieOf('', 0));
			try {
				const cameBy = new URL(context.env.incoming.url ?? '', url);
				const { person, to } = await oidc.end(cameBy, readKept(context.env.incoming));
				const secret = await signIns.mintLink(person, 'oidc');
				return context.redirect(`/login?to=${encodeURIComponent(to)}#${secret}`, 303);
			} catch (error) {
				return say(context, error);
			}
		}),
	];
}
