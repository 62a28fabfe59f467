import * as z from 'zod';

const cwd = z.string().optional();

/** session:*, prompt:*, message:* and everything that a hook says without a type of its own. */
export const sessionEvents = {
	'session:start': {
		source: z.string().optional(),
		version: z.string().optional(),
		model: z.string().optional(),
		cwd,
		project: z.string().optional(),
		branch: z.string().optional(),
		/** It is a supervisor's reviewer, forked from the session that it reviews. */
		reviewer: z.boolean().optional(),
		/** Process id of the agent client, for `session:lost`. */
		pid: z.number().int().optional(),
	},
	'session:end': { reason: z.string().optional(), iteration: z.number().optional() },
	'session:compact': {
		trigger: z.string().optional(),
		workflowType: z.string().nullish(),
		currentStage: z.string().nullish(),
	},
	'session:notice': { message: z.string(), notice: z.string().optional() },
	'session:lost': { pid: z.number().int().optional(), reason: z.string().optional() },
	'prompt:submit': {
		prompt: z.unknown(),
		promptId: z.string().optional(),
		/** `task` when the client itself reports a finished background agent as a prompt. */
		source: z.enum(['user', 'task']),
		cwd,
		project: z.string().optional(),
	},
	/** A finished message of the main agent, as the client displayed it. */
	'message:show': { text: z.unknown(), messageId: z.string().optional() },
	'hook:event': {
		name: z.string(),
		fields: z.record(z.string(), z.unknown()),
		/** What it was about, where the name alone does not tell it: a point of `lib/agents/agent-hook.ts`. */
		at: z.string().max(32).optional(),
	},
} as const;
