import { hash } from 'node:crypto';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import * as z from 'zod';
import { callForBytes, callService, ServiceFailure } from '../../connect/outgoing/call-service.ts';
import { LruMap } from '../../process/lru-map.ts';
import { first, isAny, type Query, sql } from '../database/database.ts';
import type { JoinedEdge } from './edge-store.ts';

export interface CiRule {
	id: number;
	teamId: number;
	team: string;
	maker: CiMaker;
	issuer: string;
	audience: string;
	repository: string;
}

interface CiToken {
	rule: CiRule;
	/** The token's own number: a signature can be written in more than one way. */
	hash: string;
	until: number;
}

/** Which repositories' CI jobs may join which team. */
export function createCiRules(query: Query) {
	const SELECT = sql`SELECT r.id, t.id AS "teamId", t.name AS team, r.maker, r.issuer, r.audience, r.repository
		FROM ci_rules r JOIN teams t ON t.id = r.team`;
	return {
		list: () => query<CiRule>`${SELECT} ORDER BY r.id`,
		of: (issuer: string) => query<CiRule>`${SELECT} WHERE r.issuer = ${issuer} ORDER BY r.id`,
		/** Jobs of a repository join one team, the last that was named. */
		async add(rule: Omit<CiRule, 'id' | 'teamId'>): Promise<Pick<CiRule, 'id' | 'teamId'>> {
			const { team, maker, issuer, audience, repository } = rule;
			const [made] = await query<Pick<CiRule, 'id' | 'teamId'>>`WITH t AS (INSERT INTO teams (name) VALUES (${team})
				ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id)
				INSERT INTO ci_rules (team, maker, issuer, audience, repository)
				SELECT t.id, ${maker}, ${issuer}, ${audience}, ${repository.toLowerCase()} FROM t
				ON CONFLICT (issuer, audience, repository) DO UPDATE SET team = excluded.team, maker = excluded.maker
				RETURNING id, team AS "teamId"`;
			if (!made) throw new Error('A rule that was just made is not there.');
			return made;
		},
		remove: (id: number): Promise<boolean> => isAny(query`DELETE FROM ci_rules WHERE id = ${id} RETURNING id`),
		/** Each token makes one machine; undefined if it was used or the rule is gone. */
		async join(
			{ rule, hash, until }: CiToken,
			{ key, name }: { key: string; name: string },
		): Promise<JoinedEdge | undefined> {
			// Replicas' clocks may differ.
			await query`DELETE FROM ci_tokens WHERE until < now() - interval '1 hour'`;
			return first(query<JoinedEdge>`WITH spent AS (
					INSERT INTO ci_tokens (hash, until) VALUES (${hash}, to_timestamp(${until})) ON CONFLICT DO NOTHING
						RETURNING hash
				), e AS (
					INSERT INTO edges (team, name, pubkey, labels, ephemeral)
					SELECT r.team, ${name}, ${key}, ${['ci', rule.repository]}, true FROM ci_rules r, spent
						WHERE r.id = ${rule.id} RETURNING id, team
				) SELECT e.id AS edge, t.name AS team, false AS pending FROM e JOIN teams t ON t.id = e.team`);
		},
	};
}

export type CiRules = ReturnType<typeof createCiRules>;

const jose = () => import('jose');

/** Never a shared secret or an unsigned token. */
const ALGORITHMS = ['RS256', 'ES256'];
const LEEWAY_S = 60;
const PATIENCE_MS = 5000;
const KEYS_MS = 10 * 60_000;
const COOLDOWN_MS = 30_000;
const MAX_ISSUERS = 100;

/** Why a CI job may not join, in words for its log. 503: the issuer's keys are not available now. */
export class CiRefused extends Error {
	readonly status: 403 | 503;
	constructor(words: string, { status = 403, cause }: { status?: 403 | 503; cause?: unknown } = {}) {
		super(words, { cause });
		this.status = status;
	}
}

const MAX_TOKEN_MS = 7 * 86_400_000;

const Discovered = z.object({ issuer: z.string(), jwks_uri: z.url() });

