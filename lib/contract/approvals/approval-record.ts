import * as z from 'zod';
import { Decider, Decision, Denial, OverriddenDenial } from '../events/catalogue/approval.ts';
import { ApprovalId, SessionName, Timestamp } from '../ids.ts';
import { EdgeLevel } from './edge-level.ts';
import { Remembered } from './grants.ts';

/** `POST /api/approvals/:id`. A deny may carry a reason that the agent reads. */
export const DecisionBody = z.strictObject({
	decision: Decision,
	reason: z.string().trim().max(2000).optional(),
	/** With `approve` the call runs with this input, with `answer` it holds the answers. */
	updatedInput: z.record(z.string(), z.unknown()).optional(),
	/** With that input: what the gates deny of it beside what the card lists, as `approval/edit-denied` told the person. */
	overrides: z.array(OverriddenDenial).max(20).optional(),
	/** With `deny`: the agent's turn ends, whatever the form of the denial. */
	stop: z.literal(true).optional(),
	/** Of the client's own permission prompt: which of its suggestions are to be applied, by their place. */
	suggestions: z.array(z.int().min(0)).max(20).optional(),
	/** With `approve` of the call as it is, and a reason: what cannot be remembered is not approved either. */
	remember: Remembered.optional(),
});
export type DecisionBody = z.infer<typeof DecisionBody>;

/** `GET /api/approvals?state=...`; `late`: approved, but the agent had been denied before it could hear of that. */
export const ApprovalState = z.enum(['waiting', 'approved', 'denied', 'answered', 'expired', 'abandoned', 'late']);
export type ApprovalState = z.infer<typeof ApprovalState>;

/** One element of `GET /api/approvals`: a denied call that a person may decide, or has decided. */
export const ApprovalRecord = z.object({
	id: ApprovalId,
	state: ApprovalState,
	sessionId: SessionName,
	agentId: z.string().optional(),
	toolUseId: z.string().optional(),
	tool: z.string(),
	/** One line for a person: the command, the file, the agent's task. */
	title: z.string(),
	/** The sub-agent that the call asks for, as the gate read it. */
	asked: z.string().optional(),
	/** It is about a supervisor's review. */
	review: z.object({ event: z.string(), iteration: z.number(), max: z.number(), isOver: z.boolean() }).optional(),
	input: z.unknown(),
	/** Exactly these are overridden by an approval. */
	denials: z.array(Denial),
	/** It is the client's own permission prompt: what the client suggests to allow for good. */
	suggestions: z.array(z.unknown()).optional(),
	requestedAt: Timestamp,
	deadline: Timestamp,
	decidedAt: Timestamp.optional(),
	by: Decider.optional(),
	reason: z.string().optional(),
	/** The denial ended the agent's turn. */
	stopped: z.literal(true).optional(),
	/** What the client suggested to allow beside this call, and the person did. */
	lasting: z.string().optional(),
	answer: z.string().optional(),
	/** At a hub: where it waits, and what may be decided about it from there. */
	machine: z.object({ name: z.string(), team: z.string(), level: EdgeLevel }).optional(),
	/** What went otherwise than decided with the call. */
	alarm: z.enum(['denied-but-ran', 'other-input-ran', 'ran-unjudged', 'allowed-never-ran']).optional(),
});
export type ApprovalRecord = z.infer<typeof ApprovalRecord>;

export const ApprovalsQuery = z.object({
	state: ApprovalState.optional(),
	/** Only those that asked the same question as this one: by the fingerprints of their denials. */
	similarTo: ApprovalId.optional(),
	limit: z.coerce.number<number>().int().min(1).max(500).default(100),
});

export const ApprovalParam = z.object({ id: ApprovalId });
