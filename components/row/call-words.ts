import { deciderWords } from '#lib/approvals/decider-words.ts';
import type { Tone } from '#lib/contract/event-labels.ts';
import { scopeWords } from '#lib/grants/words.ts';
import { alarmWords } from '#lib/session/alarms.ts';
import {
	type ApprovalView,
	agentAsked,
	alarmOf,
	type CallView,
	type ClosedWhy,
	isDenied,
	isOverridden,
	outcomeOf,
} from '#lib/session/call.ts';
import { type Hold, holdOf } from '#lib/session/hold.ts';
import { outcomeLooks } from '#lib/session/outcome-looks.ts';
import { remembered } from '#lib/session/remembered.ts';
import { spanDuration } from '#lib/time/duration.ts';

const closedWords: Record<ClosedWhy, string> = {
	'turn-ended': 'closed when the turn ended',
	'session-ended': 'closed when the session ended',
	'client-gone': 'closed because the agent is gone',
	'call-failed': 'closed because the call failed',
	'turn-stopped': 'closed because the denial ended the turn',
	'client-denied': 'denied by the client itself',
};

/** `Agent → developer`, or the tool's name. */
export function callName(call: CallView): string {
	const agent = agentAsked(call);
	return agent === undefined ? call.tool : `${call.tool} → ${agent}`;
}

/** What the gates denied, in one line: where a person changed the input, the call itself is what ran instead. */
export function deniedName(call: CallView): string {
	const { approval, tool } = call;
	const name = approval?.changedDigest && approval.asked ? `${tool} → ${approval.asked}` : callName(call);
	const title = approval?.title || call.title;
	return title === '' ? name : `${name} “${title}”`;
}

/** What became of a call, in a word and its tone. */
export function outcomeWords(call: CallView): { word: string; tone: Tone } {
	const alarm = alarmOf(call);
	if (alarm) return { word: alarmWords[alarm], tone: 'err' };
	return outcomeLooks[outcomeOf(call)];
}

/** `58 s`; of a hold whose end nobody saw `at most 58 s`. */
export function holdWords({ ms, isAtMost }: Hold): string {
	return `${isAtMost ? 'at most ' : ''}${spanDuration(ms)}`;
}

/** What a person did about it, in words. */
export function personWords(approval: ApprovalView): string {
	if (approval.review && !approval.review.isOver) return reviewWords(approval);
	const reason = `${approval.reason ? ` “${approval.reason}”` : ''}${proofWords(approval)}`;
	switch (approval.state) {
		case 'waiting':
			return 'waits for a person';
		case 'approved':
			return `approved by an operator${changedWords(approval)}${lastingWords(approval)}${reason}${approval.standing ? `; denied again at release: ${approval.standing}` : ''}`;
		case 'denied':
			return `denied by an operator${approval.stopped ? ', ending the agent’s turn' : ''}${reason}`;
		case 'answered':
			return `answered by an operator${answerWords(approval)}${reason}`;
		case 'expired':
			return 'nobody answered in time';
		case 'abandoned':
			// The reason of a prompt may be that it was answered elsewhere.
			return `${approval.isPrompt ? '' : 'ended without an answer: '}${approval.reason ?? 'the agent is gone'}`;
	}
}

const lastingWords = ({ lasting }: ApprovalView): string => (lasting ? `, and from now on ${lasting}` : '');
const answerWords = ({ answer }: ApprovalView): string => (answer ? `: ${answer}` : '');
const proofWords = ({ by }: ApprovalView): string => (by ? ` (${deciderWords(by)})` : '');

function changedWords({ changedDigest, changedTitle }: ApprovalView): string {
	if (!changedDigest) return '';
	return changedTitle ? ` with another input, to run instead: ${changedTitle}` : ' with another input';
}

/** How a grant let a call run, in words. */
export function grantWords({ scope, reason }: NonNullable<CallView['grant']>): string {
	return `allowed by an operator’s grant for ${scopeWords[scope]} “${reason}”`;
}

/** A review goes on by itself: that nobody decided it is no omission. */
function reviewWords(approval: ApprovalView): string {
	const { state, reason } = approval;
	const words = `${reason ? ` “${reason}”` : ''}${proofWords(approval)}`;
	switch (state) {
		case 'waiting':
			return 'the supervisor reviews it; a person may decide';
		case 'approved':
			return `review ended: allowed by an operator${words}`;
		case 'denied':
			return `review ended: blocked by an operator${words}`;
		case 'answered':
			return `answered by an operator${answerWords(approval)}${words}`;
		case 'expired':
			return 'the review ran out of time';
		case 'abandoned':
			return reason ?? 'the review was cut off';
	}
}

/** A list asks it of each of its calls at every change. */
function readNote(call: CallView): string | null {
	const parts: string[] = [];
	if (call.mismatch) parts.push(`expected [${call.mismatch.expected.join(', ')}]`);
	else if (isDenied(call) || isOverridden(call)) {
		const denial = call.verdicts.find(({ decision }) => decision === 'deny');
		if (denial) parts.push(denial.reason);
	}
	if (call.approval) {
		const hold = holdOf(call);
		if (hold) parts.push(`held ${holdWords(hold)}`);
		parts.push(personWords(call.approval));
	}
	if (call.grant) parts.push(grantWords(call.grant));
	if (call.error) parts.push(call.error);
	if (call.closed && !call.evidence) {
		const { why, reason } = call.closed;
		parts.push(`${closedWords[why]}${reason ? `: ${reason}` : ''}`);
	}
	return parts.length > 0 ? parts.join('; ') : null;
}

/** The second line of a call that needs one: expectation, hold, person, outcome. Null for plain calls. */
export const noteOf = remembered(readNote);

/** The gate whose denial a person overrode, if one did. */
export function overriddenGate(call: CallView): string | undefined {
	return isOverridden(call) ? call.verdicts.find(({ decision }) => decision === 'deny')?.gate : undefined;
}
