import * as z from 'zod';
import { SessionId, Timestamp } from '../../ids.ts';

export const PlanTask = z.object({
	id: z.string().optional(),
	agent: z.string(),
	description: z.string().optional(),
	status: z.string(),
	priority: z.string().optional(),
});
export const PlanPhase = z.object({ phase: z.number().optional(), tasks: z.array(PlanTask) });
export type PlanPhase = z.infer<typeof PlanPhase>;

export const GateDecision = z.enum(['deny', 'ask', 'pass']);
export type GateDecision = z.infer<typeof GateDecision>;

/** What a hook answers, client-neutral. `pass` only carries texts; `allow` skips the client's own question. */
export const HookDecision = z.object({
	decision: z.enum(['pass', 'allow', 'ask', 'deny']),
	reason: z.string().optional(),
	message: z.string().optional(),
	/** Read by the model beside the event. */
	context: z.string().optional(),
	/** The turn ends, and the model never reads the reason. */
	endsTurn: z.literal(true).optional(),
	stopReason: z.string().optional(),
	input: z.record(z.string(), z.unknown()).optional(),
	rules: z.array(z.unknown()).optional(),
	review: z.literal(true).optional(),
});
export type HookDecision = z.infer<typeof HookDecision>;

export const judgementEvents = {
	'gate:verdict': {
		gate: z.string(),
		decision: GateDecision,
		rule: z.string(),
		reason: z.string(),
		/** What the gate read: it can be judged again without that day's files. */
		facts: z.record(z.string(), z.unknown()),
		durationMs: z.number().optional(),
		hook: z.string().optional(),
		/** `stop` ends the agent's turn, `deny` lets the model read the reason. */
		form: z.enum(['stop', 'deny']).optional(),
		/** The gate cannot recognise a later try, so no grant can cover it. */
		noGrant: z.literal(true).optional(),
		answer: HookDecision.nullish(),
		/** Of older versions: the JSON for Claude Code. */
		output: z.record(z.string(), z.unknown()).nullish(),
	},
	'routing:plan': {
		planId: z.string(),
		status: z.string(),
		phases: z.array(PlanPhase),
		request: z.string().optional(),
		path: z.string().optional(),
	},
	'routing:mismatch': { planId: z.string(), actual: z.string(), expected: z.array(z.string()) },
	'supervisor:review': {
		hook: z.string(),
		iteration: z.number(),
		max: z.number(),
		question: z.unknown().optional(),
		deadline: Timestamp.optional(),
	},
	/** `causedBy` names its review; without it no review ended (the limit). */
	'supervisor:verdict': {
		hook: z.string(),
		allow: z.boolean(),
		feedback: z.string(),
		iteration: z.number(),
		max: z.number(),
		durationMs: z.number().optional(),
		by: z.enum(['reviewer', 'person', 'limit']).optional(),
		/** The verdict is the safe answer, not a judgement. */
		failed: z.boolean().optional(),
		error: z.string().optional(),
		reviewer: SessionId.optional(),
	},
	'supervisor:switch': { action: z.enum(['on', 'off', 'reset']), enabled: z.boolean(), count: z.number() },
	'validator:assessment': {
		validator: z.string(),
		allowed: z.boolean(),
		rating: z.string().optional(),
		reasoning: z.string().optional(),
		evidence: z.record(z.string(), z.unknown()).optional(),
		suggestions: z.array(z.string()).optional(),
		/** No model was asked; `fallbackReason` says why. */
		fallback: z.boolean().optional(),
		fallbackReason: z.string().optional(),
		subject: z.string().optional(),
		breakdown: z
			.object({
				required: z.boolean(),
				reasoning: z.string(),
				suggestedSubtasks: z.array(z.string()),
				integrationConsiderations: z.array(z.string()),
			})
			.optional(),
		warnings: z.array(z.string()).optional(),
		nextTask: z.object({ id: z.string().optional(), description: z.string() }).optional(),
		model: z.string().optional(),
		durationMs: z.number().optional(),
	},
	'validator:subtasks': {
		assessmentId: z.string(),
		featureName: z.string(),
		subtasks: z.array(z.string()),
	},
} as const;
