import type { AgentName } from '../agents/agent-table.ts';

export interface AnswerFact {
	kind: 'answer';
	model: string;
	messageId?: string;
	/** Without what came from the cache. */
	inputTokens: number;
	outputTokens: number;
	cacheReadTokens: number;
	cacheWriteTokens: number;
	/** Of `cacheWriteTokens`: kept for an hour. */
	cacheHourTokens: number;
	/** US dollars, as the client reports. */
	costUsd?: number;
	fast?: true;
}

export interface ErrorFact {
	kind: 'error';
	model?: string;
	/** Of HTTP. */
	status?: number;
	error: string;
	/** From 1. */
	attempt?: number;
}

/** What the client, or the person at its terminal, decided on a call. */
export interface DecisionFact {
	kind: 'decision';
	tool: string;
	decision: 'accept' | 'reject';
	/** The client's own word. */
	by?: string;
}

/** What a record adds to a session's story. */
export interface TelemetryFact {
	make: AgentName;
	sessionId: string;
	agentId?: string;
	promptId?: string;
	toolUseId?: string;
	/** ms since the epoch. */
	at?: number;
	/** Tells two records with the same content apart; equal when an export is sent again. */
	nonce: string;
	says: AnswerFact | ErrorFact | DecisionFact;
}
