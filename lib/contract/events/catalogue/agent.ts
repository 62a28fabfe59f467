import * as z from 'zod';
import { Timestamp } from '../../ids.ts';
import { TokenCounts } from '../usage.ts';

const agent = z.string();
const stage = z.string().optional();
const promptId = z.string().max(200).optional();
/** SHA-256 of the canonical (tool, input): what was judged, or what ran. On older lines only of calls that a person let run. */
const inputDigest = z.string().optional();

export const agentEvents = {
	/** A sub-agent may start; `toolUseId` names the call. */
	'agent:delegate': {
		agent,
		stage,
		description: z.string().optional(),
		subagentType: z.string().optional(),
		background: z.boolean().optional(),
	},
	'agent:start': { agent, stage },
	'agent:complete': {
		agent,
		stage,
		result: z.string().optional(),
		source: z.string().optional(),
		message: z.unknown().optional(),
	},
	'agent:error': { agent, stage, reason: z.string() },
	'tool:call': {
		tool: z.string(),
		input: z.unknown(),
		inputDigest,
		/** Set if the tool's name does not tell; a kind of `lib/agents/tool-call.ts`. */
		does: z.string().max(32).optional(),
		asked: z.string().max(200).optional(),
	},
	'tool:result': {
		tool: z.string(),
		response: z.unknown().optional(),
		inputDigest,
		durationMs: z.number().optional(),
		startedAgentId: z.string().optional(),
		background: z.boolean().optional(),
	},
	'tool:error': {
		tool: z.string(),
		error: z.unknown(),
		inputDigest,
		interrupt: z.boolean().optional(),
		durationMs: z.number().optional(),
	},
	'todo:update': {
		todos: z.array(
			z.object({
				content: z.string(),
				status: z.string(),
				activeForm: z.string().optional(),
				priority: z.string().optional(),
			}),
		),
	},
	/** One answer of a model, recorded once, maybe long after it came (`at`, by the client's clock). */
	'model:usage': {
		model: z.string(),
		messageId: z.string(),
		at: Timestamp.optional(),
		...TokenCounts.shape,
		/** US dollars by the list of `prices`; absent for a model without a price. */
		costUsd: z.number().nonnegative().optional(),
		prices: z.string().optional(),
		stage,
		source: z.string(),
		promptId,
		readTo: z.int().nonnegative().optional(),
	},
	'model:error': {
		model: z.string().optional(),
		status: z.int().optional(),
		error: z.string(),
		/** From 1. */
		attempt: z.int().optional(),
		at: Timestamp.optional(),
		promptId,
	},
	'permission:decide': {
		tool: z.string(),
		decision: z.enum(['accept', 'reject']),
		/** The client's own word: `config`, `user_reject`. */
		by: z.string().optional(),
		at: Timestamp.optional(),
		promptId,
	},
	'command:run': { command: z.string(), exitCode: z.number().optional(), durationMs: z.number().optional() },
	'command:block': { command: z.string(), pattern: z.string().optional(), reason: z.string() },
} as const;
