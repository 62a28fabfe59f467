import * as z from 'zod';
import { AccessId, AlarmKey, ApprovalId, GrantId, Timestamp } from '../../ids.ts';

/** One denial that an approval would override: exactly this gate's exactly this rule. */
export const Denial = z.object({
	gate: z.string(),
	rule: z.string(),
	reason: z.string(),
	/** By which a later call is known as the same question, and what that means in words; absent: it cannot be. */
	fingerprint: z.string().optional(),
	words: z.string().optional(),
	/** No grant can override it: its gate cannot know a later try. */
	noGrant: z.literal(true).optional(),
});
export type Denial = z.infer<typeof Denial>;

/** A denial that a person was shown, and has overridden beside those of the question. */
export const OverriddenDenial = Denial.pick({ gate: true, rule: true, reason: true, fingerprint: true });

/** Who decided, by what kind of proof. Never the agent (DESIGN 6). */
export const Decider = z.object({
	role: z.literal('operator'),
	via: z.enum(['browser', 'token', 'hub']),
	/** Which sign-in or token of the access list; older rows lack it. */
	access: AccessId.optional(),
	/** What the access list calls it, or the passkey that proved the decision. */
	name: z.string().optional(),
	/** Of a person at the hub of this machine: who that is there, how far the hub was believed, and by which command. */
	hub: z
		.object({
			origin: z.string(),
			iss: z.string(),
			sub: z.string(),
			level: z.enum(['hub', 'passkey']),
			command: z.int(),
			/** Of the passkey that signed it, as much as tells it from others. */
			passkey: AccessId.optional(),
		})
		.optional(),
});
export type Decider = z.infer<typeof Decider>;

export const Decision = z.enum(['approve', 'deny', 'answer']);
export type Decision = z.infer<typeof Decision>;

/** How far a grant reaches: the next try of its session, its session, or every session of its project. */
export const GrantScope = z.enum(['once', 'session', 'project']);
export type GrantScope = z.infer<typeof GrantScope>;

/** One denial that a grant overrides: of this gate by this rule, for calls with this fingerprint. */
export const GrantCover = z.object({ gate: z.string(), rule: z.string(), fingerprint: z.string(), words: z.string() });
export type GrantCover = z.infer<typeof GrantCover>;

const grantId = GrantId;

/** approval:*, grant:* and alarm:*; each is a journal row first, then a timeline line with the row's id. */
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
		/** It is the client's own permission prompt: what the client suggests to allow for good. */
		suggestions: z.array(z.unknown()).optional(),
	},
	'approval:resolve': {
		approvalId: ApprovalId,
		decision: Decision,
		by: Decider,
		reason: z.string().optional(),
		updatedInput: z.record(z.string(), z.unknown()).optional(),
		/** Of the changed input: denials that the question did not list, which the person saw and overrode. */
		overrides: z.array(OverriddenDenial).optional(),
		/** Of the input that was approved, where the person changed it. */
		inputDigest: z.string().optional(),
		/** The denial ended the agent's turn. */
		stop: z.literal(true).optional(),
		/** The client's suggestions that were applied. */
		suggestions: z.array(z.unknown()).optional(),
		/** A gate denied again at release: the denial stands although a person approved. */
		standing: Denial.optional(),
	},
	'approval:expire': { approvalId: ApprovalId },
	'approval:abandon': { approvalId: ApprovalId, reason: z.string() },
	/** The approval reached no agent: its hook had already given the denial, since the server died in between. */
	'approval:late': { approvalId: ApprovalId },
	'grant:create': {
		grantId,
		scope: GrantScope,
		/** A call that is denied by anything else is not let run. */
		covers: z.array(GrantCover).min(1),
		reason: z.string(),
		expires: Timestamp,
		by: Decider,
		/** Of the denied call that it was made for. */
		tool: z.string(),
		title: z.string(),
		approvalId: ApprovalId.optional(),
	},
	/** A denied call ran by it; who made the grant and why, so that the call's line is proof by itself. */
	'grant:use': {
		grantId,
		scope: GrantScope,
		reason: z.string(),
		by: Decider,
		tool: z.string(),
		/** SHA-256 of the canonical (tool, input) that was let run. */
		inputDigest: z.string(),
		/** When the grant was made; older lines lack it. */
		madeAt: Timestamp.optional(),
	},
	'grant:revoke': { grantId, by: Decider, reason: z.string().optional() },
	/** With a reason: before its time, since what it came from does not stand any more. */
	'grant:expire': { grantId, reason: z.string().optional() },
	/** A person has seen an alarm, known by its key: it is not told any more. */
	'alarm:acknowledge': { alarm: AlarmKey, by: Decider },
	/** A person wants to be told of it again later. */
	'alarm:snooze': { alarm: AlarmKey, until: Timestamp, by: Decider },
	/** What a reviewer noted about a row of the story, a stage, or a stretch of time. */
	'note:add': {
		row: z.string().optional(),
		rowAt: Timestamp.optional(),
		stage: z.string().optional(),
		from: Timestamp.optional(),
		to: Timestamp.optional(),
		text: z.string(),
		labels: z.array(z.string()),
		by: Decider,
	},
} as const;
