import type { ApprovalState } from '../contract/approvals/approval-record.ts';
import type { Decision } from '../contract/events/catalogue/approval.ts';
import type { EventOf } from '../contract/events/event.ts';
import type { ApprovalView } from './call.ts';
import { oneLine } from './call-title.ts';
import { suggestionWords } from './suggestion-words.ts';

/** What an approval is once a person has decided it so. */
export const decidedState: Readonly<Record<Decision, ApprovalState>> = {
	approve: 'approved',
	deny: 'denied',
	answer: 'answered',
};

type Resolved = Pick<
	EventOf<'approval:resolve'>,
	'decision' | 'by' | 'reason' | 'updatedInput' | 'stop' | 'suggestions'
>;

/** What a person decided beside yes or no, as a card and a line tell it. */
export function decidedWith(
	resolved: Resolved,
): Pick<ApprovalView, 'by' | 'reason' | 'stopped' | 'lasting' | 'answer'> {
	const { decision, by, reason, updatedInput, stop, suggestions = [] } = resolved;
	const answer = decision === 'answer' ? answerOf(updatedInput?.answers) : '';
	return {
		by,
		...(reason !== undefined && { reason }),
		...(stop && { stopped: true as const }),
		...(suggestions.length > 0 && { lasting: oneLine(suggestions.map((each) => suggestionWords(each)).join('; ')) }),
		...(answer !== '' && { answer }),
	};
}

function answerOf(answers: unknown): string {
	if (typeof answers !== 'object' || answers === null) return '';
	const given = Object.values(answers).filter((each) => typeof each === 'string');
	return oneLine(given.join('; '));
}
