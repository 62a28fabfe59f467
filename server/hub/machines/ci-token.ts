import { hash } from 'node:crypto';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import * as z from 'zod';
import { isJobOf, repositoryOf } from '#lib/hub/ci-claims.ts';
import { callForBytes, callService, ServiceFailure } from '../../connect/outgoing/call-service.ts';
import { LruMap } from '../../process/lru-map.ts';
import type { CiRule, CiToken } from './ci-rules.ts';

/** Only a hub that a job joins needs it. */
const jose = () => import('jose');

/** Both makers sign so; neither a secret that is shared nor no signature at all ever counts. */
const ALGORITHMS = ['RS256', 'ES256'];
const LEEWAY_S = 60;
const PATIENCE_MS = 5000;
/** Keys are fetched again after so long, and for one that is not among them, at most so often. */
const KEYS_MS = 10 * 60_000;
const AGAIN_MS = 30_000;
const MOST_ISSUERS = 100;

/** Why a job may not come in; the words are for its log. 503: the issuer's keys cannot be had now. */
export class CiRefused extends Error {
	readonly status: 403 | 503;
	constructor(words: string, { status = 403, cause }: { status?: 403 | 503; cause?: unknown } = {}) {
		super(words, { cause });
		this.status = status;
	}
}

/** No job lasts longer, and what it was let in by is kept so long. */
const LONGEST_MS = 7 * 86_400_000;

const Discovered = z.object({ issuer: z.string(), jwks_uri: z.url() });

/** Checks the tokens of CI jobs against the rules of a hub. `now` is in ms. */
export function createCiTokens(rulesOf: (issuer: string) => Promise<CiRule[]>, now: () => number) {
	const known = new LruMap<string, Promise<JWTVerifyGetKey>>(MOST_ISSUERS);

	/** The keys of an issuer that a rule names: nobody else has the hub ask anywhere. */
	function keysOf(issuer: string): Promise<JWTVerifyGetKey> {
		const found = known.get(issuer);
		if (found) return found;
		const keys = discoverKeys(issuer);
		known.set(issuer, keys);
		keys.catch(() => known.delete(issuer));
		return keys;
	}

	return {
		/** Throws CiRefused. */
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
			if (typeof jti !== 'string' || jti === '') throw misfit('jti');
			if (exp * 1000 > now() + LONGEST_MS) throw misfit('exp');
			return { rule, hash: hash('sha256', JSON.stringify([issuer, jti])), until: exp };
		},
	};
}

/** Of a token that nobody has checked yet. */
function issuerOf(read: () => JWTPayload): string {
	try {
		const { iss } = read();
		if (iss !== undefined && /^https?:\/\/[\x21-\x7e]{1,300}$/.test(iss)) return iss;
	} catch {
		// As below.
	}
	throw new CiRefused('What the job has sent is no token of a CI job.');
}

async function discoverKeys(issuer: string): Promise<JWTVerifyGetKey> {
	const { createRemoteJWKSet, customFetch } = await jose();
	const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
	const call = { method: 'GET' as const, timeoutMs: PATIENCE_MS, signal: new AbortController().signal };
	try {
		const found = Discovered.parse(JSON.parse(await callService({ url, ...call })));
		const place = new URL(found.jwks_uri);
		if (found.issuer !== issuer) throw new Error('it names another issuer');
		// Where it is itself by http, on this machine, its keys may be, too; it leads to nothing else there.
		const isThere = place.origin === new URL(issuer).origin;
		if (place.protocol !== 'https:' && !isThere) throw new Error('its keys are not had by https');
		return createRemoteJWKSet(place, {
			timeoutDuration: PATIENCE_MS,
			cacheMaxAge: KEYS_MS,
			cooldownDuration: AGAIN_MS,
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

const misfit = (claim: string) => new CiRefused(`The token of the job does not fit: its claim ${quoted(claim)}.`);

/** What is wrong with a token, by the library's own word for it. */
async function refusalOf(error: unknown): Promise<CiRefused> {
	const { errors } = await jose();
	if (error instanceof errors.JWTExpired)
		return new CiRefused('The token of the job has expired: ask for one just before.');
	if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud')
		return new CiRefused('The token of the job is for another audience than this hub takes.');
	if (error instanceof errors.JWTClaimValidationFailed) return misfit(error.claim);
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

/** What somebody else chose, in one line of a log. */
const quoted = (text: string) => JSON.stringify(text).slice(0, 120);
