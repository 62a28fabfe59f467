import type { AgentName } from '../agents/agent-table.ts';

export interface AnswerFact {
	kind: 'answer';
	model: string;
	messageId?: string;
	inputTokens: number;
	outputTokens: number;
	cacheReadTokens: number;
	cacheWriteTokens: number;
	/** Of `cacheWriteTokens`: kept for an hour. */
	cacheHourTokens: number;
	costUsd?: number;
	fast?: true;
}

export interface ErrorFact {
	kind: 'error';
	model?: string;
	status?: number;
	error: string;
	attempt?: number;
}

/** What the client, or the person at its terminal, decided on a call. */
export interface DecisionFact {
	kind: 'decision';
	tool: string;
	decision: 'accept' | 'reject';
	/** Who or what decided, as the client names it. */
	by?: string;
}

/** One record of a client's telemetry, in the same form for every client. */
export interface TelemetryFact {
	make: AgentName;
	sessionId: string;
	agentId?: string;
	promptId?: string;
	toolUseId?: string;
	/** Milliseconds since the epoch. */
	at?: number;
	/** Distinguishes two records with the same content; equal if an export is sent again. */
	nonce: string;
	says: AnswerFact | ErrorFact | DecisionFact;
}
