import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from 'openid-client';
import * as z from 'zod';
import { AppError } from '#lib/contract/errors.ts';
import { type HubRole, hubRoleNames } from '#lib/contract/hub/hub-roles.ts';
import { parsedJson } from '#lib/json/json.ts';
import type { HubCore } from '../core/hub-core.ts';
import { createSeal } from './hub-passkeys.ts';
import type { PeopleStore } from './people-store.ts';

const FILE = 'oidc.json';
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

const GroupRole = z
	.strictObject({
		group: z.string().min(1),
		role: z.enum(hubRoleNames),
		team: z.string().trim().min(1).max(80).optional(),
		project: z.string().min(1).max(300).optional(),
	})
	.refine(({ team, project }) => project === undefined || team !== undefined, 'a project is one of a team')
	.refine(({ role, project }) => role !== 'admin' || project === undefined, 'an admin is one of a whole team')
	.refine(({ role, team }) => role !== 'auditor' || team === undefined, 'an auditor is one of everything');

const OidcFile = z.strictObject({
	name: z.string().trim().min(1).max(60),
	issuer: z
		.url()
		.refine(
			(url) => url.startsWith('https:') || LOOPBACK.test(new URL(url).hostname),
			'must be https, but on loopback',
		),
	clientId: z.string().min(1),
	secretFile: z.string().optional(),
	scope: z.string().default('openid profile email'),
	groupsClaim: z.string().default('groups'),
	roles: z.array(GroupRole).default([]),
});

export type OidcConfig = Omit<z.infer<typeof OidcFile>, 'secretFile'> & {
	secret?: string;
};

/** Undefined if no provider is configured. Throws with the path for an unusable file. */
export function readOidcConfig(
	home: string,
	env: Readonly<Record<string, string | undefined>>,
): OidcConfig | undefined {
	const path = env.SIGNALBOX_OIDC || join(home, FILE);
	let text: string;
	try {
		text = readFileSync(path, 'utf8');
	} catch (error) {
		const isNone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
		if (isNone && !env.SIGNALBOX_OIDC) return;
		throw new Error(`${path} cannot be read: ${String(error)}`);
	}
	const read = OidcFile.safeParse(parsedJson(text));
	if (!read.success) throw new Error(`${path} does not fit: ${z.prettifyError(read.error)}`);
	const { secretFile, ...config } = read.data;
	const secret = env.SIGNALBOX_OIDC_SECRET || (secretFile && readFileSync(secretFile, 'utf8').trim());
	return { ...config, ...(secret && { secret }) };
}

const client = () => import('openid-client');

export const OIDC_MS = 10 * 60_000;
const KNOWN_MS = 24 * 3_600_000;
const PATIENCE_S = 10;
const LEEWAY_S = 60;

/** Stored in the browser between leaving for the provider and coming back. */
const Begun = z.object({
	state: z.string(),
	nonce: z.string(),
	verifier: z.string(),
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

export type OidcSignIn = ReturnType<typeof createOidcSignIn>;

/** Sign-in by a provider: redirects there, checks what comes back, and gives the groups' roles. */
export function createOidcSignIn(
	{ identity, hints, now }: HubCore,
	options: { config: OidcConfig; people: PeopleStore; url: URL; failed: (error: unknown) => void },
) {
	const { config, people, url, failed } = options;
	const seal = createSeal(identity.privateKey, 'oidc');
	const callback = new URL('/login/oidc/callback', url).href;
	let known: { provider: Promise<Configuration>; until: number } | undefined;

	async function discover(): Promise<Configuration> {
		const { discovery, allowInsecureRequests, enableNonRepudiationChecks, ClientSecretPost, None, clockTolerance } =
			await client();
		const isPlain = config.issuer.startsWith('http:');
		return discovery(
			new URL(config.issuer),
			config.clientId,
			{ [clockTolerance]: LEEWAY_S },
			config.secret === undefined ? None() : ClientSecretPost(config.secret),
			// The token's signature is checked, though the token comes straight from the provider.
			{ timeout: PATIENCE_S, execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])] },
		);
	}

	/** On first sign-in, not at start: people with other sign-ins must get in while the provider is down. */
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

	/** Claims that the ID token lacks may be in the user information. */
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
		async begin(to: string): Promise<{ url: URL; kept: string }> {
			const of = await provider();
			const { randomState, randomNonce, randomPKCECodeVerifier, calculatePKCECodeChallenge, buildAuthorizationUrl } =
				await client();
			const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
			const request = {
				redirect_uri: callback,
				scope: config.scope,
				state,
				nonce,
				code_challenge: await calculatePKCECodeChallenge(verifier),
				code_challenge_method: 'S256',
			};
			const begun: z.infer<typeof Begun> = { state, nonce, verifier, to, until: now() + OIDC_MS };
			return { url: buildAuthorizationUrl(of, request), kept: seal.close(begun) };
		},
		async end(cameBy: URL, kept: string): Promise<{ person: number; to: string }> {
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
			if (await people.setFromGroups(id, await rolesOf(claims))) hints.send('people');
			if (!(await people.hasRole(id))) throw new AppError('person/no-role');
			return { person: id, to: begun.to };
		},
	};
}

const plain = (text: string | undefined, most: number) => (text ?? '').replaceAll(/\p{C}/gu, '').trim().slice(0, most);

/** Not reached, or failed itself; anything else is a wrong answer. */
function isAway(error: unknown): boolean {
	const { name, code, cause, status } = error as { name?: string; code?: string; cause?: unknown; status?: number };
	if (name === 'TimeoutError' || code === 'OAUTH_TIMEOUT' || (name === 'TypeError' && cause !== undefined)) return true;
	return status !== undefined && status >= 500;
}
