import type { Tone } from '../contract/events/event-labels.ts';
import type { ApprovalView, CallView, ClosedWhy } from '../contract/sessions/read-model/call-view.ts';
import { scopeWords } from '../grants/words.ts';
import { english, type Plain, type Say } from '../messages/say.ts';
import { alarmWords } from '../session/alarms.ts';
import { agentAsked, alarmOf, type Hold, holdOf, isDenied, isOverridden, outcomeLook } from '../session/call.ts';
import { remembered } from '../session/remembered.ts';
import { spanDuration } from '../time/duration.ts';
import { deciderWords } from './decider-words.ts';

const closedWords: Record<ClosedWhy, Plain> = {
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
export function outcomeWords(call: CallView): { word: Plain; tone: Tone } {
	const alarm = alarmOf(call);
	if (alarm) return { word: alarmWords[alarm], tone: 'err' };
	return outcomeLook(call);
}

/** `58 s`; of a hold whose end nobody saw `at most 58 s`. */
export function holdWords({ ms, isAtMost }: Hold, say: Say = english): string {
	const time = spanDuration(ms, say.language);
	return isAtMost ? say('at most {time}', { time }) : time;
}

/** What a person did about it, in words. */
export function personWords(approval: ApprovalView, say: Say = english): string {
	if (approval.review && !approval.review.isOver) return reviewWords(approval, say);
	const { reason, standing } = approval;
	const end = endWords(approval, say);
	switch (approval.state) {
		case 'waiting':
			return say('waits for a person');
		case 'approved': {
			const again = standing ? say('; denied again at release: {why}', { why: standing }) : '';
			return `${say('approved by an operator')}${changedWords(approval, say)}${lastingWords(approval, say)}${end}${again}`;
		}
		case 'late':
			return `${say('approved, came too late: the agent had been denied')}${end}`;
		case 'denied':
			return `${say('denied by an operator')}${approval.stopped ? say(', ending the agent’s turn') : ''}${end}`;
		case 'answered':
			return `${say('answered by an operator')}${answerWords(approval, say)}${end}`;
		case 'expired':
			return say('nobody answered in time');
		case 'abandoned': {
			const why = reason === undefined ? say('the agent is gone') : say.known(reason);
			// The reason of a prompt may be that it was answered elsewhere.
			return approval.isPrompt ? why : say('ended without an answer: {why}', { why });
		}
	}
}

/** ` “as planned” (token 3fa2b1c0)`: why, and by what it was decided. */
const endWords = ({ reason, by }: ApprovalView, say: Say): string =>
	`${reason ? ` “${reason}”` : ''}${by ? ` (${deciderWords(by, say)})` : ''}`;
const lastingWords = ({ lasting }: ApprovalView, say: Say): string =>
	lasting ? say(', and from now on {lasting}', { lasting }) : '';
const answerWords = ({ answer }: ApprovalView, say: Say): string => (answer ? say(': {answer}', { answer }) : '');

function changedWords({ changedDigest, changedTitle }: ApprovalView, say: Say): string {
	if (!changedDigest) return '';
	return changedTitle
		? say(' with another input, to run instead: {call}', { call: changedTitle })
		: say(' with another input');
}

/** How a grant let a call run, in words. */
export function grantWords({ scope, reason }: NonNullable<CallView['grant']>, say: Say = english): string {
	return say('allowed by an operator’s grant for {scope} “{reason}”', { scope: say(scopeWords[scope]), reason });
}

/** A review goes on by itself: that nobody decided it is no omission. */
function reviewWords(approval: ApprovalView, say: Say): string {
	const { state, reason } = approval;
	const end = endWords(approval, say);
	switch (state) {
		case 'waiting':
			return say('the supervisor reviews it; a person may decide');
		case 'approved':
			return `${say('review ended: allowed by an operator')}${end}`;
		case 'late':
			return `${say('approved, came too late: the agent had been denied')}${end}`;
		case 'denied':
			return `${say('review ended: blocked by an operator')}${end}`;
		case 'answered':
			return `${say('answered by an operator')}${answerWords(approval, say)}${end}`;
		case 'expired':
			return say('the review ran out of time');
		case 'abandoned':
			return reason === undefined ? say('the review was cut off') : say.known(reason);
	}
}

/** A list asks it of each of its calls at every change. */
function readNote(call: CallView, say: Say): string | null {
	const parts: string[] = [];
	if (call.mismatch) parts.push(say('expected [{agents}]', { agents: call.mismatch.expected.join(', ') }));
	else if (isDenied(call) || isOverridden(call)) {
		const denial = call.verdicts.find(({ decision }) => decision === 'deny');
		if (denial) parts.push(denial.reason);
	}
	if (call.approval) {
		const hold = holdOf(call);
		if (hold) parts.push(say('held {time}', { time: holdWords(hold, say) }));
		parts.push(personWords(call.approval, say));
	}
	if (call.grant) parts.push(grantWords(call.grant, say));
	if (call.error) parts.push(call.error);
	if (call.closed && !call.evidence) {
		const { why, reason } = call.closed;
		parts.push(`${say(closedWords[why])}${reason ? `: ${reason}` : ''}`);
	}
	return parts.length > 0 ? parts.join(say('; ')) : null;
}

/** The second line of a call that needs one: expectation, hold, person, outcome. Null for plain calls. */
export const noteOf = (call: CallView, say: Say = english): string | null => notesIn(say)(call);
const notesIn = remembered((say: Say) => remembered((call: CallView) => readNote(call, say)));

/** The gate whose denial a person overrode, if one did. */
export function overriddenGate(call: CallView): string | undefined {
	return isOverridden(call) ? call.verdicts.find(({ decision }) => decision === 'deny')?.gate : undefined;
}
