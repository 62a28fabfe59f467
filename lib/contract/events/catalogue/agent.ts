import * as z from 'zod';
import { Timestamp } from '../../ids.ts';
import { TokenCounts } from '../usage.ts';

const agent = z.string();
const stage = z.string().optional();
const promptId = z.string().max(200).optional();
/**
 * SHA-256 of the canonical (tool, input), without what the client itself changes: of a call what was judged, of its outcome
 * what really ran. Older lines have it only of calls that a person let run.
 */
const inputDigest = z.string().optional();

/** agent:* of seed 001, bound to the client's ids, and the tool calls of every actor. */
export const agentEvents = {
	/** A sub-agent was asked for and may start; `toolUseId` names the call. */
	'agent:delegate': {
		agent,
		stage,
		description: z.string().optional(),
		/** The `subagent_type` as the model wrote it. */
		subagentType: z.string().optional(),
		background: z.boolean().optional(),
	},
	/** The client started it: binds `agentId`, and `toolUseId` where it is known. */
	'agent:start': { agent, stage },
	'agent:complete': {
		agent,
		stage,
		result: z.string().optional(),
		/** As that of `stage:complete`. */
		source: z.string().optional(),
		message: z.unknown().optional(),
	},
	'agent:error': { agent, stage, reason: z.string() },
	'tool:call': {
		tool: z.string(),
		input: z.unknown(),
		inputDigest,
		/** What it does, where the tool's name alone does not tell it: a kind of `lib/agents/tool-call.ts`. */
		does: z.string().max(32).optional(),
		/** The kind of sub-agent that it asks for, where only the adapter knows. */
		asked: z.string().max(200).optional(),
	},
	'tool:result': {
		tool: z.string(),
		response: z.unknown().optional(),
		inputDigest,
		durationMs: z.number().optional(),
		/** For the sub-agent tool: which agent this call started. */
		startedAgentId: z.string().optional(),
		/** For the sub-agent tool: it goes on behind the answer. */
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
				/** As the agent wrote it. */
				priority: z.string().optional(),
			}),
		),
	},
	/**
	 * One answer of a model, once: what it took, as `source` has it. A line of the client's transcript may be read long after
	 * the answer came (`at`, by the client's clock).
	 */
	'model:usage': {
		model: z.string(),
		messageId: z.string(),
		at: Timestamp.optional(),
		...TokenCounts.shape,
		/** US dollars by the prices of `prices`; absent where the model has no price there. */
		costUsd: z.number().nonnegative().optional(),
		/** Which price list: its day. */
		prices: z.string().optional(),
		/** The stage that the agent worked on. */
		stage,
		/** Who says so: `transcript`, the client's own record of the conversation, or `telemetry`, what it exports. */
		source: z.string(),
		/** The prompt that it was for, where the source tells it. */
		promptId,
		/** How far the actor's transcript has been read, in bytes: the next reading goes on there. */
		readTo: z.int().nonnegative().optional(),
	},
	/** A request that a model's provider did not answer, as the client exported it. */
	'model:error': {
		model: z.string().optional(),
		/** Of HTTP. */
		status: z.int().optional(),
		error: z.string(),
		/** Which try it was, from 1. */
		attempt: z.int().optional(),
		at: Timestamp.optional(),
		promptId,
	},
	/** What the client itself, or the person at its terminal, said of a call; `toolUseId` names the call where it is known. */
	'permission:decide': {
		tool: z.string(),
		decision: z.enum(['accept', 'reject']),
		/** Who said so, in the client's own word: `config`, `user_reject`. */
		by: z.string().optional(),
		at: Timestamp.optional(),
		promptId,
	},
	'command:run': { command: z.string(), exitCode: z.number().optional(), durationMs: z.number().optional() },
	'command:block': { command: z.string(), pattern: z.string().optional(), reason: z.string() },
} as const;
