import { isJson, type Json } from '#lib/json/json.ts';
import type { AnswerLine } from '#lib/usage/model-answer.ts';
import { countOf, nameOf, parseLine, timeOf } from '../transcript-line.ts';

/**
 * Reads a line of the client's transcript as far as it tells of a model's answer (observed on 2.1.112 and 2.1.330): one line
 * for each part of an answer, each with the counts of the whole, as far as they were known. Total: null for any other line.
 */
export function readAnswer(line: string): AnswerLine | null {
	const fields = parseLine(line);
	const message = fields?.type === 'assistant' ? fields.message : undefined;
	if (!fields || !isJson(message) || !isJson(message.usage)) return null;
	const messageId = nameOf(message.id);
	const model = nameOf(message.model);
	// What the client says itself, of an error for instance, no model was paid for.
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
