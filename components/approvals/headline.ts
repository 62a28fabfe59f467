import type { ApprovalView } from '#lib/session/call.ts';

/** The routing gate's words, as seed 000 fixes them. */
const outsidePlan = /^Agent mismatch: (?<agent>.+) not in expected \[/u;

/** What an approval is about, in one line; agent text, to be shown as text only. */
export function headlineOf({ denials, tool, title }: ApprovalView): string {
	const [first] = denials;
	if (!first) return `${tool} asks for permission: ${title}`;
	const agent = outsidePlan.exec(first.reason)?.groups?.agent;
	return agent === undefined ? first.reason : `${agent} is not in the plan`;
}
