import * as z from 'zod';
import { AccessId, AlarmKey, ApprovalId, GrantId, Timestamp } from '../../ids.ts';

/** An approval overrides exactly this gate's rule. */
export const Denial = z.object({
	gate: z.string(),
	rule: z.string(),
	reason: z.string(),
	/** Names later calls with the same question, with its meaning in words; absent if the gate cannot. */
	fingerprint: z.string().optional(),
	words: z.string().optional(),
	/** The gate cannot recognise a later try, so no grant can cover it. */
	noGrant: z.literal(true).optional(),
});
export type Denial = z.infer<typeof Denial>;

export const OverriddenDenial = Denial.pick({ gate: true, rule: true, reason: true, fingerprint: true });

export const Decider = z.object({
	role: z.literal('operator'),
	via: z.enum(['browser', 'token', 'hub']),
	/** An entry of the access list; older rows lack it. */
	access: AccessId.optional(),
	name: z.string().optional(),
	hub: z
		.object({
			origin: z.string(),
			iss: z.string(),
			sub: z.string(),
			level: z.enum(['hub', 'passkey']),
			command: z.int(),
			passkey: AccessId.optional(),
		})
		.optional(),
});
export type Decider = z.infer<typeof Decider>;

export const Decision = z.enum(['approve', 'deny', 'answer']);
export type Decision = z.infer<typeof Decision>;

/** The next try of its session, its session, or every session of its project. */
export const GrantScope = z.enum(['once', 'session', 'project']);
export type GrantScope = z.infer<typeof GrantScope>;

export const GrantCover = z.object({ gate: z.string(), rule: z.string(), fingerprint: z.string(), words: z.string() });
export type GrantCover = z.infer<typeof GrantCover>;

const grantId = GrantId;

/** Each is a journal row first, then a timeline line with the row's id. */
export const approvalEvents = {
	'approval:request': {
		approvalId: ApprovalId,
		tool: z.string(),
		input: z.unknown(),
		/** SHA-256 of the canonical (tool, input): the decision is bound to it. */
		inputDigest: z.string(),
		denials: z.array(Denial),
		facts: z.record(z.string(), z.unknown()).optional(),
		deadline: Timestamp,
		/** Of the client's own permission prompt: what it suggests to allow for good. */
		suggestions: z.array(z.unknown()).optional(),
	},
	'approval:resolve': {
		approvalId: ApprovalId,
		decision: Decision,
		by: Decider,
		reason: z.string().optional(),
		updatedInput: z.record(z.string(), z.unknown()).optional(),
		/** Denials of the changed input that the person saw and overrode. */
		overrides: z.array(OverriddenDenial).optional(),
		inputDigest: z.string().optional(),
		stop: z.literal(true).optional(),
		suggestions: z.array(z.unknown()).optional(),
		/** A gate denied again at release. */
		standing: Denial.optional(),
	},
	'approval:expire': { approvalId: ApprovalId },
	'approval:abandon': { approvalId: ApprovalId, reason: z.string() },
	'approval:late': { approvalId: ApprovalId },
	'grant:create': {
		grantId,
		scope: GrantScope,
		covers: z.array(GrantCover).min(1),
		reason: z.string(),
		expires: Timestamp,
		by: Decider,
		tool: z.string(),
		title: z.string(),
		approvalId: ApprovalId.optional(),
	},
	/** Who made the grant and why, so that the line is proof by itself. */
	'grant:use': {
		grantId,
		scope: GrantScope,
		reason: z.string(),
		by: Decider,
		tool: z.string(),
		inputDigest: z.string(),
		madeAt: Timestamp.optional(),
	},
	'grant:revoke': { grantId, by: Decider, reason: z.string().optional() },
	'grant:expire': { grantId, reason: z.string().optional() },
	'alarm:acknowledge': { alarm: AlarmKey, by: Decider },
	'alarm:snooze': { alarm: AlarmKey, until: Timestamp, by: Decider },
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
