import { AppError } from '#lib/contract/errors.ts';
import type { SignInLine } from '#lib/contract/hub/hub-people.ts';
import { type HubRole, mayAnywhere, readingOnly } from '#lib/hub/may.ts';
import { type Auth, type CredentialStore, createAuthOver } from '../../access/auth.ts';
import type { Credential, SignIn } from '../../access/credentials.ts';
import { digestOf, mintSecret } from '../../access/principal.ts';
import { first, literal, type Query, sql } from '../database/database.ts';
import { ROLES_OF_P, type RoleRow, roleOf } from './people-store.ts';

const SIGN_IN_HOURS = 12;
const LINK_MINUTES = 15;
const MAX_SIGN_INS = 2000;
const IS_VALID = sql`l.ended_at IS NULL AND l.until > now() AND p.disabled_at IS NULL`;

interface FoundSignIn {
	hash: string;
	tokenHash: string | null;
	name: string;
	person: number;
	who: string;
	roles: HubRole[];
	since: Date;
}

type ListedSignIn = Pick<SignInLine, 'person' | 'who' | 'name' | 'via'> & {
	hash: string;
	since: Date;
	until: Date;
	seen: Date;
};

/** Only the SHA-256 of a secret is stored. */
export function createSignInStore(query: Query) {
	return {
		async mintLink(person: number, via: 'link' | 'oidc' = 'link'): Promise<string> {
			const secret = mintSecret();
			await query`INSERT INTO links (hash, person, via, until)
				VALUES (${digestOf(secret)}, ${person}, ${via}, now() + make_interval(mins => ${LINK_MINUTES}))`;
			return secret;
		},
		/** Swaps a link for its person; of concurrent uses exactly one succeeds. */
		async redeemLink(secret: string): Promise<{ person: number; via: 'link' | 'oidc' } | undefined> {
			return first(query<{ person: number; via: 'link' | 'oidc' }>`UPDATE links l SET used_at = now()
				FROM people p WHERE p.id = l.person AND p.disabled_at IS NULL AND l.hash = ${digestOf(secret)}
				AND l.used_at IS NULL AND l.until > now() RETURNING l.person, l.via`);
		},
		async open(person: number, via: SignInLine['via'], name: string): Promise<SignIn> {
			const [cookie, sessionToken] = [mintSecret(), mintSecret()];
			await query`INSERT INTO logins (hash, token_hash, person, via, name, until)
				VALUES (${digestOf(cookie)}, ${digestOf(sessionToken)}, ${person}, ${via}, ${name},
				now() + make_interval(hours => ${SIGN_IN_HOURS}))`;
			return { cookie, sessionToken };
		},
		async mintToken(person: number, name: string, days: number): Promise<{ token: string; until: Date }> {
			const token = mintSecret();
			const [made] = await query<{ until: Date }>`INSERT INTO logins (hash, person, via, name, until)
				VALUES (${digestOf(token)}, ${person}, 'token', ${name}, now() + make_interval(days => ${days}))
				RETURNING until`;
			return { token, until: made?.until ?? new Date() };
		},
		async find(hashes: readonly string[]): Promise<FoundSignIn[]> {
			const found = await query<Omit<FoundSignIn, 'roles'> & { roles: RoleRow[] }>`WITH seen AS (
					UPDATE logins SET last_seen = now() WHERE hash = ANY (${hashes}) AND last_seen < now() - interval '1 minute'
				) SELECT l.hash, l.token_hash AS "tokenHash", l.name, l.person, l.made_at AS since, p.name AS who, ${ROLES_OF_P}
				FROM logins l JOIN people p ON p.id = l.person WHERE l.hash = ANY (${hashes}) AND ${IS_VALID}`;
			return found.map(({ roles, ...line }) => ({ ...line, roles: roles.map(roleOf) }));
		},
		async end(hash: string, by: number | null): Promise<void> {
			await query`UPDATE logins SET ended_at = now(), ended_by = ${by} WHERE hash = ${hash} AND ended_at IS NULL`;
		},
		async endAll(person: number, by: number): Promise<void> {
			await query`UPDATE logins SET ended_at = now(), ended_by = ${by} WHERE person = ${person} AND ended_at IS NULL`;
		},
		list: (person: number | null) =>
			query<ListedSignIn>`SELECT l.hash, l.person, p.name AS who, l.name, l.via, l.made_at AS since, l.until, l.last_seen
				AS seen FROM logins l JOIN people p ON p.id = l.person WHERE ${IS_VALID} AND (${person}::int IS NULL
				OR l.person = ${person}) ORDER BY l.made_at DESC, l.hash LIMIT ${literal(MAX_SIGN_INS)}`,
		minted: (person: number) =>
			query<{ at: Date; kind: 'link:mint' | 'token:mint' }>`SELECT until - make_interval(mins => ${LINK_MINUTES}) AS at,
				'link:mint' AS kind FROM links WHERE person = ${person} AND via = 'link' AND until > now() - interval '1 day'
				UNION ALL SELECT made_at, 'token:mint' FROM logins WHERE person = ${person} AND via = 'token'
				AND made_at > now() - interval '1 day' ORDER BY 1 DESC LIMIT 100`,
	};
}

