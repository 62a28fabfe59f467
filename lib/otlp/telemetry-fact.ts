import type { AgentName } from '../agents/agent-table.ts';

/** Tokens of one answer, as its client told them. */
export interface AnswerFact {
	kind: 'answer';
	model: string;
	/** The provider's name of the answer, where the client tells it. */
	messageId?: string;
	/** Read anew: without what came from the cache. */
	inputTokens: number;
	outputTokens: number;
	cacheReadTokens: number;
	cacheWriteTokens: number;
	/** Of `cacheWriteTokens`: those that are kept for an hour. */
	cacheHourTokens: number;
	/** What the client says that it cost, in US dollars. */
	costUsd?: number;
	fast?: true;
}

/** A request that the provider did not answer. */
export interface ErrorFact {
	kind: 'error';
	model?: string;
	/** Of HTTP. */
	status?: number;
	error: string;
	/** Which try it was, from 1. */
	attempt?: number;
}

/** What the client, or the person at its terminal, said of a call. */
export interface DecisionFact {
	kind: 'decision';
	tool: string;
	decision: 'accept' | 'reject';
	/** Who said so, in the client's own word. */
	by?: string;
}

/** What a record tells that belongs into a session's story, and by what it is joined to it. */
export interface TelemetryFact {
	make: AgentName;
	sessionId: string;
	agentId?: string;
	promptId?: string;
	toolUseId?: string;
	/** When it happened, in ms since the epoch. */
	at?: number;
	/** What tells two records apart that say the same: an export that is sent again says it again. */
	nonce: string;
	says: AnswerFact | ErrorFact | DecisionFact;
}
