import type { ApprovalState } from '../../approvals/approval-record.ts';
import type { Decider, GrantScope } from '../../events/catalogue/approval.ts';
import type { GateDecision } from '../../events/catalogue/judgement.ts';

export interface CallVerdict {
	gate: string;
	decision: GateDecision;
	rule: string;
	reason: string;
	durationMs?: number;
	form?: 'stop' | 'deny';
	noGrant?: true;
}

export interface ReviewAsk {
	event: string;
	iteration: number;
	max: number;
	isOver: boolean;
}

export interface ApprovalView {
	approvalId: string;
	state: ApprovalState;
	tool: string;
	title: string;
	agentId?: string;
	/** Only in a summary, which has no agents to look it up in. */
	actor?: string;
	toolUseId?: string;
	asked?: string;
	/** The question is about a supervisor's review, not about a gate's denial. */
	review?: ReviewAsk;
	/** ISO; absent while only the outcome is known. */
	requestedAt?: string;
	deadline?: string;
	denials: { gate: string; rule: string; reason: string; noGrant?: true }[];
	decidedAt?: string;
	by?: Decider;
	reason?: string;
	stopped?: true;
	lasting?: string;
	answer?: string;
	/** The client's own permission prompt: no gate has denied. */
	isPrompt?: true;
	standing?: string;
	/** The hook had given its denial before the approval. */
	isLate?: true;
	/** SHA-256 of the canonical (tool, input) that the person saw. */
	askedDigest?: string;
	changedDigest?: string;
	changedTitle?: string;
	/** Without a journal row anybody could have written the line. */
	unverified?: true;
}

/** The request, what gates and people decided, and what really happened. */
export interface CallView {
	toolUseId: string;
	seq: number;
	at: string;
	agentId?: string;
	tool: string;
	title: string;
	agentName?: string;
	/** The agent that its input names, delegated or not. */
	askedAgent?: string;
	/** The first file that its input changes, in lines. */
	edit?: { path: string; added: number; removed: number; isMore?: true };
	calledAt?: string;
	endedAt?: string;
	durationMs?: number;
	/** The event of the outcome, should two report one. */
	end?: { ts: string; id: string };
	evidence?: 'ran' | 'failed';
	error?: string;
	lastLine?: string;
	interrupted?: true;
	background?: true;
	startedAgentId?: string;
	/** For a background agent long after the call itself. */
	agentEnd?: { at: string; result?: string; error?: string };
	verdicts: CallVerdict[];
	mismatch?: { planId: string; actual: string; expected: string[] };
	approval?: ApprovalView;
	grant?: {
		grantId: string;
		scope: GrantScope;
		reason: string;
		by: Decider;
		at: string;
		madeAt?: string;
		inputDigest: string;
	};
	/** Digests of all inputs judged under its id, sorted. */
	judged?: string[];
	ranDigest?: string;
	closed?: { at: string; why: ClosedWhy; reason?: string };
}

export type ClosedWhy =
	| 'turn-ended'
	| 'session-ended'
	| 'client-gone'
	| 'call-failed'
	| 'turn-stopped'
	| 'client-denied';

/** A verdict is not an outcome. */
export type CallOutcome = 'running' | 'waiting' | 'ran' | 'failed' | 'stopped' | 'unknown';

/** What must not happen: a verdict, decision or gate that was not respected. */
export type CallAlarm = 'denied-but-ran' | 'other-input-ran' | 'ran-unjudged' | 'allowed-never-ran';