export type SignInStore = ReturnType<typeof createSignInStore>;

const LIFE_MS = SIGN_IN_HOURS * 3_600_000;

export interface HubAuth extends Auth {
	/** A failed proof counts like a wrong link. */
	logInAs(via: SignInLine['via'], prove: () => Promise<number>, name?: string): Promise<SignIn & { lifeMs: number }>;
	rolesByHash(hashes: readonly string[]): Promise<ReadonlyMap<string, readonly HubRole[]>>;
}

/** The gate's authentication over the database, so that every replica knows each sign-in. */
export function createHubAuth(options: {
	signIns: SignInStore;
	url: URL;
	now: () => number;
	ended: () => void;
}): HubAuth {
	const { signIns, url, now, ended } = options;
	const open = async (person: number, via: SignInLine['via'], name: string) => ({
		...(await signIns.open(person, via, name)),
		lifeMs: LIFE_MS,
	});
	const store: CredentialStore = {
		find: async (hashes) => (await signIns.find(hashes)).map(credentialOf),
		async redeemLink(secret, name = 'by a link') {
			const used = await signIns.redeemLink(secret);
			if (!used) throw new AppError('auth/link-used');
			return open(used.person, used.via, name);
		},
		async closeSignIn(hash) {
			await signIns.end(hash, null);
			ended();
		},
		async minted({ hub }) {
			const made = hub ? await signIns.minted(hub.person) : [];
			return made.map(({ at, kind }) => ({ at: at.toISOString(), kind, role: 'operator' as const }));
		},
	};
	const auth = createAuthOver(store, { host: url.hostname, origin: url.origin, now });

	return {
		...auth,
		async logInAs(via, prove, name = 'by a passkey') {
			const person = await prove().catch((error: unknown) => {
				if (error instanceof AppError) auth.countWrongLink();
				throw error;
			});
			return open(person, via, name);
		},
		async rolesByHash(hashes) {
			const found = await store.find(hashes);
			return new Map(found.map(({ hash, hub }) => [hash, hub?.roles ?? []]));
		},
	};
}

/** A token only reads. */
function credentialOf({ hash, tokenHash, name, person, who, roles: all }: FoundSignIn): Credential {
	const isToken = tokenHash === null;
	const roles = isToken ? readingOnly(all) : all;
	return {
		hash,
		name,
		via: isToken ? 'token' : 'browser',
		...(!isToken && { tokenHash }),
		role: mayAnywhere(roles, 'decide') ? 'operator' : 'viewer',
		hub: { person, name: who, roles },
	};
}
