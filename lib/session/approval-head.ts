import type { ApprovalState } from '../contract/approvals/approval-record.ts';
import type { Tone } from '../contract/events/event-labels.ts';
import type { ApprovalView } from './call.ts';
import { oneLine } from './call-title.ts';

/** How each end of a question looks; colour is never alone. */
export const approvalTones: Record<ApprovalState, Tone> = {
	waiting: 'wait',
	approved: 'ok',
	denied: 'err',
	answered: 'ok',
	expired: 'warn',
	abandoned: 'warn',
	late: 'warn',
};

const words: Partial<Record<ApprovalState, { call: string; review: string }>> = {
	approved: { call: 'Approved', review: 'Allowed' },
	denied: { call: 'Denied', review: 'Blocked' },
	answered: { call: 'Answered', review: 'Answered' },
	late: { call: 'Approved too late', review: 'Allowed too late' },
};

/** What the line of a question without a call of its own says: how it was decided, once it was. */
export function approvalHead(approval: ApprovalView): { title: string; label?: string; tone?: Tone } {
	const { state, review, title, stopped, lasting, answer, reason } = approval;
	// A review ends by itself: nobody has left it unanswered.
	if (review && !review.isOver && state === 'abandoned') {
		return { title: oneLine([title, reason].filter(Boolean).join(' · ')), label: 'Review over', tone: 'plain' };
	}
	const word = words[state];
	const end = state === 'abandoned' && reason;
	const more = [title, answer, lasting && `also: ${lasting}`, stopped && 'ending the agent’s turn', end];
	const line = oneLine(more.filter(Boolean).join(' · '));
	return { title: line, ...(word && { label: review ? word.review : word.call, tone: approvalTones[state] }) };
}
