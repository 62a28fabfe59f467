import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '#lib/contract/errors.ts';
import type { JournalStore } from '../store/journal-store.ts';
import { createCredentials, LOGIN_LIFE_MS } from './credentials.ts';
import { createFailureLimit } from './failure-limit.ts';
import type { Principal } from './principal.ts';
import { headerTokenOf, isSameSecret } from './secret.ts';

/** The one host whose cookie counts: a cookie of plain `localhost` is readable by every other port. */
export const COOKIE_HOST = 'signalbox.localhost';

/** The header that a decision of a cookie session must carry beside the cookie. */
export const SESSION_HEADER = 'x-signalbox-session';

const SECRET = /^[A-Za-z0-9_-]{43}$/;
const MOST_COOKIES = 4;

/** What is asked about a request: its headers and the port that it came in by. */
export interface RequestProof {
	headers: IncomingHttpHeaders;
	port: number;
}

/** The cookie names its instance, since cookies ignore the port. */
const cookieNameOf = (port: number) => `signalbox-${port}`;

/** Whether the request presents a bearer token at all, right or wrong. */
export function hasBearer(headers: IncomingHttpHeaders): boolean {
	return /^bearer\s/i.test(headers.authorization ?? '');
}

/** Whether the request came by a name whose cookie counts. */
export function isCookieHost({ headers, port }: RequestProof): boolean {
	const host = headers.host?.toLowerCase();
	return host === `${COOKIE_HOST}:${port}` || (port === 80 && host === COOKIE_HOST);
}

/** Several can come: another port of the same name may have set one too, and only the server knows which is ours. */
function readCookies(proof: RequestProof): string[] {
	if (!isCookieHost(proof)) return [];
	const prefix = `${cookieNameOf(proof.port)}=`;
	return (proof.headers.cookie ?? '')
		.split(';')
		.map((pair) => pair.trim())
		.filter((pair) => pair.startsWith(prefix))
		.map((pair) => pair.slice(prefix.length))
		.filter((secret) => SECRET.test(secret))
		.slice(0, MOST_COOKIES);
}

/** The `set-cookie` value of a fresh login, or the one that removes it. */
export function cookieFor(port: number, secret: string | null, lifeMs = LOGIN_LIFE_MS): string {
	const life = secret === null ? 0 : Math.floor(lifeMs / 1000);
	return `${cookieNameOf(port)}=${secret ?? ''}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${life}`;
}

/** Who may come in, over the journal. `now` is in milliseconds since the epoch. */
export function createAuth(options: { journal: JournalStore; now: () => number }) {
	const credentials = createCredentials(options);
	const failures = createFailureLimit(options.now);

	function findLogin(proof: RequestProof) {
		for (const secret of readCookies(proof)) {
			const login = credentials.findLogin(secret);
			if (login) return { secret, login };
		}
		return null;
	}

	return {
		...credentials,

		/**
		 * The sender, or null without credentials or with wrong ones. A presented bearer token is the only thing that
		 * counts then. Throws `auth/too-many` for a wrong one after ten in a minute.
		 */
		authenticate(proof: RequestProof): Principal | null {
			if (proof.headers.authorization !== undefined) {
				const secret = /^bearer +(\S+)$/i.exec(proof.headers.authorization)?.[1] ?? '';
				const token = SECRET.test(secret) ? credentials.findToken(secret) : null;
				if (token) return { role: token.role, via: 'token', sessionHash: token.hash };
				failures.count('token');
				return null;
			}
			const found = findLogin(proof);
			if (found) {
				const { hash: sessionHash, ...login } = found.login;
				return { ...login, via: 'browser', sessionHash };
			}
			if (readCookies(proof).length > 0) failures.count('cookie');
			return null;
		},

		/** The header token that belongs to the request's cookie; null for other requests. */
		headerTokenFor(proof: RequestProof): string | null {
			const found = findLogin(proof);
			return found && headerTokenOf(found.secret);
		},

		/** A cookie alone never decides: throws `auth/forbidden` unless the session's header token came with it. */
		demandHeaderToken(proof: RequestProof, principal: Principal): void {
			if (principal.via === 'token') return;
			const found = findLogin(proof);
			const given = proof.headers[SESSION_HEADER];
			if (found && typeof given === 'string' && isSameSecret(given, headerTokenOf(found.secret))) return;
			failures.count('header');
			throw new AppError('auth/forbidden', `A decision needs the ${SESSION_HEADER} header; reload the page.`);
		},

		/** A link to a waiting call that is not one: counted, and after ten in a minute told `auth/too-many`. */
		countWrongLink: () => failures.count('link'),

		/** As `redeemLink`; wrong links count as failures, and after ten in a minute they are told `auth/too-many`. */
		async logIn(secret: string, name?: string) {
			try {
				return await credentials.redeemLink(secret, name);
			} catch (error) {
				if (error instanceof AppError) failures.count('link');
				throw error;
			}
		},
	};
}

export type Auth = ReturnType<typeof createAuth>;
