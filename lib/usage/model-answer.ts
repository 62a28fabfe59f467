import type { TokenCounts } from '../contract/events/usage.ts';

/** One answer of a model, as its client noted it. */
export interface ModelAnswer extends TokenCounts {
	/** The provider's name of the answer; with `requestId` it stands for the one call that was paid for. */
	messageId: string;
	requestId?: string;
	model: string;
	/** When the client had it, ISO. */
	at?: string;
	/** Of `cacheWriteTokens`: those that are kept for an hour, which cost more. */
	cacheHourTokens: number;
	webSearches: number;
	/** It was bought at the higher price of a faster run. */
	fast?: true;
	/** It was worked out inside the United States only, which costs a tenth more. */
	usOnly?: true;
}

/** A line of a transcript that tells of an answer; several lines may tell of the same one. */
export interface AnswerLine {
	/** Of a client whose lines name no model, it is the session's. */
	answer: Omit<ModelAnswer, 'model'> & Partial<Pick<ModelAnswer, 'model'>>;
	/** The client had all of it when it wrote the line. */
	isWhole: boolean;
	/** The agent that asked, where the line names one. */
	agentId?: string;
	/** The session that asked, where the line was copied from another one. */
	askedBy?: string;
}

/** The name under which an answer is counted once. */
export function answerKey({ messageId, requestId = '' }: Pick<ModelAnswer, 'messageId' | 'requestId'>): string {
	return JSON.stringify([messageId, requestId]);
}
