import * as z from 'zod';
import { HubDecider } from './hub-decision.ts';
import { RootSignature } from './root-signature.ts';

/** The hub's key says that a roster is still true for at most so long (ms). */
export const ROSTER_MS = 24 * 3_600_000;
/** All of them fit one command. */
export const MOST_ENTRIES = 100;

/** Where somebody may decide: with neither everywhere, else in a team, by its name, or in one project of it. */
const RosterTarget = z
	.strictObject({ team: z.string().min(1).max(200).optional(), project: z.string().min(1).max(300).optional() })
	.refine(({ team, project }) => project === undefined || team !== undefined, 'a project is one of a team');
export type RosterScope = z.infer<typeof RosterTarget>;

/** That a passkey is somebody's, and where that person may decide: what a root passkey signs. */
export const RosterEntry = z.strictObject({
	v: z.literal(1),
	person: HubDecider,
	/** `cose` is the public key, base64url. */
	passkey: z.strictObject({ id: z.string().min(1).max(1400), cose: z.string().min(1).max(2000) }),
	places: z.array(RosterTarget).min(1).max(50),
});
export type RosterEntry = z.infer<typeof RosterEntry>;

/** An entry with a root passkey's answer to its digest. */
export const SignedEntry = z.strictObject({ entry: RosterEntry, root: RootSignature });
export type SignedEntry = z.infer<typeof SignedEntry>;

/** Who may decide for the machines of a team: what a command of kind `roster` says. */
export const Roster = z.strictObject({
	v: z.literal(1),
	team: z.string().min(1).max(200),
	/** Rises with whatever changes in it, and never falls. */
	version: z.int().min(1).max(2_147_483_647),
	/** ms since 1970; after that it counts for nothing. */
	until: z.int().min(0),
	entries: z.array(SignedEntry).max(MOST_ENTRIES),
});
export type Roster = z.infer<typeof Roster>;
