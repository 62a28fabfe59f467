import type { ApprovalState } from '../../approvals/approval-record.ts';
import type { Decider, GrantScope } from '../../events/catalogue/approval.ts';
import type { GateDecision } from '../../events/catalogue/judgement.ts';

/** One gate's word on a call, short enough for a row; facts are read from the row's events. */
export interface CallVerdict {
	gate: string;
	decision: GateDecision;
	rule: string;
	reason: string;
	durationMs?: number;
	form?: 'stop' | 'deny';
	/** No grant can override it: its gate cannot know a later try. */
	noGrant?: true;
}

/** The review that a person may end, or whose denial they may override once it is over. */
export interface ReviewAsk {
	/** `Stop` or `PreToolUse`. */
	event: string;
	iteration: number;
	max: number;
	isOver: boolean;
}

/** A person's part in a call, or in a question without one. */
export interface ApprovalView {
	approvalId: string;
	state: ApprovalState;
	tool: string;
	title: string;
	agentId?: string;
	/** The name of that agent; only in a summary, which has no agents to look it up in. */
	actor?: string;
	toolUseId?: string;
	/** The sub-agent that the call asks for, as the gate read it. */
	asked?: string;
	/** It is about a supervisor's review, not about a gate's denial. */
	review?: ReviewAsk;
	/** ISO; absent while only the outcome has been seen. */
	requestedAt?: string;
	deadline?: string;
	denials: { gate: string; rule: string; reason: string; noGrant?: true }[];
	decidedAt?: string;
	by?: Decider;
	reason?: string;
	/** The denial ended the agent's turn. */
	stopped?: true;
	/** What the client suggested to allow beside this call, and the person did; one line. */
	lasting?: string;
	/** What the person answered; one line. */
	answer?: string;
	/** It is the client's own permission prompt: no gate has denied. */
	isPrompt?: true;
	/** The person approved, but a gate denied again at release. */
	standing?: string;
	/** The hook had given its denial before the agent could hear of an approval. */
	isLate?: true;
	/** Of what the person saw: SHA-256 of the canonical (tool, input). */
	askedDigest?: string;
	/** Of what the person wrote instead. */
	changedDigest?: string;
	/** What that is, in one line. */
	changedTitle?: string;
	/** No journal row stands behind it: anybody could have written the line. */
	unverified?: true;
}

/** A tool call as the story shows it: what was asked, what gates and people said, what really happened. */
export interface CallView {
	toolUseId: string;
	/** Seq and instant of its first event: its place in the story. */
	seq: number;
	at: string;
	agentId?: string;
	tool: string;
	/** One line for a person: the command, the file, the agent's task. */
	title: string;
	/** For the sub-agent tool: the agent that was asked for. */
	agentName?: string;
	/** The agent that its input names, whether it was delegated or not. */
	askedAgent?: string;
	/** The file that it writes, with the lines that its input adds and removes. */
	edit?: { path: string; added: number; removed: number; isMore?: true };
	calledAt?: string;
	endedAt?: string;
	durationMs?: number;
	/** The event that the outcome comes from, should two tell of one. */
	end?: { ts: string; id: string };
	evidence?: 'ran' | 'failed';
	error?: string;
	/** The last line that a command printed: what a test run came to. */
	lastLine?: string;
	interrupted?: true;
	background?: true;
	startedAgentId?: string;
	/** The end of the agent that this call started; for a background agent long after the call itself. */
	agentEnd?: { at: string; result?: string; error?: string };
	verdicts: CallVerdict[];
	mismatch?: { planId: string; actual: string; expected: string[] };
	approval?: ApprovalView;
	/** The grant by which it was let run against its denials: used `at`, made `madeAt`. */
	grant?: {
		grantId: string;
		scope: GrantScope;
		reason: string;
		by: Decider;
		at: string;
		madeAt?: string;
		inputDigest: string;
	};
	/** Of each input that was judged under its id, sorted. */
	judged?: string[];
	/** Of what really ran. */
	ranDigest?: string;
	/** Why it was closed without a word of its own: the turn, the session or the client ended. */
	closed?: { at: string; why: ClosedWhy; reason?: string };
}

/** Why something was closed that never got its own end (observed facts, section 5). */
export type ClosedWhy =
	| 'turn-ended'
	| 'session-ended'
	| 'client-gone'
	| 'call-failed'
	| 'turn-stopped'
	| 'client-denied';

/** Verdict is not outcome (DESIGN 6): what became of a call. */
export type CallOutcome = 'running' | 'waiting' | 'ran' | 'failed' | 'stopped' | 'unknown';

/** What must not be: a verdict, a decision or a gate that did not hold (DESIGN 6). */
export type CallAlarm = 'denied-but-ran' | 'other-input-ran' | 'ran-unjudged' | 'allowed-never-ran';
