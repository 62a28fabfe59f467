import { basename, dirname, join } from 'node:path';
import { isJson, type Json } from '#lib/json/json.ts';
import type { AnswerLine } from '#lib/usage/model-answer.ts';
import type { AbortLine, Transcripts } from '../agent-adapter.ts';
import { countOf, nameOf, parseLine, timeOf } from '../transcript-line.ts';

/** As 2.1.330 records a call that its person ends by Esc or SIGINT: no hook reports it. */
function readStop(line: string): AbortLine | null {
	const { type, toolDenialKind, message, timestamp } = parseLine(line) ?? {};
	if (type !== 'user' || toolDenialKind !== 'user-rejected' || !isJson(message)) return null;
	const results = Array.isArray(message.content) ? message.content.filter(isJson) : [];
	const toolUseId = nameOf(results.find((one) => one.type === 'tool_result')?.tool_use_id);
	const at = timeOf(timestamp);
	return toolUseId === undefined || at === undefined ? null : { id: toolUseId, toolUseId, at };
}

const OF_AGENT = /^agent-([\w-]{1,120})\.jsonl$/;

/**
 * `<the client's folder>/projects/<project>/<session>.jsonl`, and beside it `<session>/subagents/agent-<id>.jsonl`. The client's
 * folder may be anywhere (CLAUDE_CONFIG_DIR) and its path comes from the agent, so only the shape can be checked.
 */
export const transcripts: Transcripts = {
	placeOf(path, sessionId) {
		const root = dirname(dirname(path));
		const isItsOwn = basename(path) === `${sessionId}.jsonl` && basename(root) === 'projects';
		if (!isItsOwn) return null;
		return { root, main: path, agents: { folder: join(dirname(path), sessionId, 'subagents') } };
	},
	agentOf: (fileName) => OF_AGENT.exec(fileName)?.[1],
	hint: '"assistant"',
	readAnswer,
	aborts: { hint: '"user-rejected"', read: readStop },
};

/**
 * Reads a line of the client's transcript if it describes a model's answer (observed on 2.1.112 and 2.1.330): one line for each
 * part of an answer, each with the counts of the whole so far. Null for any other line; never throws.
 */
function readAnswer(line: string): AnswerLine | null {
	const fields = parseLine(line);
	const message = fields?.type === 'assistant' ? fields.message : undefined;
	if (!fields || !isJson(message) || !isJson(message.usage)) return null;
	const messageId = nameOf(message.id);
	const model = nameOf(message.model);
	// The client writes some messages itself, such as errors: no model was paid for them.
	if (messageId === undefined || model === undefined || model === '<synthetic>') return null;
	const requestId = nameOf(fields.requestId);
	const at = timeOf(fields.timestamp);
	const askedBy = nameOf(fields.requestSessionId);
	const agentId = nameOf(fields.agentId);
	const answer = { messageId, model, ...(requestId && { requestId }), ...(at && { at }), ...countsOf(message.usage) };
	const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = answer;
	if (inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens === 0) return null;
	const isWhole = typeof message.stop_reason === 'string';
	return { answer, isWhole, ...(agentId && { agentId }), ...(askedBy && { askedBy }) };
}

function countsOf(usage: Json) {
	const written = isJson(usage.cache_creation) ? usage.cache_creation : {};
	const served = isJson(usage.server_tool_use) ? usage.server_tool_use : {};
	return {
		inputTokens: countOf(usage.input_tokens),
		outputTokens: countOf(usage.output_tokens),
		cacheReadTokens: countOf(usage.cache_read_input_tokens),
		cacheWriteTokens: countOf(usage.cache_creation_input_tokens),
		cacheHourTokens: countOf(written.ephemeral_1h_input_tokens),
		webSearches: countOf(served.web_search_requests),
		...(usage.speed === 'fast' && { fast: true as const }),
		...(usage.inference_geo === 'us' && { usOnly: true as const }),
	};
}
