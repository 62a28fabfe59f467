import type { Decider, Decision } from '../contract/events/catalogue/approval.ts';
import type { Tone } from '../contract/events/event-labels.ts';
import type { DecisionUnderWay } from '../contract/hub/hub-commands.ts';
import type { ApprovalView, CallView, ClosedWhy } from '../contract/sessions/read-model/call-view.ts';
import type { Machine } from '../contract/sessions/read-model/session-view.ts';
import { scopeWords } from '../grants/covers.ts';
import { english, type Message, type Plain, type Say } from '../messages/say.ts';
import { type Sentence, sentence } from '../messages/sentence.ts';
import { alarmOf, type Hold, holdOf, isDenied, isOverridden, outcomeLook, requestedAgentOf } from '../session/call.ts';
import { failureLine } from '../session/failures.ts';
import { alarmWords } from '../session/judgement.ts';
import { remembered } from '../session/remembered.ts';
import { shortPath } from '../text/printable.ts';
import { spanDuration } from '../time/duration.ts';

const closedWords: Record<ClosedWhy, Plain> = {
	'turn-ended': 'closed when the turn ended',
	'session-ended': 'closed when the session ended',
	'client-gone': 'closed because the agent is gone',
	'call-failed': 'closed because the call failed',
	'turn-stopped': 'closed because the denial ended the turn',
	'client-denied': 'denied by the client itself',
};

export const callName = (call: CallView): string => [call.tool, requestedAgentOf(call) ?? []].flat().join(' → ');

/** `Bash “npm test”`: agent text, with paths inside `folder` shortened. After a person's edit it names what was asked first. */
export function deniedName(call: CallView, folder: string | null = null): string {
	const { approval, tool } = call;
	const name = approval?.changedDigest && approval.asked ? `${tool} → ${approval.asked}` : callName(call);
	const title = shortPath(approval?.title || call.title, folder);
	return title === '' ? name : `${name} “${title}”`;
}

/** An alarm comes first: then the plain outcome would look as if all were well. */
export function outcomeWords(call: CallView): { word: Plain; tone: Tone } {
	const alarm = alarmOf(call);
	if (alarm) return { word: alarmWords[alarm], tone: 'err' };
	return outcomeLook(call);
}

/** `58 s`, or `at most 58 s`. */
export function holdWords({ ms, isAtMost }: Hold, say: Say = english): string {
	const time = spanDuration(ms, say.language);
	return isAtMost ? say('at most {time}', { time }) : time;
}

/** What became of the question to a person, as one clause. */
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
			// A prompt may have been answered elsewhere.
			return approval.isPrompt ? why : say('ended without an answer: {why}', { why });
		}
	}
}

/** What a person decided, in few words and with a name where one is known: `approved: “needed now”`. */
export function decisionWords(approval: ApprovalView, say: Say = english): string {
	const { reason, by, ...decision } = approval;
	if (personWords(decision) !== `${decision.state} by an operator`) return personWords(approval, say);
	const who = by?.name || by?.via === 'hub' ? ` (${deciderName(by, say)})` : '';
	return `${say.known(decision.state)}${who}${reason ? say(': {answer}', { answer: `“${reason}”` }) : ''}`;
}

const endWords = ({ reason, by }: ApprovalView, say: Say): string =>
	`${by ? ` (${deciderTitle(by, say)})` : ''}${reason ? say(': {answer}', { answer: `“${reason}”` }) : ''}`;
const lastingWords = ({ lasting }: ApprovalView, say: Say): string =>
	lasting ? say(', and from now on {lasting}', { lasting }) : '';
const answerWords = ({ answer }: ApprovalView, say: Say): string => (answer ? say(': {answer}', { answer }) : '');

function changedWords({ changedDigest, changedTitle }: ApprovalView, say: Say): string {
	if (!changedDigest) return '';
	return changedTitle
		? say(' with another input, to run instead: {call}', { call: changedTitle })
		: say(' with another input');
}

