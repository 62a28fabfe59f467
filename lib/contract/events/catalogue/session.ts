import * as z from 'zod';

const cwd = z.string().optional();

export const sessionEvents = {
	'session:start': {
		source: z.string().optional(),
		version: z.string().optional(),
		model: z.string().optional(),
		cwd,
		project: z.string().optional(),
		branch: z.string().optional(),
		reviewer: z.boolean().optional(),
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
		/** `task`: the client reports a finished background agent as a prompt. */
		source: z.enum(['user', 'task']),
		cwd,
		project: z.string().optional(),
	},
	'message:show': { text: z.unknown(), messageId: z.string().optional() },
	'hook:event': {
		name: z.string(),
		fields: z.record(z.string(), z.unknown()),
		/** Set if the name does not tell; a point of `lib/agents/agent-hook.ts`. */
		at: z.string().max(32).optional(),
	},
} as const;

export const systemEvents = {
	'system:warning': { code: z.string(), message: z.string() },
	/** Made when reading bytes that are no event; never written. */
	'system:gap': { offset: z.number(), bytes: z.number(), reason: z.string() },
} as const;
