import type { Decider, GrantScope } from '../contract/catalogue/approval.ts';
import type { GateDecision } from '../contract/catalogue/judgement.ts';
import type { ApprovalState } from '../contract/http.ts';

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

/** Whether a reviewer thinks right now: a person may decide, but nobody waits for one. */
export function isReviewing({ review, state }: Pick<ApprovalView, 'review' | 'state'>): boolean {
	return state === 'waiting' && review !== undefined && !review.isOver;
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

/** The agent that a call asked for, whether it was let start or not. */
export function agentAsked({ agentName, mismatch, askedAgent }: CallView): string | undefined {
	return agentName ?? mismatch?.actual ?? askedAgent;
}

/** Whether the gates denied it and nobody overrode them. */
export function isDenied(call: CallView): boolean {
	return call.verdicts.some((verdict) => verdict.decision === 'deny') && !isOverridden(call);
}

/** Whether it was denied and did not run: what waits for a person, was overridden or ran all the same is something else. */
export function wasStopped(call: CallView): boolean {
	return outcomeOf(call) === 'stopped';
}

/** Whether a person let it run against a denial. */
export function isOverridden(call: CallView): boolean {
	if (call.grant) return true;
	const { approval } = call;
	// A permission prompt of the client is answered, not overridden.
	if (approval?.isPrompt) return false;
	if (!approval || approval.standing || approval.unverified || (approval.review && !approval.review.isOver))
		return false;
	return approval.state === 'approved' || approval.state === 'answered';
}

/** Whether the call has returned, but the agent that it started works on behind it. */
export function isBehind(call: CallView): boolean {
	return Boolean(call.background && call.startedAgentId && !call.agentEnd && !call.closed);
}

/**
 * Whether the call lasts until the end of the agent that it started. One that waited for its agent is over when it
 * returns, however often that agent is woken again later.
 */
export function isAgentLast({ background, endedAt }: CallView): boolean {
	return background === true || endedAt === undefined;
}

/** What became of the call. Evidence of a run beats every verdict. */
export function outcomeOf(call: CallView): CallOutcome {
	if (call.evidence) return isBehind(call) ? 'running' : call.evidence;
	if (call.approval?.state === 'waiting' && !isReviewing(call.approval) && !call.closed) return 'waiting';
	if (isDenied(call) || (call.approval?.isPrompt && call.approval.state === 'denied')) return 'stopped';
	if (call.closed?.why === 'client-denied') return 'stopped';
	return call.closed ? 'unknown' : 'running';
}

/** "Denied but ran": a denial that did not hold. */
export function deniedButRan(call: CallView): boolean {
	return isDenied(call) && call.evidence !== undefined && !call.interrupted;
}

/** What must not be: a verdict, a decision or a gate that did not hold (DESIGN 6). */
export type CallAlarm = 'denied-but-ran' | 'other-input-ran' | 'ran-unjudged' | 'allowed-never-ran';

/** Whether what ran is not what a person let run, nor anything that was judged. */
function ranOtherInput(call: CallView): boolean {
	const { ranDigest, judged, grant, approval } = call;
	if (ranDigest === undefined) return false;
	if (grant) return grant.inputDigest !== ranDigest;
	const changed = approval?.changedDigest;
	if (isOverridden(call)) return (changed ?? approval?.askedDigest ?? ranDigest) !== ranDigest;
	if (changed !== undefined && approval?.state === 'approved') return changed !== ranDigest;
	// Of a call that nobody judged something else is to be said.
	return judged !== undefined && !judged.includes(ranDigest);
}

/** What is wrong with a call, the worst first; undefined when nothing is. */
export function alarmOf(call: CallView): CallAlarm | undefined {
	if (deniedButRan(call)) return 'denied-but-ran';
	if (ranOtherInput(call)) return 'other-input-ran';
	// Its PreToolUse never came: the hook was killed, switched off or not there.
	if (call.evidence && call.calledAt === undefined) return 'ran-unjudged';
	if (isOverridden(call) && !call.evidence && call.closed) return 'allowed-never-ran';
	return undefined;
}
