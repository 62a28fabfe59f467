import type { IncomingHttpHeaders } from 'node:http';
import { SESSION_HEADER, tokenInProtocols } from '#lib/contract/access/session-token.ts';
import { AppError } from '#lib/contract/errors.ts';
import { type Credential, LOGIN_LIFE_MS } from './credentials.ts';
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

const principalOf = ({ tokenHash: _, hash, ...credential }: Credential, via: Principal['via']): Principal => ({
	...credential,
	via,
	sessionHash: hash,
});

/**
 * What a request shows to come in, and what it is worth once that was looked up: the same for a machine, whose sign-ins are
 * in its journal, and a hub, where they are in the database. `host` is the one whose cookie counts, this home's own, or that
 * of `origin`: where the pages come from if a proxy stands before this server. `now` is in milliseconds since the epoch.
 */
export function createSignInProof({ host, origin, now }: { host: string; origin?: string; now: () => number }) {
	const failures = createFailureLimit(now);
	const isSecure = origin?.startsWith('https:') === true;

	const isOwnHost = ({ headers, port }: RequestProof) =>
		origin === undefined ? isHost(headers.host, host, port) : headers.host?.toLowerCase() === new URL(origin).host;

	const originPort = origin && new URL(origin).port;
	/** It names its instance, since cookies ignore the port; behind a proxy that is the one which browsers see. */
	const cookieNameOf = (port: number) => (isSecure ? '__Host-signalbox' : `signalbox-${originPort || port}`);

	return {
		/** What every kind of sign-in says of places and cookies. */
		place: {
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
		},
		/** Counts what was wrong. Throws `auth/too-many` after ten of a kind in a minute. */
		countFailure: failures.count,
		/** The bearer token that is presented: undefined without any, null where it cannot be one. */
		bearerIn({ headers }: RequestProof): string | null | undefined {
			if (headers.authorization === undefined) return undefined;
			const secret = /^bearer +(\S+)$/i.exec(headers.authorization)?.[1] ?? '';
			return SECRET.test(secret) ? secret : null;
		},
		/** The sender by a bearer token that was looked up; a wrong one is counted. */
		judgeBearer(token: Credential | null): Principal | null {
			if (token) return principalOf(token, 'token');
			failures.count('token');
			return null;
		},
		/** The secrets of the cookies that count here. */
		cookiesIn: (proof: RequestProof) => (isOwnHost(proof) ? readCookies(proof, cookieNameOf(proof.port)) : []),
		/** The same cookies' sign-ins, as they were looked up; wrong ones are counted. */
		judgeCookies(cookies: readonly string[], logins: readonly Credential[]): readonly Credential[] {
			if (cookies.length > 0 && logins.length === 0) failures.count('cookie');
			return logins;
		},
		/** The sender of a request: a cookie counts with its session token alone. Throws `auth/half` without that. */
		judge({ headers }: RequestProof, logins: readonly Credential[]): Principal | null {
			if (logins.length === 0) return null;
			const given = sessionTokenIn(headers);
			const login = given === undefined ? undefined : logins.find(({ tokenHash }) => tokenHash === digestOf(given));
			if (login) return principalOf(login, 'browser');
			if (given !== undefined) failures.count('header');
			throw new AppError('auth/half');
		},
		/** The same for a page, which a browser asks for with the cookie alone: there is nothing in it of anybody's. */
		judgePage: ([login]: readonly Credential[]): Principal | null => (login ? principalOf(login, 'browser') : null),
	};
}

export type SignInProof = ReturnType<typeof createSignInProof>;
