import { type Say, english } from '#lib/messages/say.ts';
import { QUESTION_TOOL } from '#lib/supervisor/supervisor-input.ts';
import type { ApprovalView } from '#lib/contract/sessions/read-model/call-view.ts';

/** What an approval is about, in one line; agent text, to be shown as text only. */
export function headlineOf({ denials, tool, title, asked, review }: ApprovalView, say: Say = english): string {
	if (review) {
		const what =
			review.event === 'PreToolUse'
				? say('the question “{question}”', { question: title })
				: say('the stop of the agent');
		return review.isOver ? say('Supervisor blocked {what}', { what }) : say('Supervisor reviews {what}', { what });
	}
	const [first] = denials;
	if (!first && tool === QUESTION_TOOL) return say('The agent asks: {question}', { question: title });
	if (!first && title === '') return say('{tool} asks for permission', { tool });
	if (!first) return say('{tool} asks for permission: {what}', { tool, what: title });
	const isUnplanned = first.rule === 'routing.agent-in-plan' && asked;
	return isUnplanned ? say('{agent} is not in the plan', { agent: asked }) : first.reason;
}