export function createCiTokens(rulesOf: (issuer: string) => Promise<CiRule[]>, now: () => number) {
	const known = new LruMap<string, Promise<JWTVerifyGetKey>>(MAX_ISSUERS);

	/** The issuer's keys; only issuers that a rule names are contacted. */
	function keysOf(issuer: string): Promise<JWTVerifyGetKey> {
		const found = known.get(issuer);
		if (found) return found;
		const keys = discoverKeys(issuer);
		known.set(issuer, keys);
		keys.catch(() => known.delete(issuer));
		return keys;
	}

	return {
		async check(token: string): Promise<CiToken> {
			const { decodeJwt, jwtVerify } = await jose();
			const issuer = issuerOf(() => decodeJwt(token));
			const rules = await rulesOf(issuer);
			if (rules.length === 0) throw new CiRefused(`This hub knows no issuer ${quoted(issuer)} of tokens of CI jobs.`);
			const keys = await keysOf(issuer);
			const audiences = [...new Set(rules.map(({ audience }) => audience))];
			const terms = { issuer, audience: audiences, algorithms: ALGORITHMS, clockTolerance: LEEWAY_S };
			const { payload } = await jwtVerify(token, keys, {
				...terms,
				currentDate: new Date(now()),
				requiredClaims: ['exp', 'iat', 'jti'],
			}).catch(async (error: unknown) => {
				const refusal = await refusalOf(error);
				if (refusal.status === 503) known.delete(issuer);
				throw refusal;
			});
			const meant = [payload.aud ?? []].flat();
			const rule = rules.find(
				({ audience, maker, repository }) => meant.includes(audience) && isJobOf(payload, maker, repository),
			);
			if (!rule) throw new CiRefused(`No rule of this hub takes in jobs of ${quoted(repositoryOf(payload))}.`);
			const { jti, exp = 0 } = payload;
			if (typeof jti !== 'string' || jti === '') throw wrongClaim('jti');
			if (exp * 1000 > now() + MAX_TOKEN_MS) throw wrongClaim('exp');
			return { rule, hash: hash('sha256', JSON.stringify([issuer, jti])), until: exp };
		},
	};
}

function issuerOf(read: () => JWTPayload): string {
	try {
		const { iss } = read();
		if (iss !== undefined && /^https?:\/\/[\x21-\x7e]{1,300}$/.test(iss)) return iss;
	} catch {}
	throw new CiRefused('What the job has sent is no token of a CI job.');
}

async function discoverKeys(issuer: string): Promise<JWTVerifyGetKey> {
	const { createRemoteJWKSet, customFetch } = await jose();
	const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
	const call = { method: 'GET' as const, timeoutMs: PATIENCE_MS, signal: new AbortController().signal };
	try {
		const found = Discovered.parse(JSON.parse(await callService({ url, ...call })));
		const keysUrl = new URL(found.jwks_uri);
		if (found.issuer !== issuer) throw new Error('it names another issuer');
		// An issuer on this machine may use http for its keys, too, and nothing else here.
		const isThere = keysUrl.origin === new URL(issuer).origin;
		if (keysUrl.protocol !== 'https:' && !isThere) throw new Error('its keys are not had by https');
		return createRemoteJWKSet(keysUrl, {
			timeoutDuration: PATIENCE_MS,
			cacheMaxAge: KEYS_MS,
			cooldownDuration: COOLDOWN_MS,
			[customFetch]: async (at: string) => new Response(await callForBytes({ url: at, ...call })),
		});
	} catch (error) {
		const why = error instanceof ServiceFailure ? error.message : 'what it answers is no description of an issuer';
		throw new CiRefused(`The issuer ${quoted(issuer)} cannot be asked for its keys: ${why}.`, {
			status: 503,
			cause: error,
		});
	}
}

const wrongClaim = (claim: string) => new CiRefused(`The token of the job does not fit: its claim ${quoted(claim)}.`);

async function refusalOf(error: unknown): Promise<CiRefused> {
	const { errors } = await jose();
	if (error instanceof errors.JWTExpired)
		return new CiRefused('The token of the job has expired: ask for one just before.');
	if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud')
		return new CiRefused('The token of the job is for another audience than this hub takes.');
	if (error instanceof errors.JWTClaimValidationFailed) return wrongClaim(error.claim);
	const isForged = [
		errors.JWSSignatureVerificationFailed,
		errors.JWKSNoMatchingKey,
		errors.JWKSMultipleMatchingKeys,
		errors.JOSEAlgNotAllowed,
		errors.JOSENotSupported,
		errors.JWSInvalid,
		errors.JWTInvalid,
	].some((kind) => error instanceof kind);
	if (isForged) return new CiRefused('The token of the job is not signed by its issuer as it stands.');
	return new CiRefused('The keys of the issuer cannot be had now. Try again.', { status: 503, cause: error });
}

const quoted = (text: string) => JSON.stringify(text).slice(0, 120);

export type CiMaker = 'github' | 'gitlab';

export const CI_MAKERS: Readonly<Record<CiMaker, { issuer: string; path: string; number: string }>> = {
	github: {
		issuer: 'https://token.actions.githubusercontent.com',
		path: 'repository',
		number: 'repository_id',
	},
	gitlab: { issuer: 'https://gitlab.com', path: 'project_path', number: 'project_id' },
};

/** A path may belong to another repository later; a number never does. */
function isJobOf(claims: Readonly<Record<string, unknown>>, maker: CiMaker, repository: string): boolean {
	const { path, number } = CI_MAKERS[maker];
	const named = claims[/^\d+$/.test(repository) ? number : path];
	return typeof named === 'string' && named.toLowerCase() === repository;
}

function repositoryOf(claims: Readonly<Record<string, unknown>>): string {
	const named = Object.values(CI_MAKERS).map(({ path }) => claims[path]);
	return named.find((one) => typeof one === 'string') ?? 'no repository';
}
