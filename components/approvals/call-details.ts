import { QUESTION_TOOL } from '#lib/agents/tool-call.ts';
import { isKnown } from '#lib/contract/events/event-labels.ts';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import type { Plain } from '#lib/messages/say.ts';

const callWords = {
	approve: 'Approve',
	deny: 'Deny',
	done: { approve: 'Approved', deny: 'Denied', answer: 'Answered' },
} as const;
const reviewWords = {
	approve: 'Allow',
	deny: 'Send back',
	done: { approve: 'Allowed', deny: 'Sent back', answer: 'Answered' },
} as const;

/** Labels of the buttons and of the given decision; reviews have their own. */
export const buttonWords = ({ review }: Pick<ApprovalView, 'review'>) => (review ? reviewWords : callWords);

/** Details of a call beyond its summary, read from the event of the request. */
export interface CallDetails {
	input: unknown;
	expected: string[];
	planId: string | null;
	phase: number | null;
	command: BlockedLine | null;
	/** For a client's own permission prompt: the permanent rules that the client suggests. Null for a denial. */
	suggestions: unknown[] | null;
	/** A question asked by the client. It can be answered or denied, but not approved. */
	isQuestion: boolean;
}

export interface BlockedLine {
	before: string;
	found: string;
	after: string;
	pattern: string;
}

/** A question without a call has a row of its own. */
export function rowKeyOfApproval({ toolUseId, approvalId }: ApprovalView): string {
	return toolUseId ? `call:${toolUseId}` : `approval:${approvalId}`;
}

/** Null if the request is not among the events, as in a session that is not fully loaded. */
export function callDetailsOf(events: readonly IndexedEvent[], approvalId: string): CallDetails | null {
	for (const event of events) {
		if (!isKnown(event) || event.type !== 'approval:request' || event.approvalId !== approvalId) continue;
		const { expected, planId, phase } = event.facts ?? {};
		return {
			input: event.input,
			expected: Array.isArray(expected) ? expected.filter((name) => typeof name === 'string') : [],
			planId: typeof planId === 'string' ? planId : null,
			phase: typeof phase === 'number' ? phase : null,
			command: blockedLine(event.facts ?? {}),
			suggestions: event.suggestions ?? null,
			isQuestion: event.suggestions !== undefined && event.tool === QUESTION_TOOL,
		};
	}
	return null;
}

function blockedLine({ line, span, pattern }: Readonly<Record<string, unknown>>): BlockedLine | null {
	if (typeof line !== 'string' || typeof span !== 'object' || span === null) return null;
	const { start, end } = span as { start?: unknown; end?: unknown };
	if (typeof start !== 'number' || typeof end !== 'number') return null;
	return {
		before: line.slice(0, start),
		found: line.slice(start, end),
		after: line.slice(end),
		pattern: typeof pattern === 'string' ? pattern : '',
	};
}

export function agentOf(input: unknown): string | null {
	if (typeof input !== 'object' || input === null || !('subagent_type' in input)) return null;
	return typeof input.subagent_type === 'string' ? input.subagent_type : null;
}

/** Input of an agent call without defaults and fields that the card shows elsewhere; if nothing is left, all of it. */
export function remainingInput(
	input: unknown,
	title: string,
	agent: string | null | undefined = agentOf(input),
): unknown {
	if (agentOf(input) === null) return input;
	const left = Object.entries(input as object).filter(
		([name, value]) =>
			!(name === 'subagent_type' && value === agent) &&
			!(name === 'description' && value === title) &&
			!(name === 'run_in_background' && value === false),
	);
	return left.length > 0 ? Object.fromEntries(left) : input;
}

/** Why a call cannot be approved yet, or null if it can. Approval requires the complete input to be on screen. */
export function whyNotApprovable(details: CallDetails | null, isWhole: boolean): Plain | null {
	if (details?.isQuestion) return 'Answer the question, or deny it.';
	if (!details) return 'Approve is possible once the input has been read.';
	return isWhole ? null : 'Open the full input to its end before you approve it.';
}

/** Scrolls a card to the top and focuses it, so that no other card is under the pointer. False if it is not rendered. */
export function openCard(approvalId: string): boolean {
	const card = document.querySelector<HTMLElement>(`[data-card="${CSS.escape(approvalId)}"]`);
	card?.scrollIntoView({ block: 'start' });
	card?.focus({ preventScroll: true });
	return card !== null;
}
