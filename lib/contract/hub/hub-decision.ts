import * as z from 'zod';
import { DecisionBody } from '../approvals/approval-record.ts';
import { Decision } from '../events/catalogue/approval.ts';
import { ApprovalId } from '../ids.ts';
import { RootSignature } from './root-signature.ts';

/** Shown to people at the machine: nothing in it moves a terminal's cursor or turns its text around. */
const Name = z.string().regex(/^[^\p{C}]{1,300}$/u);

/** Who decided at a hub: as an issuer says, never by an address. */
export const HubDecider = z.strictObject({ iss: Name, sub: Name, name: Name });
export type HubDecider = z.infer<typeof HubDecider>;

/** What a hub asks of an edge when somebody has decided: the whole of it is signed by the hub. */
export const DecisionCommand = z.strictObject({
	v: z.literal(1),
	edge: z.int().min(1),
	ticket: ApprovalId,
	/** As the edge told them of its ticket: what was decided about, once. */
	digest: z.string().regex(/^[0-9a-f]{64}$/),
	nonce: z.string().min(22).max(64),
	said: DecisionBody,
	person: HubDecider,
	/** ms since 1970; not done later than this. */
	expires: z.int().min(0),
	/** Of the person's passkey, over all of the above: what a machine at level 'passkey' goes by. */
	assertion: RootSignature.optional(),
	/** The row of the hub's own journal. */
	journal: z.strictObject({ team: z.int(), n: z.int().min(1), hash: z.string().regex(/^[0-9a-f]{64}$/) }),
});
export type DecisionCommand = z.infer<typeof DecisionCommand>;

/** What somebody has decided at a hub of a waiting call, while its machine has not answered. */
export const DecisionUnderWay = z.object({
	approval: ApprovalId,
	decision: Decision,
	/** Who it was. */
	name: z.string(),
	machine: z.string(),
});
export type DecisionUnderWay = z.infer<typeof DecisionUnderWay>;
