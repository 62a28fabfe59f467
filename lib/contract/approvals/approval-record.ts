import * as z from 'zod';
import { Decider, Decision, Denial, OverriddenDenial } from '../events/catalogue/approval.ts';
import { AlarmKey, ApprovalId, EventId, SessionId, SessionName, Timestamp } from '../ids.ts';
import { Remembered } from './grants.ts';

/** What a machine's owner lets people decide from its hub: nothing, what the hub says, or what a roster's passkey has signed. */
export const EdgeLevel = z.enum(['watch', 'hub', 'passkey']);
export type EdgeLevel = z.infer<typeof EdgeLevel>;

export const DecisionBody = z.strictObject({
	decision: Decision,
	reason: z.string().trim().max(2000).optional(),
	/** With `approve` the call's new input, with `answer` the answers. */
	updatedInput: z.record(z.string(), z.unknown()).optional(),
	/** Denials of that input beside those on the card, as `approval/edit-denied` listed them. */
	overrides: z.array(OverriddenDenial).max(20).optional(),
	stop: z.literal(true).optional(),
	suggestions: z.array(z.int().min(0)).max(20).optional(),
	/** With `approve` of the unchanged call, and a reason; if it cannot be remembered, it is not approved either. */
	remember: Remembered.optional(),
});
export type DecisionBody = z.infer<typeof DecisionBody>;

/** `late`: approved after the agent had been denied. */
export const ApprovalState = z.enum(['waiting', 'approved', 'denied', 'answered', 'expired', 'abandoned', 'late']);
export type ApprovalState = z.infer<typeof ApprovalState>;

export const ApprovalRecord = z.object({
	id: ApprovalId,
	state: ApprovalState,
	sessionId: SessionName,
	agentId: z.string().optional(),
	toolUseId: z.string().optional(),
	tool: z.string(),
	/** One line for a person: the command, the file, the agent's task. */
	title: z.string(),
	asked: z.string().optional(),
	review: z.object({ event: z.string(), iteration: z.number(), max: z.number(), isOver: z.boolean() }).optional(),
	input: z.unknown(),
	denials: z.array(Denial),
	/** Of the client's own permission prompt: what it suggests to allow for good. */
	suggestions: z.array(z.unknown()).optional(),
	requestedAt: Timestamp,
	deadline: Timestamp,
	decidedAt: Timestamp.optional(),
	by: Decider.optional(),
	reason: z.string().optional(),
	stopped: z.literal(true).optional(),
	lasting: z.string().optional(),
	answer: z.string().optional(),
	machine: z.object({ name: z.string(), team: z.string(), level: EdgeLevel }).optional(),
	alarm: z.enum(['denied-but-ran', 'other-input-ran', 'ran-unjudged', 'allowed-never-ran']).optional(),
});
export type ApprovalRecord = z.infer<typeof ApprovalRecord>;

export const ApprovalsQuery = z.object({
	state: ApprovalState.optional(),
	/** Only those with the same question, by the fingerprints of their denials. */
	similarTo: ApprovalId.optional(),
	limit: z.coerce.number<number>().int().min(1).max(500).default(100),
});

export const ApprovalParam = z.object({ id: ApprovalId });

/** A call that was denied without asking anybody, and has not been allowed since. */
export const UnaskedDenial = z.object({
	sessionId: SessionId,
	/** Of the newest such call; one without an id is named by its verdict. */
	toolUseId: z.string().optional(),
	eventId: EventId.optional(),
	actor: z.string().optional(),
	tool: z.string(),
	title: z.string(),
	asked: z.string().optional(),
	denials: z.array(Denial).min(1),
	/** After `stop` the agent does not try again by itself. */
	form: z.enum(['stop', 'deny']).optional(),
	at: Timestamp,
	count: z.int().min(1),
	ended: z.boolean(),
});
export type UnaskedDenial = z.infer<typeof UnaskedDenial>;

export const DenialsQuery = z.object({ limit: z.coerce.number<number>().int().min(1).max(200).default(50) });

export interface HistoryRow {
	kind: string;
	ts: string;
	sessionId?: string;
	payload: Record<string, unknown>;
}

export const AlarmBody = z.strictObject({
	alarm: AlarmKey,
	action: z.enum(['acknowledge', 'snooze']),
	minutes: z
		.int()
		.min(1)
		.max(7 * 24 * 60)
		.default(60),
});
export type AlarmBody = z.infer<typeof AlarmBody>;

export const HandledAlarm = z.object({ key: AlarmKey, at: Timestamp, until: Timestamp.optional() });
