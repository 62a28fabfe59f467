import { isJson, type Json, textOf } from '#lib/json/json.ts';
import type { AnswerLine } from '#lib/usage/model-answer.ts';

/** No answer is so large; a count beyond it is none. */
const MOST_TOKENS = 1_000_000_000;
const MAX_NAME = 128;

/**
 * Reads a line of the client's transcript as far as it tells of a model's answer (observed on 2.1.112 and 2.1.330): one line
 * for each part of an answer, each with the counts of the whole, as far as they were known. Total: null for any other line.
 */
export function readAnswer(line: string): AnswerLine | null {
	const fields = parse(line);
	const message = fields?.type === 'assistant' ? fields.message : undefined;
	if (!fields || !isJson(message) || !isJson(message.usage)) return null;
	const messageId = textOf(message.id, MAX_NAME);
	const model = textOf(message.model, MAX_NAME);
	// What the client says itself, of an error for instance, no model was paid for.
	if (messageId === undefined || model === undefined || model === '<synthetic>') return null;
	const requestId = textOf(fields.requestId, MAX_NAME);
	const at = timeOf(fields.timestamp);
	const askedBy = textOf(fields.requestSessionId, MAX_NAME);
	const agentId = textOf(fields.agentId, MAX_NAME);
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

function countOf(value: unknown): number {
	return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MOST_TOKENS ? value : 0;
}

function timeOf(value: unknown): string | undefined {
	const ms = typeof value === 'string' && value.length <= 40 ? Date.parse(value) : Number.NaN;
	return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

function parse(line: string): Json | undefined {
	try {
		const value: unknown = JSON.parse(line);
		return isJson(value) ? value : undefined;
	} catch {
		return undefined;
	}
}
