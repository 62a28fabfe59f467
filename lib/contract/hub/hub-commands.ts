import * as z from 'zod';
import { DecisionBody } from '../approvals/approval-record.ts';
import { GrantBody } from '../approvals/grants.ts';
import { Decision } from '../events/catalogue/approval.ts';
import { ApprovalId, GrantId } from '../ids.ts';

export const commandRefusals = [
	'command/unknown',
	'command/signature',
	'command/failed',
	'decision/form',
	'decision/other-edge',
	'decision/watch-only',
	'decision/expired',
	'decision/other-call',
	'decision/passkey',
	'decision/assertion',
	'grant/form',
	'roster/none',
	'roster/person',
	'roster/place',
	'roster/no-root',
	'roster/form',
	'roster/other-team',
	'roster/expired',
	'roster/too-long',
	'roster/older',
	'roster/other-content',
	'roster/unsigned',
	'policy/left',
] as const;
export type CommandRefusal = (typeof commandRefusals)[number];

export const RootSignature = z.looseObject({
	id: z.string().max(1400),
	response: z.looseObject({ clientDataJSON: z.string(), authenticatorData: z.string(), signature: z.string() }),
});
export type RootSignature = z.infer<typeof RootSignature>;

/** Shown at the machine: no character may move a terminal's cursor or turn its text around. */
const Name = z.string().regex(/^[^\p{C}]{1,300}$/u);

export const HubDecider = z.strictObject({ iss: Name, sub: Name, name: Name });
export type HubDecider = z.infer<typeof HubDecider>;

/** The row of the hub's journal that a command follows from. */
const HubRow = z.strictObject({ team: z.int(), n: z.int().min(1), hash: z.string().regex(/^[0-9a-f]{64}$/) });

/** Body of a command of kind `decision`; signed by the hub. */
export const DecisionCommand = z.strictObject({
	v: z.literal(1),
	edge: z.int().min(1),
	ticket: ApprovalId,
	digest: z.string().regex(/^[0-9a-f]{64}$/),
	nonce: z.string().min(22).max(64),
	said: DecisionBody,
	person: HubDecider,
	expires: z.int().min(0),
	/** What a machine at level `passkey` checks; it covers everything above. */
	assertion: RootSignature.optional(),
	journal: HubRow,
});
export type DecisionCommand = z.infer<typeof DecisionCommand>;

export const DecisionUnderWay = z.object({
	approval: ApprovalId,
	decision: Decision,
	name: z.string(),
	machine: z.string(),
});
export type DecisionUnderWay = z.infer<typeof DecisionUnderWay>;

const GrantRevocation = z.strictObject({
	v: z.literal(1),
	edge: z.int().min(1),
	action: z.literal('revoke'),
	grant: GrantId,
	reason: z.string().max(2000).optional(),
	person: HubDecider,
});

/** A grant for later calls like one that was denied; `said` names that call as its machine does. */
const GrantCreation = z.strictObject({
	v: z.literal(1),
	edge: z.int().min(1),
	action: z.literal('create'),
	said: GrantBody,
	person: HubDecider,
	expires: z.int().min(0),
	assertion: RootSignature.optional(),
	journal: HubRow,
});
export type GrantCreation = z.infer<typeof GrantCreation>;

/** Body of a command of kind `grant`. A machine from before creations refuses them with `grant/form`. */
export const GrantCommand = z.discriminatedUnion('action', [GrantRevocation, GrantCreation]);
export type GrantCommand = z.infer<typeof GrantCommand>;

/** How long a decision or grant from a hub may be valid before it reaches the machine (ms). */
export const MAX_VALID_MS = 3 * 60_000;

/** The hub's key vouches for a roster this long (ms). */
export const ROSTER_MS = 24 * 3_600_000;
export const MAX_ENTRIES = 100;

/** Without a team: everywhere. */
const RosterTarget = z
	.strictObject({ team: z.string().min(1).max(200).optional(), project: z.string().min(1).max(300).optional() })
	.refine(({ team, project }) => project === undefined || team !== undefined, 'a project is one of a team');
export type RosterScope = z.infer<typeof RosterTarget>;

/** What a root passkey signs: whose passkey it is, and where that person may decide. */
export const RosterEntry = z.strictObject({
	v: z.literal(1),
	person: HubDecider,
	passkey: z.strictObject({ id: z.string().min(1).max(1400), cose: z.string().min(1).max(2000) }),
	places: z.array(RosterTarget).min(1).max(50),
});
export type RosterEntry = z.infer<typeof RosterEntry>;

export const SignedEntry = z.strictObject({ entry: RosterEntry, root: RootSignature });
export type SignedEntry = z.infer<typeof SignedEntry>;

/** Body of a command of kind `roster`: who may decide for the machines of a team. */
export const Roster = z.strictObject({
	v: z.literal(1),
	team: z.string().min(1).max(200),
	version: z.int().min(1).max(2_147_483_647),
	until: z.int().min(0),
	entries: z.array(SignedEntry).max(MAX_ENTRIES),
});
export type Roster = z.infer<typeof Roster>;
