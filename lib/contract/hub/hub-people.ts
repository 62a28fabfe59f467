import * as z from 'zod';
import { PasskeyAsk } from '../access/access.ts';
import { AccessId, Timestamp, TokenName } from '../ids.ts';
import { type HubRole, hubRoleNames } from './hub-roles.ts';

const TeamNumber = z.int().min(1);
const ProjectName = z.string().min(1).max(300);

export const HubRoleLine = z.object({
	role: z.enum(hubRoleNames),
	team: TeamNumber.optional(),
	project: ProjectName.optional(),
}) satisfies z.ZodType<HubRole>;

export const HubPerson = z.object({ person: z.int(), name: z.string(), roles: z.array(HubRoleLine) });

export const PersonLine = z.object({
	id: z.int(),
	name: z.string(),
	email: z.string().nullable(),
	from: z.string(),
	roles: z.array(HubRoleLine.extend({ source: z.enum(['oidc', 'admin']) })),
	disabled: z.boolean(),
	passkeys: z.int(),
	seenAt: Timestamp.nullable(),
	mine: z.boolean(),
});
export type PersonLine = z.infer<typeof PersonLine>;

export const HubPeople = z.object({
	people: z.array(PersonLine),
	teams: z.array(z.object({ id: z.int(), name: z.string() })),
	everywhere: z.boolean(),
	full: z.array(z.object({ team: z.string(), leftOut: z.int() })),
});
export type HubPeople = z.infer<typeof HubPeople>;

export const PersonParam = z.object({ id: z.coerce.number<string>().int().min(1).max(2_147_483_647) });

export const PersonChange = z.strictObject({
	/** `disable` ends all sign-ins and tokens of the person at once. */
	action: z.enum(['disable', 'enable']),
});

export const RoleChange = z
	.strictObject({ action: z.enum(['give', 'take']), ...HubRoleLine.shape })
	.refine(({ team, project }) => project === undefined || team !== undefined, 'a project is one of a team')
	.refine(({ role, project }) => role !== 'admin' || project === undefined, 'an admin is one of a whole team')
	.refine(({ role, team }) => role !== 'auditor' || team === undefined, 'an auditor is one of everything');

export const PersonRoster = z.object({
	hasRoot: z.boolean(),
	mayDecide: z.boolean(),
	passkeys: z.array(
		z.object({
			id: z.string(),
			label: z.string(),
			since: Timestamp,
			signed: z.boolean(),
			leftOutOf: z.array(z.string()),
			ask: PasskeyAsk.nullable(),
		}),
	),
});
export type PersonRoster = z.infer<typeof PersonRoster>;

export const RosterSignature = z.strictObject({
	passkey: z.string().min(1).max(1400),
	answer: z.string().max(20_000),
});

export const SignInLine = z.object({
	id: AccessId,
	person: z.int(),
	who: z.string(),
	name: z.string(),
	via: z.enum(['oidc', 'passkey', 'link', 'token']),
	since: Timestamp,
	until: Timestamp,
	seenAt: Timestamp,
	mine: z.boolean(),
});
export type SignInLine = z.infer<typeof SignInLine>;

export const SignIns = z.object({ entries: z.array(SignInLine) });
export type SignIns = z.infer<typeof SignIns>;

export const TokenBody = z.strictObject({
	name: TokenName,
	days: z.int().min(1).max(366).default(90),
});

export const MadeToken = z.object({ token: z.string(), until: Timestamp });

export const OidcQuery = z.object({ to: z.string().max(2000).optional() });

export const HubPasskeyList = z.object({
	passkeys: z.array(z.object({ id: z.string(), label: z.string(), since: Timestamp })),
});
export type HubPasskeyList = z.infer<typeof HubPasskeyList>;

export const PasskeyParam = z.object({ id: z.string().regex(/^[\w-]{1,1400}$/) });

/** The answer of a passkey is a header, so the body is empty. */
export const Nothing = z.strictObject({});

export const SessionTokenAnswer = z.object({ sessionToken: z.string() });
