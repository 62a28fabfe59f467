import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '#lib/contract/errors.ts';
import { SESSION_HEADER, tokenInProtocols } from '#lib/contract/session-token.ts';
import type { JournalStore } from '../store/journal-store.ts';
import { type Credential, type Credentials, createCredentials, LOGIN_LIFE_MS } from './credentials.ts';
import { createFailureLimit } from './failure-limit.ts';
import type { Principal } from './principal.ts';
import { digestOf } from './secret.ts';

const SECRET = /^[A-Za-z0-9_-]{43}$/;
const MOST_COOKIES = 4;

/** What is asked about a request: its headers and the port that it came in by. */
export interface RequestProof {
	headers: IncomingHttpHeaders;
	port: number;
}

/** Whether the request presents a bearer token at all, right or wrong. */
export function hasBearer(headers: IncomingHttpHeaders): boolean {
	return /^bearer\s/i.test(headers.authorization ?? '');
}

/** Whether a Host header says this name and port. */
export function isHost(host: string | undefined, name: string, port: number): boolean {
	const asked = host?.toLowerCase();
	return asked === `${name}:${port}` || (port === 80 && asked === name);
}

/** Several can come: another port of the same name may have set one too, and only the server knows which is ours. */
function readCookies({ headers }: RequestProof, name: string): string[] {
	const prefix = `${name}=`;
	return (headers.cookie ?? '')
		.split(';')
		.map((pair) => pair.trim())
		.filter((pair) => pair.startsWith(prefix))
		.map((pair) => pair.slice(prefix.length))
		.filter((secret) => SECRET.test(secret))
		.slice(0, MOST_COOKIES);
}

/** The session token that came with a request; a browser's websocket has it among its protocols. */
function sessionTokenIn(headers: IncomingHttpHeaders): string | undefined {
	const given = headers[SESSION_HEADER];
	return typeof given === 'string' ? given : tokenInProtocols(headers['sec-websocket-protocol']);
}

const signedIn = ({ tokenHash: _, hash, ...login }: Credential): Principal => ({
	...login,
	via: 'browser',
	sessionHash: hash,
});

/**
 * Who may come in, over the journal. `host` is the one whose cookie counts, this home's own, or that of `origin`: where
 * the pages come from if a proxy stands before this server. `now` is in milliseconds since the epoch.
 */
export function createAuth(options: { journal: JournalStore; host: string; origin?: string; now: () => number }) {
	const { host, origin } = options;
	const credentials: Credentials = createCredentials(options);
	const failures = createFailureLimit(options.now);
	const isSecure = origin?.startsWith('https:') === true;

	const isOwnHost = ({ headers, port }: RequestProof) =>
		origin === undefined ? isHost(headers.host, host, port) : headers.host?.toLowerCase() === new URL(origin).host;

	/** It names its instance, since cookies ignore the port. */
	const cookieNameOf = (port: number) => (isSecure ? '__Host-signalbox' : `signalbox-${port}`);

	/** The sign-ins that the request's cookies stand for. */
	function findLogins(proof: RequestProof): Credential[] {
		const cookies = isOwnHost(proof) ? readCookies(proof, cookieNameOf(proof.port)) : [];
		const signIns = cookies.flatMap((secret) => credentials.findLogin(secret) ?? []);
		if (cookies.length > 0 && signIns.length === 0) failures.count('cookie');
		return signIns;
	}

	/** Undefined without a bearer token; null for a wrong one. */
	function findBearer({ headers }: RequestProof): Principal | null | undefined {
		if (headers.authorization === undefined) return undefined;
		const secret = /^bearer +(\S+)$/i.exec(headers.authorization)?.[1] ?? '';
		const token = SECRET.test(secret) ? credentials.findToken(secret) : null;
		if (token) return { role: token.role, via: 'token', sessionHash: token.hash };
		failures.count('token');
		return null;
	}

	return {
		...credentials,

		/** Whether the request came by the name whose cookie counts. */
		isOwnHost,
		/** What a browser says of where such a request's page comes from. */
		originOf: (proof: RequestProof) =>
			origin !== undefined && isOwnHost(proof) ? origin : `http://${proof.headers.host?.toLowerCase()}`,
		/** The `set-cookie` value of a fresh login, or the one that removes it. */
		cookieFor({ port }: Pick<RequestProof, 'port'>, secret: string | null, lifeMs = LOGIN_LIFE_MS): string {
			const life = secret === null ? 0 : Math.floor(lifeMs / 1000);
			const secure = isSecure ? ' Secure;' : '';
			return `${cookieNameOf(port)}=${secret ?? ''}; Path=/;${secure} HttpOnly; SameSite=Strict; Max-Age=${life}`;
		},

		/**
		 * The sender, or null without credentials or with wrong ones. A presented bearer token is the only thing that
		 * counts then; a cookie counts with its session token alone. Throws `auth/half` without that, `auth/too-many` for
		 * what was wrong after ten in a minute.
		 */
		authenticate(proof: RequestProof): Principal | null {
			const bearer = findBearer(proof);
			if (bearer !== undefined) return bearer;
			const logins = findLogins(proof);
			if (logins.length === 0) return null;
			const given = sessionTokenIn(proof.headers);
			const login = given === undefined ? undefined : logins.find(({ tokenHash }) => tokenHash === digestOf(given));
			if (login) return signedIn(login);
			if (given !== undefined) failures.count('header');
			throw new AppError('auth/half');
		},

		/** The same for a page, which a browser asks for with the cookie alone: there is nothing in it of anybody's. */
		recognize(proof: RequestProof): Principal | null {
			const bearer = findBearer(proof);
			if (bearer !== undefined) return bearer;
			const [login] = findLogins(proof);
			return login ? signedIn(login) : null;
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
