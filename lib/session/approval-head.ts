import type { Tone } from '../contract/event-labels.ts';
import type { ApprovalState } from '../contract/http.ts';
import type { ApprovalView } from './call.ts';
import { oneLine } from './call-title.ts';

const words: Partial<Record<ApprovalState, { call: string; review: string; tone: Tone }>> = {
	approved: { call: 'Approved', review: 'Allowed', tone: 'ok' },
	denied: { call: 'Denied', review: 'Blocked', tone: 'err' },
	answered: { call: 'Answered', review: 'Answered', tone: 'ok' },
};

/** What the line of a question without a call of its own says: how it was decided, once it was. */
export function approvalHead(approval: ApprovalView): { title: string; label?: string; tone?: Tone } {
	const { state, review, title, stopped, lasting, answer, reason } = approval;
	// A review ends by itself: nobody has left it unanswered.
	if (review && !review.isOver && state === 'abandoned') {
		return { title: oneLine([title, reason].filter(Boolean).join(' · ')), label: 'Review over', tone: 'plain' };
	}
	const said = words[state];
	const end = state === 'abandoned' && reason;
	const more = [title, answer, lasting && `also: ${lasting}`, stopped && 'ending the agent’s turn', end];
	const line = oneLine(more.filter(Boolean).join(' · '));
	return { title: line, ...(said && { label: review ? said.review : said.call, tone: said.tone }) };
}
