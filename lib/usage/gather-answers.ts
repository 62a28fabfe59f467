import { type AnswerLine, answerKey } from './model-answer.ts';

/** A line of a transcript that tells of an answer, and where it ends, in bytes. */
export interface PlacedLine extends AnswerLine {
	readTo: number;
}

/**
 * Makes one answer of the lines that tell of it: a client writes a line for each part of an answer, with the counts as
 * far as it knew them. `held` is the last answer of the lines before these; the last one here is held where the client
 * may not have had all of it.
 */
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
