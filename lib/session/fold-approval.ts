import type { ApprovalState } from '../contract/approvals/approval-record.ts';
import type { EventOf } from '../contract/events/event.ts';
import type { ApprovalView, ReviewAsk } from './call.ts';
import { callTitle, changedTitle } from './call-title.ts';
import { decidedState, decidedWith } from './decided-with.ts';

export type ApprovalEvent = EventOf<
	'approval:request' | 'approval:resolve' | 'approval:expire' | 'approval:abandon' | 'approval:late'
>;

/**
 * Folds the events of one approval; any order gives the same object. Two outcomes cannot both be
 * true (the journal's compare-and-swap), so should two lines say so the earlier one is shown.
 */
export function foldApproval(before: ApprovalView | undefined, event: ApprovalEvent): ApprovalView {
	const view: ApprovalView = before ?? {
		approvalId: event.approvalId,
		state: 'waiting',
		tool: '',
		title: '',
		denials: [],
		...(event.agentId !== undefined && { agentId: event.agentId }),
		...(event.toolUseId !== undefined && { toolUseId: event.toolUseId }),
	};
	switch (event.type) {
		case 'approval:request':
			return {
				...view,
				tool: event.tool,
				title: callTitle(event.tool, event.input),
				...askedOf(event.facts),
				requestedAt: event.ts,
				deadline: event.deadline,
				denials: event.denials,
				...(event.suggestions && { isPrompt: true as const }),
				askedDigest: event.inputDigest,
			};
		case 'approval:resolve':
			return settle(view, decidedState[event.decision], event.ts, {
				...decidedWith(event),
				...(event.standing && { standing: event.standing.reason }),
				...(event.inputDigest !== undefined && { changedDigest: event.inputDigest }),
				...(event.decision === 'approve' && event.updatedInput && { changedTitle: changedTitle(event.updatedInput) }),
			});
		case 'approval:expire':
			return settle(view, 'expired', event.ts, {});
		case 'approval:abandon':
			return settle(view, 'abandoned', event.ts, { reason: event.reason });
		case 'approval:late':
			return asLate({ ...view, isLate: true });
	}
}

/** What the facts of a question tell of it: the sub-agent that a denied call asks for, the review that it is about. */
export function askedOf(facts: Readonly<Record<string, unknown>> | undefined): Pick<ApprovalView, 'asked' | 'review'> {
	const review = reviewOf(facts?.review);
	return { ...(typeof facts?.actual === 'string' && { asked: facts.actual }), ...(review && { review }) };
}

function reviewOf(value: unknown): ReviewAsk | undefined {
	if (typeof value !== 'object' || value === null) return undefined;
	const { event, iteration, max, isOver } = value as Partial<Record<keyof ReviewAsk, unknown>>;
	if (typeof event !== 'string' || typeof iteration !== 'number' || typeof max !== 'number') return undefined;
	return { event, iteration, max, isOver: isOver === true };
}

function settle(view: ApprovalView, state: ApprovalState, at: string, extra: Partial<ApprovalView>): ApprovalView {
	const { by: _by, reason: _reason, standing: _standing, ...rest } = view;
	const { changedDigest: _changed, changedTitle: _title, ...asked } = rest;
	const { stopped: _stopped, lasting: _lasting, answer: _answer, ...open } = asked;
	const held = view.decidedAt;
	const before = view.state === 'late' ? 'approved' : view.state;
	if (held !== undefined && (held < at || (held === at && before <= state))) return view;
	return asLate({ ...open, state, decidedAt: at, ...extra });
}

/** Only what was approved can have come too late; which of the two lines is folded first makes no difference. */
function asLate(view: ApprovalView): ApprovalView {
	return view.isLate && view.state === 'approved' ? { ...view, state: 'late' } : view;
}