export function grantWords({ scope, reason }: NonNullable<CallView['grant']>, say: Say = english): string {
	return say('allowed by an operator’s grant for {scope} “{reason}”', { scope: say(scopeWords[scope]), reason });
}

/** A review ends by itself, so without a decision nothing was missed. */
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
			return `${say('review ended: sent back by an operator')}${end}`;
		case 'answered':
			return `${say('answered by an operator')}${answerWords(approval, say)}${end}`;
		case 'expired':
			return say('the review ran out of time');
		case 'abandoned':
			return reason === undefined ? say('the review was cut off') : say.known(reason);
	}
}

/** Why a gate objected, for a person; its `reason` is for the agent. */
export const objectionWords = ({ mismatch }: CallView, reason: string, say: Say = english): string =>
	mismatch ? say('the plan expects {agents}', { agents: mismatch.expected.join(', ') }) : reason;

function readNote(call: CallView, say: Say): string | null {
	const parts: string[] = [];
	const denial = call.verdicts.find(({ decision }) => decision === 'deny');
	if (call.mismatch || (denial && (isDenied(call) || isOverridden(call))))
		parts.push(call.mismatch ? say('not in the plan') : (denial?.reason ?? ''));
	if (call.approval && call.approval.state !== 'waiting') {
		const hold = holdOf(call);
		if (hold && hold.ms >= 1000) parts.push(say('held {time}', { time: holdWords(hold, say) }));
		parts.push(decisionWords(call.approval, say));
	}
	if (call.grant) parts.push(grantWords(call.grant, say));
	if (call.error) parts.push(failureLine(call.error, say));
	if (call.closed && !call.evidence) {
		const { why, reason } = call.closed;
		parts.push(`${say(closedWords[why])}${reason ? `: ${reason}` : ''}`);
	}
	return parts.length > 0 ? parts.join(' · ') : null;
}

/** The second line of a call: objection, hold, decision, outcome. Null for plain calls, and while a person is awaited. */
export const noteOf = (call: CallView, say: Say = english): string | null => notesIn(say)(call);
const notesIn = remembered((say: Say) => remembered((call: CallView) => readNote(call, say)));

export function overriddenGate(call: CallView): string | undefined {
	return isOverridden(call) ? call.verdicts.find(({ decision }) => decision === 'deny')?.gate : undefined;
}

/** Enough digits of an access id to tell entries apart. */
export const shortAccess = (id: string): string => id.slice(0, 8);

/** Who decided, without the characters that identify a sign-in or token: `deciderWords` has them, for a tooltip. */
export const deciderName = (by: Decider, say: Say = english): string =>
	by.via === 'hub' ? deciderWords(by, say) : (by.name ?? say(by.via));

/** The same, and of a token without a name that it has none. */
export const deciderTitle = (by: Decider, say: Say = english): string =>
	by.via === 'token' && !by.name ? say('unnamed token') : deciderName(by, say);

/** With the sign-in or token that decided, shortened. Lists show the plain `deciderName`. */
export function deciderWords({ via, access, name }: Decider, say: Say = english): string {
	if (via === 'hub') return say('{name} at the hub', { name: name ?? shortAccess(access ?? '') });
	return access === undefined ? say(via) : `${say(via)} ${shortAccess(access)}`;
}

const words = {
	approve: '{name} has approved it: {machine} has not answered yet.',
	deny: '{name} has denied it: {machine} has not answered yet.',
	answer: '{name} has answered it: {machine} has not answered yet.',
} as const satisfies Record<Decision, Message>;

/** Who has decided at a hub, while the machine has not answered. */
export const underWayWords = ({ decision, name, machine }: DecisionUnderWay): Sentence =>
	sentence(words[decision], { name, machine });

/** For the person who decides second, while the machine has not confirmed the first decision. */
export const tooLateWords = (before: DecisionUnderWay): Sentence =>
	sentence('{before} Nothing of yours was sent.', { before: underWayWords(before) });

/** The machine's name if only its owner may decide: pages of the hub then show no buttons. */
export const decidedOnlyAt = (machine: Machine | undefined): string | undefined =>
	machine?.level === 'watch' ? machine.name : undefined;
