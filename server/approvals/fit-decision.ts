import type { HeldCall } from '#hooks-bridge/ports/ports.ts';
import { agentCan, agentTitle } from '#lib/agents/agent-table.ts';
import type { DecisionBody } from '#lib/contract/approvals/approval-record.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { Denial } from '#lib/contract/events/catalogue/approval.ts';
import { answeredInput } from '#lib/supervisor/answer-question.ts';
import { QUESTION_TOOL } from '#lib/supervisor/supervisor-input.ts';

/**
 * What a decision makes of the held call: the input that it runs with, where that is another, and the client's
 * suggestions that are applied. Throws `request/invalid` where the decision does not fit the call (R620, R621, R1951).
 */
export function fitDecision(
	held: HeldCall,
	body: DecisionBody,
): {
	updatedInput: Record<string, unknown> | undefined;
	overrides: DecisionBody['overrides'];
	applied: unknown[] | undefined;
} {
	const { decision, stop, suggestions, overrides } = body;
	if (stop && decision !== 'deny') throw new AppError('request/invalid', 'Only a denial can stop the agent.');
	demandAble(held, body);
	if (decision === 'approve' && isOwnQuestion(held)) {
		throw new AppError('request/invalid', `This call asks something: ${ANSWER_EACH}`);
	}
	if (overrides && !(decision === 'approve' && body.updatedInput)) {
		throw new AppError('request/invalid', 'Only with an input of your own are there other denials to override.');
	}
	return {
		overrides,
		updatedInput: decision === 'answer' ? answersTo(held, body) : body.updatedInput,
		applied: suggestions && suggestedOf(held, suggestions),
	};
}

/** What the client would not do is not decided: it would run the call as the agent made it, or go on. */
function demandAble({ hook, permission }: HeldCall, { decision, updatedInput, stop }: DecisionBody): void {
	const can = agentCan(hook.agent);
	const title = agentTitle(hook.agent);
	if (stop && !can?.stop) {
		throw new AppError('request/invalid', `${title} ends no turn for a denial: deny the call alone.`);
	}
	if (decision !== 'approve' || !updatedInput || (permission ? can?.editPrompt : can?.edit)) return;
	throw new AppError('request/invalid', `${title} takes no other input here: approve or deny the call as it is.`);
}

/**
 * A person overrides only what they were shown: where the gates deny the changed input by anything else, nothing is
 * decided. Throws `approval/edit-denied` with all of it.
 */
export function demandSeen({ decision, updatedInput }: DecisionBody, denials: readonly Denial[]): void {
	if (decision !== 'approve' || !updatedInput || denials.length === 0) return;
	const words = denials.map(({ rule, reason }) => `${reason} (rule ${rule})`).join('; ');
	throw new AppError('approval/edit-denied', `The changed input is denied as well: ${words}. Nothing was decided.`, {
		denials,
	});
}

const ANSWER_EACH =
	'Answer every question, with decision "answer" and updatedInput: {answers: {"<question>": "<answer>"}}.';

/** The terminal shows a picker, which a bare allow would skip without an answer. */
function isOwnQuestion({ tool, permission }: HeldCall): boolean {
	return permission !== undefined && tool === QUESTION_TOOL;
}

/** The call's own input with a person's answers in it. Throws where it asks nothing, or where one is missing. */
function answersTo({ tool, input }: HeldCall, { updatedInput }: DecisionBody): Record<string, unknown> {
	if (tool !== QUESTION_TOOL) throw new AppError('request/invalid', 'This call asks nothing: approve or deny it.');
	const answered = answeredInput(input, updatedInput);
	if (answered) return answered;
	throw new AppError('request/invalid', ANSWER_EACH);
}

/** The client's own suggestions that a person chose. Throws `request/invalid` for one that was not made. */
function suggestedOf({ permission }: HeldCall, places: readonly number[]): unknown[] {
	const offered = permission?.suggestions ?? [];
	if (places.some((at) => at >= offered.length)) {
		throw new AppError('request/invalid', 'The client did not suggest that.');
	}
	return places.map((at) => offered[at]);
}
