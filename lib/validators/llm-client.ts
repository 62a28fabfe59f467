import type * as z from 'zod';

/** Why a model gave no answer that can be used. */
export type LLMFailure = 'not-configured' | 'timeout' | 'budget' | 'failed' | 'unreadable';

/** One question to a model. What agents wrote stands in `prompt` alone, as data (`prompt-data.ts`). */
export interface LLMQuestion<T> {
	/** Names the answer's shape, `[a-z_]+`. */
	name: string;
	system: string;
	prompt: string;
	/** The answer fits this or is none. */
	schema: z.ZodType<T>;
	/** Whose budget it is taken from. */
	sessionId: string;
	/** Milliseconds until the answer is of no use any more. */
	withinMs?: number;
}

/** A language model, whichever it is (seed 002). */
export interface LLMClient {
	/** The answer, checked against the schema. Rejects with an LLMError and nothing else. */
	ask<T>(question: LLMQuestion<T>): Promise<T>;
}

const SAY: Record<LLMFailure, string> = {
	'not-configured': 'no model configured',
	timeout: 'the model did not answer in time',
	budget: 'the budget of this session is used up',
	failed: 'the model could not be asked',
	unreadable: 'the answer of the model did not fit',
};

/** A model that gave no answer; `detail` never holds a key. */
export class LLMError extends Error {
	readonly why: LLMFailure;
	constructor(why: LLMFailure, detail?: string) {
		super(detail ?? SAY[why]);
		this.why = why;
	}
}

/** In words for a person why the model had no part in an assessment. */
export function failureWords(error: unknown): string {
	return SAY[error instanceof LLMError ? error.why : 'failed'];
}
