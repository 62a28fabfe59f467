import type { TokenCounts } from '../contract/events/usage.ts';

export interface ModelAnswer extends TokenCounts {
	/** Message and request id together name the one call that was paid for. */
	messageId: string;
	requestId?: string;
	model: string;
	at?: string;
	/** Of `cacheWriteTokens`: kept for an hour, at a higher price. */
	cacheHourTokens: number;
	webSearches: number;
	/** A faster run at a higher price. */
	fast?: true;
	/** Computed inside the United States only, a tenth more expensive. */
	usOnly?: true;
}

/** Several lines may report one answer. */
export interface AnswerLine {
	answer: Omit<ModelAnswer, 'model'> & Partial<Pick<ModelAnswer, 'model'>>;
	isWhole: boolean;
	agentId?: string;
	askedBy?: string;
}

function answerKey({ messageId, requestId = '' }: Pick<ModelAnswer, 'messageId' | 'requestId'>): string {
	return JSON.stringify([messageId, requestId]);
}

export interface PlacedLine extends AnswerLine {
	readTo: number;
}

/** A client writes a line for each part of an answer, with the counts so far. `held` is the answer that may not be complete yet. */
export function gatherAnswers(
	held: PlacedLine | undefined,
	lines: readonly PlacedLine[],
): { whole: PlacedLine[]; held: PlacedLine | undefined } {
	const whole: PlacedLine[] = [];
	let last = held;
	for (const line of lines) {
		if (last && answerKey(last.answer) === answerKey(line.answer)) last = joined(last, line);
		else {
			if (last) whole.push(last);
			last = line;
		}
	}
	if (!last?.isWhole) return { whole, held: last };
	return { whole: [...whole, last], held: undefined };
}

/** Counts only grow while an answer comes in. */
function joined(one: PlacedLine, other: PlacedLine): PlacedLine {
	const most = (name: 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens' | 'cacheHourTokens') =>
		Math.max(one.answer[name], other.answer[name]);
	return {
		...other,
		isWhole: one.isWhole || other.isWhole,
		answer: {
			...other.answer,
			inputTokens: most('inputTokens'),
			outputTokens: most('outputTokens'),
			cacheReadTokens: most('cacheReadTokens'),
			cacheWriteTokens: most('cacheWriteTokens'),
			cacheHourTokens: most('cacheHourTokens'),
			webSearches: Math.max(one.answer.webSearches, other.answer.webSearches),
		},
	};
}
