import type { ApprovalView } from '#lib/session/call.ts';

/** What an approval is about, in one line; agent text, to be shown as text only. */
export function headlineOf({ denials, tool, title }: ApprovalView): string {
	const [first] = denials;
	if (!first) return `${tool} asks for permission: ${title}`;
	const quoted = /^["“'](?<agent>[^"”']+)["”'] /u.exec(first.reason)?.groups?.agent;
	if (first.gate === 'routing' && quoted) return `${quoted} is not in the plan`;
	return first.reason;
}
