import { defined, textOf } from '#lib/json/json.ts';
import type { AnswerLine } from '#lib/usage/model-answer.ts';

/** No answer is so large; a larger count is ignored. */
const MAX_TOKENS = 1_000_000_000;
const MAX_NAME = 128;

/** A name in a transcript; undefined if there is none. */
export const nameOf = (value: unknown): string | undefined => textOf(value, MAX_NAME);

/** A count of tokens; 0 for anything else. */
export function countOf(value: unknown): number {
	return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MAX_TOKENS ? value : 0;
}

/** A time as ISO; undefined for anything else. */
export function timeOf(value: unknown): string | undefined {
	const ms = typeof value === 'string' && value.length <= 40 ? Date.parse(value) : Number.NaN;
	return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** What most clients record of an answer; `input` includes tokens from the cache. */
interface Noted {
	id: unknown;
	model?: unknown;
	at: unknown;
	input: unknown;
	output: number;
	cacheRead: unknown;
	cacheWrite?: unknown;
}

/** A whole answer that a line describes; null if the line names none, or the answer used no tokens. */
export function answerIn(noted: Noted, of: Pick<AnswerLine, 'agentId' | 'askedBy'> = {}): AnswerLine | null {
	const messageId = nameOf(noted.id);
	const model = nameOf(noted.model);
	const at = timeOf(noted.at);
	const cacheReadTokens = countOf(noted.cacheRead);
	const cacheWriteTokens = countOf(noted.cacheWrite);
	const inputTokens = Math.max(0, countOf(noted.input) - cacheReadTokens - cacheWriteTokens);
	const counts = { inputTokens, outputTokens: noted.output, cacheReadTokens, cacheWriteTokens };
	if (messageId === undefined || Object.values(counts).every((count) => count === 0)) return null;
	const answer = {
		messageId,
		...defined({ model, at }),
		...counts,
		cacheHourTokens: 0,
		webSearches: 0,
	};
	return { answer, isWhole: true, ...of };
}
