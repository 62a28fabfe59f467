import type { ApprovalView } from '#lib/session/call.ts';
import { QUESTION_TOOL } from '#lib/supervisor/supervisor-input.ts';

/** What an approval is about, in one line; agent text, to be shown as text only. */
export function headlineOf({ denials, tool, title, asked, review }: ApprovalView): string {
	if (review) {
		const what = review.event === 'PreToolUse' ? `the question “${title}”` : 'the stop of the agent';
		return `Supervisor ${review.isOver ? 'blocked' : 'reviews'} ${what}`;
	}
	const [first] = denials;
	if (!first && tool === QUESTION_TOOL) return `The agent asks: ${title}`;
	if (!first) return `${tool} asks for permission${title && `: ${title}`}`;
	return first.rule === 'routing.agent-in-plan' && asked ? `${asked} is not in the plan` : first.reason;
}
