import * as z from 'zod';
import { ApprovalId, Timestamp } from '../ids.ts';

/** One denial that an approval would override: exactly this gate's exactly this rule. */
export const Denial = z.object({ gate: z.string(), rule: z.string(), reason: z.string() });
export type Denial = z.infer<typeof Denial>;

/** Who decided, by what kind of proof. Never the agent (DESIGN 6). */
export const Decider = z.object({
	role: z.literal('operator'),
	via: z.enum(['browser', 'token']),
	name: z.string().optional(),
});
export type Decider = z.infer<typeof Decider>;

export const Decision = z.enum(['approve', 'deny', 'answer']);
export type Decision = z.infer<typeof Decision>;

const grantId = z.string();

/** approval:* and grant:*; each is a journal row first, then a timeline line with the row's id. */
export const approvalEvents = {
	'approval:request': {
		approvalId: ApprovalId,
		tool: z.string(),
		input: z.unknown(),
		/** SHA-256 of the canonical (tool, input): what the decision is bound to (I1). */
		inputDigest: z.string(),
		denials: z.array(Denial),
		facts: z.record(z.string(), z.unknown()).optional(),
		deadline: Timestamp,
	},
	'approval:resolve': {
		approvalId: ApprovalId,
		decision: Decision,
		by: Decider,
		reason: z.string().optional(),
		updatedInput: z.record(z.string(), z.unknown()).optional(),
		/** A gate denied again at release: the denial stands although a person approved. */
		standing: Denial.optional(),
	},
	'approval:expire': { approvalId: ApprovalId },
	'approval:abandon': { approvalId: ApprovalId, reason: z.string() },
	'grant:create': { grantId, scope: z.string(), fingerprint: z.string(), reason: z.string(), expires: Timestamp },
	'grant:use': { grantId },
	'grant:revoke': { grantId, reason: z.string().optional() },
	'grant:expire': { grantId },
} as const;
