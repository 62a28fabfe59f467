import type { DeniedCall } from '#hooks-bridge/ports/denied-call.ts';
import { agentCan, agentTitle } from '#lib/agents/agent-table.ts';
import { QUESTION_TOOL } from '#lib/agents/tool-call.ts';
import type { DecisionBody } from '#lib/contract/approvals/approval-record.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { Denial } from '#lib/contract/events/catalogue/approval.ts';
import { answeredInput } from '#lib/supervisor/answer-question.ts';

/** The changed input and the applied suggestions. Throws `request/invalid` where the decision does not fit. */
export function fitDecision(
	held: DeniedCall,
	body: DecisionBody,
): {
	updatedInput: Record<string, unknown> | undefined;
	overrides: DecisionBody['overrides'];
	applied: unknown[] | undefined;
} {
	const { decision, stop, suggestions, overrides } = body;
	if (stop && decision !== 'deny') throw new AppError('request/invalid', 'Only a denial can stop the agent.');
	demandSupported(held, body);
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

/** The client would ignore such a decision. */
function demandSupported({ hook, permission }: DeniedCall, { decision, updatedInput, stop }: DecisionBody): void {
	const can = agentCan(hook.agent);
	const title = agentTitle(hook.agent);
	if (stop && !can?.stop) {
		throw new AppError('request/invalid', `${title} ends no turn for a denial: deny the call alone.`);
	}
	if (decision !== 'approve' || !updatedInput || (permission ? can?.editPrompt : can?.edit)) return;
	throw new AppError('request/invalid', `${title} takes no other input here: approve or deny the call as it is.`);
}

/** A person overrides only what they saw: throws `approval/edit-denied` with the denials of the changed input. */
export function demandSeen({ decision, updatedInput }: DecisionBody, denials: readonly Denial[]): void {
	if (decision !== 'approve' || !updatedInput || denials.length === 0) return;
	const words = denials.map(({ rule, reason }) => `${reason} (rule ${rule})`).join('; ');
	throw new AppError('approval/edit-denied', `The changed input is denied as well: ${words}. Nothing was decided.`, {
		denials,
	});
}

const ANSWER_EACH =
	'Answer every question, with decision "answer" and updatedInput: {answers: {"<question>": "<answer>"}}.';

/** A bare allow would skip the dialog that the terminal shows. */
function isOwnQuestion({ tool, permission }: DeniedCall): boolean {
	return permission !== undefined && tool === QUESTION_TOOL;
}

function answersTo({ tool, input }: DeniedCall, { updatedInput }: DecisionBody): Record<string, unknown> {
	if (tool !== QUESTION_TOOL) throw new AppError('request/invalid', 'This call asks nothing: approve or deny it.');
	const answered = answeredInput(input, updatedInput);
	if (answered) return answered;
	throw new AppError('request/invalid', ANSWER_EACH);
}

function suggestedOf({ permission }: DeniedCall, places: readonly number[]): unknown[] {
	const offered = permission?.suggestions ?? [];
	if (places.some((at) => at >= offered.length)) {
		throw new AppError('request/invalid', 'The client did not suggest that.');
	}
	return places.map((at) => offered[at]);
}
