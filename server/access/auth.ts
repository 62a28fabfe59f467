import type { IncomingHttpHeaders } from 'node:http';
import { SESSION_HEADER, tokenInProtocols } from '#lib/contract/access/session-token.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { Me } from '#lib/contract/routes/me.ts';
import type { JournalStore } from '../timeline/store/journal-store.ts';
import { type Credential, type Credentials, createCredentials, SIGN_IN_LIFE_MS, type SignIn } from './credentials.ts';
import { digestOf, type Principal } from './principal.ts';

const SECRET = /^[A-Za-z0-9_-]{43}$/;
const MAX_COOKIES = 4;

export interface RequestProof {
	headers: IncomingHttpHeaders;
	port: number;
}

/** Where sign-ins, tokens and links are stored: a machine's journal, or the database that all replicas of a hub share. */
export interface CredentialStore {
	find(hashes: readonly string[]): Promise<Credential[]>;
	/** Swaps a link for a sign-in called `name`. Throws `auth/link-used`; of several at once exactly one wins. */
	redeemLink(secret: string, name?: string): Promise<SignIn & { lifeMs?: number }>;
	closeSignIn(sessionHash: string): Promise<void>;
	/** Login links and tokens of the last 24 hours that the sender should notice. */
	minted(principal: Principal): Promise<Me['minted']>;
}

export function hasBearer(headers: IncomingHttpHeaders): boolean {
	return /^bearer\s/i.test(headers.authorization ?? '');
}

/** A Host header without a port means port 80. */
export function isHost(host: string | undefined, name: string, port: number): boolean {
	const given = host?.toLowerCase();
	return given === `${name}:${port}` || (port === 80 && given === name);
}

/** Who may enter. `host` is the host name whose cookie counts: this home's own, or that of `origin` behind a proxy. */
export function createAuthOver(
	store: CredentialStore,
	{ host, origin, now }: { host: string; origin?: string; now: () => number },
) {
	const failures = createFailureLimit(now);
	const used = new Map<string, number>();
	const isSecure = origin?.startsWith('https:') === true;
	const originPort = origin && new URL(origin).port;

	const isOwnHost = ({ headers, port }: RequestProof) =>
		origin === undefined ? isHost(headers.host, host, port) : headers.host?.toLowerCase() === new URL(origin).host;
	/** Includes the port, since cookies ignore it. */
	const cookieNameOf = (port: number) => (isSecure ? '__Host-signalbox' : `signalbox-${originPort || port}`);

	/** The sender of the bearer token: undefined without one, null for a wrong one, which is counted. */
	async function findBearer({ headers }: RequestProof): Promise<Principal | null | undefined> {
		if (headers.authorization === undefined) return undefined;
		const secret = /^bearer +(\S+)$/i.exec(headers.authorization)?.[1] ?? '';
		const found = SECRET.test(secret) ? await store.find([digestOf(secret)]) : [];
		const token = found.find(({ via }) => via === 'token');
		if (token) return enter(token);
		failures.count('token');
		return null;
	}

	function enter(credential: Credential): Principal {
		used.set(credential.hash, now());
		return principalOf(credential);
	}

	async function findSignIns(proof: RequestProof): Promise<Credential[]> {
		const cookies = isOwnHost(proof) ? readCookies(proof, cookieNameOf(proof.port)) : [];
		const found = cookies.length === 0 ? [] : await store.find(cookies.map(digestOf));
		const signIns = found.filter(({ via }) => via === 'browser');
		if (cookies.length > 0 && signIns.length === 0) failures.count('cookie');
		return signIns;
	}

	return {
		isOwnHost,
		originOf: (proof: RequestProof) =>
			origin !== undefined && isOwnHost(proof) ? origin : `http://${proof.headers.host?.toLowerCase()}`,
		cookieFor({ port }: Pick<RequestProof, 'port'>, secret: string | null, lifeMs = SIGN_IN_LIFE_MS): string {
			const life = secret === null ? 0 : Math.floor(lifeMs / 1000);
			const secure = isSecure ? ' Secure;' : '';
			return `${cookieNameOf(port)}=${secret ?? ''}; Path=/;${secure} HttpOnly; SameSite=Strict; Max-Age=${life}`;
		},
		/**
		 * The sender; null without credentials or with wrong ones. A bearer token overrules cookies, and a cookie counts only
		 * with its session token (else `auth/half`). After ten wrong ones in a minute throws `auth/too-many`.
		 */
		async authenticate(proof: RequestProof): Promise<Principal | null> {
			const bearer = await findBearer(proof);
			if (bearer !== undefined) return bearer;
			const signIns = await findSignIns(proof);
			if (signIns.length === 0) return null;
			const given = sessionTokenIn(proof.headers);
			const signIn = given === undefined ? undefined : signIns.find(({ tokenHash }) => tokenHash === digestOf(given));
			if (signIn) return enter(signIn);
			if (given !== undefined) failures.count('header');
			throw new AppError('auth/half');
		},
		/** As `authenticate`, for a page: a browser requests it with the cookie alone, and it contains no data. */
		async recognize(proof: RequestProof): Promise<Principal | null> {
			const bearer = await findBearer(proof);
			if (bearer !== undefined) return bearer;
			const [signIn] = await findSignIns(proof);
			return signIn ? principalOf(signIn) : null;
		},
		/** Swaps a link for a sign-in, once. Throws `auth/link-used`; wrong links are counted, too. */
		async logIn(secret: string, name?: string) {
			try {
				return await store.redeemLink(secret, name);
			} catch (error) {
				if (error instanceof AppError && error.code === 'auth/link-used') failures.count('link');
				throw error;
			}
		},
		/** When the credential of this hash was last used since the server started (ms). */
		lastUsed: (hash: string) => used.get(hash),
		countWrongLink: () => failures.count('link'),
		closeSignIn: store.closeSignIn,
		minted: store.minted,
	};
}

