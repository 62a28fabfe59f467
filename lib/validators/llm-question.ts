import type * as z from 'zod';

export type LLMFailure = 'not-configured' | 'timeout' | 'budget' | 'failed' | 'unreadable';

/** What agents wrote is in `prompt` alone, as data. */
export interface LLMQuestion<T> {
	name: string;
	system: string;
	prompt: string;
	schema: z.ZodType<T>;
	sessionId: string;
	withinMs?: number;
}

export interface LLMClient {
	/** Rejects with an LLMError and nothing else. */
	ask<T>(question: LLMQuestion<T>): Promise<T>;
}

const FAILURE_WORDS: Record<LLMFailure, string> = {
	'not-configured': 'no model configured',
	timeout: 'the model did not answer in time',
	budget: 'the budget of this session is used up',
	failed: 'the model could not be asked',
	unreadable: 'the answer of the model did not fit',
};

/** `detail` never holds a key. */
export class LLMError extends Error {
	readonly why: LLMFailure;
	constructor(why: LLMFailure, detail?: string) {
		super(detail ?? FAILURE_WORDS[why]);
		this.why = why;
	}
}

/** Why the model gave no answer, without the provider's own text. */
export function failureWords(error: unknown): string {
	return FAILURE_WORDS[error instanceof LLMError ? error.why : 'failed'];
}
