import * as z from 'zod';
import { SessionId, Timestamp } from '../../ids.ts';

/** One task of a routing plan, as the project's file has it (seed 000). */
export const PlanTask = z.object({
	id: z.string().optional(),
	agent: z.string(),
	description: z.string().optional(),
	status: z.string(),
	/** Where its task file says so. */
	priority: z.string().optional(),
});
export const PlanPhase = z.object({ phase: z.number().optional(), tasks: z.array(PlanTask) });
export type PlanPhase = z.infer<typeof PlanPhase>;

export const GateDecision = z.enum(['deny', 'ask', 'pass']);
export type GateDecision = z.infer<typeof GateDecision>;

/**
 * What a hook answers, in no client's words: adapters print it, timelines keep it. `pass` says nothing for or against what
 * was asked and only carries texts; `allow` lets it happen without asking the person at the terminal.
 */
export const HookDecision = z.object({
	decision: z.enum(['pass', 'allow', 'ask', 'deny']),
	/** Why: the agent reads it. */
	reason: z.string().optional(),
	/** For the person at the terminal. */
	message: z.string().optional(),
	/** What the model reads beside the event. */
	context: z.string().optional(),
	/** With a denial: the agent's turn ends, and the model never reads the reason (seed 000). */
	endsTurn: z.literal(true).optional(),
	/** With `endsTurn`: why it ended, for the person. */
	stopReason: z.string().optional(),
	/** With `allow`: the call's input as a person changed it. */
	input: z.record(z.string(), z.unknown()).optional(),
	/** With `allow`: which of the client's own suggestions become its rules. */
	rules: z.array(z.unknown()).optional(),
	/** It is the supervisor's, printed with nothing around it (seed 004). */
	review: z.literal(true).optional(),
});
export type HookDecision = z.infer<typeof HookDecision>;

/** Verdicts of gates, supervisor and validators, and the routing plan they judged by. */
export const judgementEvents = {
	'gate:verdict': {
		gate: z.string(),
		decision: GateDecision,
		rule: z.string(),
		reason: z.string(),
		/** What the gate looked at, so that it can be judged again without that day's files. */
		facts: z.record(z.string(), z.unknown()),
		durationMs: z.number().optional(),
		hook: z.string().optional(),
		/** `stop` ends the agent's turn (seed 000 to the letter), `deny` lets the model read the reason. */
		form: z.enum(['stop', 'deny']).optional(),
		/** No grant can override it: its gate cannot know a later try. */
		noGrant: z.literal(true).optional(),
		/** What the agent was answered, in no client's words, for a second run of the same call. */
		answer: HookDecision.nullish(),
		/** The same as an older version told it: the JSON that Claude Code was printed. */
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
		/** After this nobody reviews any more; a review without a verdict was cut off. */
		deadline: Timestamp.optional(),
	},
	/** `causedBy` names its review; a verdict without one ended no review (the limit). */
	'supervisor:verdict': {
		hook: z.string(),
		allow: z.boolean(),
		feedback: z.string(),
		iteration: z.number(),
		max: z.number(),
		durationMs: z.number().optional(),
		/** Who gave it; the reviewer where nothing is said. */
		by: z.enum(['reviewer', 'person', 'limit']).optional(),
		/** The review itself failed; the verdict is the safe answer, not a judgement. */
		failed: z.boolean().optional(),
		/** Why it failed, for a person. */
		error: z.string().optional(),
		/** The session in which the reviewer worked, forked from this one. */
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
		/** No model had a part in it; `fallbackReason` says why. */
		fallback: z.boolean().optional(),
		fallbackReason: z.string().optional(),
		/** The task that was assessed. */
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
		/** The recommended next task. */
		nextTask: z.object({ id: z.string().optional(), description: z.string() }).optional(),
		/** The model that was asked. */
		model: z.string().optional(),
		durationMs: z.number().optional(),
	},
	/** A person made subtasks of an assessment's suggestions: new boxes in a feature's tasks.md. */
	'validator:subtasks': {
		assessmentId: z.string(),
		featureName: z.string(),
		subtasks: z.array(z.string()),
	},
} as const;