export type Auth = ReturnType<typeof createAuthOver>;

export function createAuth(options: { journal: JournalStore; host: string; origin?: string; now: () => number }) {
	const credentials: Credentials = createCredentials(options);
	return { ...createAuthOver(credentials, options), ...credentials };
}

export type MachineAuth = ReturnType<typeof createAuth>;

/** There may be several: another port of the same name may have set one, and only the server knows its own. */
function readCookies({ headers }: RequestProof, name: string): string[] {
	const prefix = `${name}=`;
	return (headers.cookie ?? '')
		.split(';')
		.map((pair) => pair.trim())
		.filter((pair) => pair.startsWith(prefix))
		.map((pair) => pair.slice(prefix.length))
		.filter((secret) => SECRET.test(secret))
		.slice(0, MAX_COOKIES);
}

/** A browser's websocket carries its session token among its protocols. */
function sessionTokenIn(headers: IncomingHttpHeaders): string | undefined {
	const given = headers[SESSION_HEADER];
	return typeof given === 'string' ? given : tokenInProtocols(headers['sec-websocket-protocol']);
}

const principalOf = ({ tokenHash: _, hash: sessionHash, ...credential }: Credential): Principal => ({
	...credential,
	sessionHash,
});

const WINDOW_MS = 60_000;
const FAILURES_PER_WINDOW = 10;

/** From the 11th failure of a kind within a minute on, a failure says "too many"; right credentials always pass. */
function createFailureLimit(now: () => number) {
	const recent: Record<'token' | 'cookie' | 'link' | 'header', number[]> = {
		token: [],
		cookie: [],
		link: [],
		header: [],
	};
	return {
		count(kind: keyof typeof recent): void {
			const since = now() - WINDOW_MS;
			recent[kind] = recent[kind].filter((at) => at > since);
			if (recent[kind].length >= FAILURES_PER_WINDOW) throw new AppError('auth/too-many');
			recent[kind].push(now());
		},
	};
}
