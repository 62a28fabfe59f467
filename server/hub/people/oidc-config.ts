import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { hubRoleNames } from '#lib/contract/hub/hub-roles.ts';

const FILE = 'oidc.json';
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** What a group gives; without a team everywhere. */
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
export type GroupRole = z.infer<typeof GroupRole>;

const OidcFile = z.strictObject({
	/** How the page of signing in calls the provider. */
	name: z.string().trim().min(1).max(60),
	issuer: z
		.url()
		.refine(
			(url) => url.startsWith('https:') || LOOPBACK.test(new URL(url).hostname),
			'must be https, but on loopback',
		),
	clientId: z.string().min(1),
	/** The file that holds the client's secret alone. */
	secretFile: z.string().optional(),
	scope: z.string().default('openid profile email'),
	/** Which claim holds the groups. */
	groupsClaim: z.string().default('groups'),
	roles: z.array(GroupRole).default([]),
});

/** The provider that people of a hub sign in at, and what its groups give them. */
export type OidcConfig = Omit<z.infer<typeof OidcFile>, 'secretFile'> & {
	/** Absent for a client that has none and is known by PKCE alone. */
	secret?: string;
};

/**
 * Reads `oidc.json` of the hub's home, or the file that SIGNALBOX_OIDC names; the client's secret is SIGNALBOX_OIDC_SECRET, or
 * what `secretFile` holds. Undefined where there is no such file. Throws where one does not fit, and says where.
 */
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
	const read = OidcFile.safeParse(parse(text));
	if (!read.success) throw new Error(`${path} does not fit: ${z.prettifyError(read.error)}`);
	const { secretFile, ...config } = read.data;
	const secret = env.SIGNALBOX_OIDC_SECRET || (secretFile && readFileSync(secretFile, 'utf8').trim());
	return { ...config, ...(secret && { secret }) };
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
