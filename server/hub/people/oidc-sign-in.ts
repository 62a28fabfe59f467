import type { Configuration } from 'openid-client';
import * as z from 'zod';
import { AppError } from '#lib/contract/errors.ts';
import type { HubRole } from '#lib/contract/hub/hub-roles.ts';
import type { OidcConfig } from './oidc-config.ts';
import type { PeopleStore } from './people-store.ts';
import type { Seal } from './sealed-challenges.ts';

/** Only who signs in by a provider needs it. */
const client = () => import('openid-client');

/** Somebody may take so long at the provider. */
export const OIDC_MS = 10 * 60_000;
/** What the provider says of itself is asked for again after so long. */
const KNOWN_MS = 24 * 3_600_000;
/** A provider that takes longer does not answer. */
const PATIENCE_S = 10;
const LEEWAY_S = 60;

/** What is kept with the browser between leaving for the provider and coming back. */
const Begun = z.object({
	state: z.string(),
	nonce: z.string(),
	verifier: z.string(),
	/** The page that was asked for. */
	to: z.string(),
	until: z.number(),
});

const Named = z.object({
	iss: z.string().min(1).max(300),
	sub: z.string().min(1).max(255),
	name: z.string().optional().catch(undefined),
	preferred_username: z.string().optional().catch(undefined),
	email: z.string().optional().catch(undefined),
});
const Groups = z.array(z.string()).or(z.string().transform((one) => [one]));

/** Signing in at the provider of a hub: code, PKCE, state and nonce. */
export interface OidcSignIn {
	/** As the page calls the provider. */
	name: string;
	/** Where the browser goes, and what it keeps meanwhile. Throws `oidc/away`. */
	begin(to: string): Promise<{ url: URL; kept: string }>;
	/**
	 * Who has come back, with the page that was asked for. Throws `oidc/refused` where the answer is not the one to what the
	 * browser keeps, `oidc/away`, `person/disabled`, and `person/no-role` for whom nobody has given a role.
	 */
	end(cameBy: URL, kept: string): Promise<{ person: number; to: string }>;
}

export function createOidcSignIn(options: {
	config: OidcConfig;
	people: PeopleStore;
	seal: Seal;
	/** Where browsers find the hub. */
	url: URL;
	now: () => number;
	/** Someone may something else than before. */
	changed: () => void;
	/** Called with the reason a sign-in came to nothing. */
	failed: (error: unknown) => void;
}): OidcSignIn {
	const { config, people, seal, url, now, changed, failed } = options;
	const callback = new URL('/login/oidc/callback', url).href;
	let known: { provider: Promise<Configuration>; until: number } | undefined;

	async function discover(): Promise<Configuration> {
		const { discovery, allowInsecureRequests, ClientSecretPost, None, clockTolerance } = await client();
		const isPlain = config.issuer.startsWith('http:');
		return discovery(
			new URL(config.issuer),
			config.clientId,
			{ [clockTolerance]: LEEWAY_S },
			config.secret === undefined ? None() : ClientSecretPost(config.secret),
			{ timeout: PATIENCE_S, ...(isPlain && { execute: [allowInsecureRequests] }) },
		);
	}

	/** Asked when somebody signs in, never at the start: a provider that is away keeps nobody else out. */
	async function provider(): Promise<Configuration> {
		if (!known || known.until < now()) known = { provider: discover(), until: now() + KNOWN_MS };
		try {
			return await known.provider;
		} catch (error) {
			known = undefined;
			failed(error);
			throw new AppError('oidc/away', undefined, { cause: error });
		}
	}

	/** What the provider vouches for; what the token does not hold may stand in its user information. */
	async function claimsOf(of: Configuration, cameBy: URL, begun: z.infer<typeof Begun>) {
		const { authorizationCodeGrant, fetchUserInfo } = await client();
		const tokens = await authorizationCodeGrant(of, cameBy, {
			pkceCodeVerifier: begun.verifier,
			expectedState: begun.state,
			expectedNonce: begun.nonce,
			idTokenExpected: true,
		});
		const claims: Record<string, unknown> = { ...tokens.claims() };
		const isAll = claims[config.groupsClaim] !== undefined && claims.name !== undefined;
		if (isAll || of.serverMetadata().userinfo_endpoint === undefined) return claims;
		const more = await fetchUserInfo(of, tokens.access_token, String(claims.sub));
		return { ...more, ...claims };
	}

	async function rolesOf(claims: Record<string, unknown>): Promise<HubRole[]> {
		const groups = new Set(Groups.safeParse(claims[config.groupsClaim]).data ?? []);
		const given = config.roles.filter(({ group }) => groups.has(group));
		return Promise.all(
			given.map(async ({ role, team, project }) => ({
				role,
				...(team !== undefined && { team: await people.teamOf(team) }),
				...(project !== undefined && { project }),
			})),
		);
	}

	return {
		name: config.name,
		async begin(to) {
			const of = await provider();
			const { randomState, randomNonce, randomPKCECodeVerifier, calculatePKCECodeChallenge, buildAuthorizationUrl } =
				await client();
			const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
			const asked = {
				...{ redirect_uri: callback, scope: config.scope, state, nonce },
				...{ code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
			};
			const begun: z.infer<typeof Begun> = { state, nonce, verifier, to, until: now() + OIDC_MS };
			return { url: buildAuthorizationUrl(of, asked), kept: seal.close(begun) };
		},
		async end(cameBy, kept) {
			const begun = Begun.safeParse(seal.open(kept)).data;
			if (!begun || begun.until < now()) throw new AppError('oidc/refused');
			const of = await provider();
			const claims = await claimsOf(of, cameBy, begun).catch((error: unknown) => {
				failed(error);
				throw new AppError(isAway(error) ? 'oidc/away' : 'oidc/refused', undefined, { cause: error });
			});
			const who = Named.safeParse(claims).data;
			if (!who) throw new AppError('oidc/refused');
			const email = plain(who.email, 320) || null;
			const name = plain(who.name, 200) || plain(who.preferred_username, 200) || email || who.sub;
			const { id, disabled } = await people.know({ iss: who.iss, sub: who.sub, name, email });
			if (disabled) throw new AppError('person/disabled');
			if (await people.setFromGroups(id, await rolesOf(claims))) changed();
			if (!(await people.hasRole(id))) throw new AppError('person/no-role');
			return { person: id, to: begun.to };
		},
	};
}

/** What somebody else calls themselves, in one line without what cannot be seen. */
const plain = (text: string | undefined, most: number) => (text ?? '').replaceAll(/\p{C}/gu, '').trim().slice(0, most);

/** The provider was not reached or failed itself; everything else is an answer that does not fit. */
function isAway(error: unknown): boolean {
	const { name, code, cause, status } = error as { name?: string; code?: string; cause?: unknown; status?: number };
	if (name === 'TimeoutError' || code === 'OAUTH_TIMEOUT' || (name === 'TypeError' && cause !== undefined)) return true;
	return status !== undefined && status >= 500;
}
