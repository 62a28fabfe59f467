import type { SignInLine } from '#lib/contract/hub/hub-people.ts';
import type { HubRole } from '#lib/hub/may.ts';
import type { SignIn } from '../../access/credentials.ts';
import { digestOf, mintSecret } from '../../access/principal.ts';
import type { Ask } from '../database/database.ts';
import { ROLES_OF_P, type RoleRow, roleOf } from './role-rows.ts';

/** A browser signs in anew after so long (HUB 3). */
export const SIGN_IN_HOURS = 12;
const LINK_MINUTES = 15;
const MOST = 2000;
const STANDS = 'l.ended_at IS NULL AND l.until > now() AND p.disabled_at IS NULL';

/** A sign-in or token that counts, with whom it lets in. */
export interface FoundSignIn {
	hash: string;
	/** SHA-256 of the session token of a browser's; null: a bearer token. */
	tokenHash: string | null;
	name: string;
	person: number;
	who: string;
	roles: HubRole[];
	/** When it was made. */
	since: Date;
}

/** A line of the list, by its hash. */
export interface ListedSignIn {
	hash: string;
	person: number;
	who: string;
	name: string;
	via: SignInLine['via'];
	since: Date;
	until: Date;
	seen: Date;
}

/**
 * What lets people in to a hub: sign-ins of browsers, bearer tokens and one-time links, in the database, so that every
 * replica takes each of them. Only the SHA-256 of a secret is kept.
 */
export function createSignInStore(ask: Ask) {
	return {
		/** The secret of a link that signs this person in once, within 15 minutes; `via` is how they have come by it. */
		async mintLink(person: number, via: 'link' | 'oidc' = 'link'): Promise<string> {
			const secret = mintSecret();
			await ask(
				`INSERT INTO links (hash, person, via, until) VALUES ($1, $2, $3, now() + interval '${LINK_MINUTES} minutes')`,
				[digestOf(secret), person, via],
			);
			return secret;
		},
		/** Whom the link is for; of several at once exactly one gets an answer. */
		async redeemLink(secret: string): Promise<{ person: number; via: 'link' | 'oidc' } | undefined> {
			const [used] = await ask<{ person: number; via: 'link' | 'oidc' }>(
				`UPDATE links l SET used_at = now() FROM people p WHERE p.id = l.person AND p.disabled_at IS NULL
				AND l.hash = $1 AND l.used_at IS NULL AND l.until > now() RETURNING l.person, l.via`,
				[digestOf(secret)],
			);
			return used;
		},
		/** Signs a browser in. Its two halves have nothing to do with each other. */
		async open(person: number, via: SignInLine['via'], name: string): Promise<SignIn> {
			const [cookie, sessionToken] = [mintSecret(), mintSecret()];
			await ask(
				`INSERT INTO logins (hash, token_hash, person, via, name, until)
				VALUES ($1, $2, $3, $4, $5, now() + interval '${SIGN_IN_HOURS} hours')`,
				[digestOf(cookie), digestOf(sessionToken), person, via, name],
			);
			return { cookie, sessionToken };
		},
		/** A bearer token of this person. */
		async mintToken(person: number, name: string, days: number): Promise<{ token: string; until: Date }> {
			const token = mintSecret();
			const [made] = await ask<{ until: Date }>(
				`INSERT INTO logins (hash, person, via, name, until) VALUES ($1, $2, 'token', $3, now() + make_interval(days => $4))
				RETURNING until`,
				[digestOf(token), person, name, days],
			);
			return { token, until: made?.until ?? new Date() };
		},
		/** Those of these that count now. What was used is noted, to the minute. */
		async find(hashes: readonly string[]): Promise<FoundSignIn[]> {
			const found = await ask<
				Omit<FoundSignIn, 'tokenHash' | 'roles'> & { token_hash: string | null; roles: RoleRow[] }
			>(
				`WITH seen AS (
					UPDATE logins SET last_seen = now() WHERE hash = ANY ($1) AND last_seen < now() - interval '1 minute'
				)
				SELECT l.hash, l.token_hash, l.name, l.person, l.made_at AS since, p.name AS who, ${ROLES_OF_P}
				FROM logins l JOIN people p ON p.id = l.person WHERE l.hash = ANY ($1) AND ${STANDS}`,
				[hashes],
			);
			return found.map(({ token_hash, roles, ...line }) => ({
				...line,
				tokenHash: token_hash,
				roles: roles.map(roleOf),
			}));
		},
		/** Ends one for good; `by` is who did, null where its own browser signed out. */
		async end(hash: string, by: number | null): Promise<void> {
			await ask('UPDATE logins SET ended_at = now(), ended_by = $2 WHERE hash = $1 AND ended_at IS NULL', [hash, by]);
		},
		/** The same for all of a person's. */
		async endAll(person: number, by: number): Promise<void> {
			await ask('UPDATE logins SET ended_at = now(), ended_by = $2 WHERE person = $1 AND ended_at IS NULL', [
				person,
				by,
			]);
		},
		/** Those that count, of one person or of everybody, the newest first. */
		list: (person: number | null) =>
			ask<ListedSignIn>(
				`SELECT l.hash, l.person, p.name AS who, l.name, l.via, l.made_at AS since, l.until, l.last_seen AS seen
				FROM logins l JOIN people p ON p.id = l.person
				WHERE ${STANDS} AND ($1::int IS NULL OR l.person = $1) ORDER BY l.made_at DESC, l.hash LIMIT ${MOST}`,
				[person],
			),
		/** Links and tokens of this person that were made since a day. */
		minted: (person: number) =>
			ask<{ at: Date; kind: 'link:mint' | 'token:mint' }>(
				`SELECT until - interval '${LINK_MINUTES} minutes' AS at, 'link:mint' AS kind FROM links
				WHERE person = $1 AND via = 'link' AND until > now() - interval '1 day'
				UNION ALL SELECT made_at, 'token:mint' FROM logins
				WHERE person = $1 AND via = 'token' AND made_at > now() - interval '1 day' ORDER BY 1 DESC LIMIT 100`,
				[person],
			),
	};
}

export type SignInStore = ReturnType<typeof createSignInStore>;
