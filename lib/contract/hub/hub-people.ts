import * as z from 'zod';
import { PasskeyAsk } from '../access/access.ts';
import { AccessId, Timestamp } from '../ids.ts';
import { TokenName } from './hub-name.ts';
import { type HubRole, hubRoleNames } from './hub-roles.ts';

const TeamNumber = z.int().min(1);
const ProjectName = z.string().min(1).max(300);

/** A role and where it holds: with neither everywhere, else in a team, or in one project of it. */
export const HubRoleLine = z.object({
	role: z.enum(hubRoleNames),
	team: TeamNumber.optional(),
	project: ProjectName.optional(),
}) satisfies z.ZodType<HubRole>;

/** Who somebody is at a hub. */
export const HubPerson = z.object({ person: z.int(), name: z.string(), roles: z.array(HubRoleLine) });

/** A person as admins see them: of their roles those where one is an admin. */
export const PersonLine = z.object({
	id: z.int(),
	name: z.string(),
	email: z.string().nullable(),
	/** Who says who it is: the address of a provider, or `hub` for whoever has the hub's own machine. */
	from: z.string(),
	/** What groups gave, the next sign-in may take again. */
	roles: z.array(HubRoleLine.extend({ source: z.enum(['oidc', 'admin']) })),
	disabled: z.boolean(),
	passkeys: z.int(),
	/** When a sign-in or token of theirs was used last. */
	seenAt: Timestamp.nullable(),
	mine: z.boolean(),
});
export type PersonLine = z.infer<typeof PersonLine>;

/** `GET /api/hub/people` */
export const HubPeople = z.object({
	/** By name, 2,000 at most. */
	people: z.array(PersonLine),
	/** Where one may give roles. */
	teams: z.array(z.object({ id: z.int(), name: z.string() })),
	/** One may also give roles that hold everywhere, and switch people off. */
	everywhere: z.boolean(),
	/** To such a one: teams whose roster has no room for so many signed passkeys, the newest. */
	full: z.array(z.object({ team: z.string(), leftOut: z.int() })),
});
export type HubPeople = z.infer<typeof HubPeople>;

export const PersonParam = z.object({ id: z.coerce.number<string>().int().min(1).max(2_147_483_647) });

/** `POST /api/hub/people/:id` */
export const PersonChange = z.strictObject({
	/** `disable` ends all that lets them in, at once and everywhere. */
	action: z.enum(['disable', 'enable']),
});

/** `POST /api/hub/people/:id/roles` */
export const RoleChange = z
	.strictObject({ action: z.enum(['give', 'take']), ...HubRoleLine.shape })
	.refine(({ team, project }) => project === undefined || team !== undefined, 'a project is one of a team')
	.refine(({ role, project }) => role !== 'admin' || project === undefined, 'an admin is one of a whole team')
	.refine(({ role, team }) => role !== 'auditor' || team === undefined, 'an auditor is one of everything');

/** `GET /api/hub/people/:id/roster`: which passkeys of somebody machines know that check them. */
export const PersonRoster = z.object({
	/** The hub has root passkeys: without any nobody is in the roster. */
	hasRoot: z.boolean(),
	mayDecide: z.boolean(),
	/** Oldest first. */
	passkeys: z.array(
		z.object({
			id: z.string(),
			label: z.string(),
			since: Timestamp,
			/** A root passkey has signed all that the person may decide now. */
			signed: z.boolean(),
			/** Teams whose roster has no room for it: their machines do not know it. */
			leftOutOf: z.array(z.string()),
			/** Where it has not: what a browser asks it for. */
			ask: PasskeyAsk.nullable(),
		}),
	),
});
export type PersonRoster = z.infer<typeof PersonRoster>;

/** `POST /api/hub/people/:id/roster`: a root passkey's answer, base64url of its JSON. */
export const RosterSignature = z.strictObject({
	passkey: z.string().min(1).max(1400),
	answer: z.string().max(20_000),
});

/** What lets somebody in to a hub: a browser's sign-in, or a token. */
export const SignInLine = z.object({
	id: AccessId,
	person: z.int(),
	/** Of the person. */
	who: z.string(),
	/** What it is called: the browser, or what a token was named. */
	name: z.string(),
	via: z.enum(['oidc', 'passkey', 'link', 'token']),
	since: Timestamp,
	until: Timestamp,
	seenAt: Timestamp,
	/** The one that asks. */
	mine: z.boolean(),
});
export type SignInLine = z.infer<typeof SignInLine>;

/** `GET /api/hub/sign-ins`: one's own, and for an admin of everything everybody's. The newest first. */
export const SignIns = z.object({ entries: z.array(SignInLine) });
export type SignIns = z.infer<typeof SignIns>;

export const SignInParam = z.object({ id: AccessId });

/** `POST /api/hub/tokens`: a token of one's own, with which a tool reads what one may read. */
export const TokenBody = z.strictObject({
	name: TokenName,
	days: z.int().min(1).max(366).default(90),
});

/** It is told this once. */
export const MadeToken = z.object({ token: z.string(), until: Timestamp });

/** `GET /login/oidc`: the page to go on to. */
export const OidcQuery = z.object({ to: z.string().max(2000).optional() });

/** `GET /api/hub/passkeys`: one's own. */
export const HubPasskeyList = z.object({
	passkeys: z.array(z.object({ id: z.string(), label: z.string(), since: Timestamp })),
});
export type HubPasskeyList = z.infer<typeof HubPasskeyList>;

export const PasskeyParam = z.object({ id: z.string().regex(/^[\w-]{1,1400}$/) });

/** What a passkey signs in by has no body: its answer is a header. */
export const Nothing = z.strictObject({});

/** `POST /login/passkey` */
export const SessionTokenAnswer = z.object({ sessionToken: z.string() });
