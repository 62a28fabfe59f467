import type { AgentHook } from '../agents/agent-hook.ts';
import { type FileEdit, filesOf, type Replacement } from '../agents/tool-call.ts';

export type CompletionCall =
	| { kind: 'task'; id: string; subject?: string }
	| { kind: 'todo'; todos: readonly unknown[] }
	| { kind: 'boxes'; path: string; feature: string; text?: string; edits?: readonly Replacement[] };

const FEATURE_TASKS = /(?:^|\/)specs\/features\/in-progress\/([a-z0-9][a-z0-9-]{0,127})\/tasks\.md$/;

/** What a hook is about to complete, decided by names alone, since every call is checked. */
export function completionCall(hook: AgentHook): CompletionCall | null {
	if (hook.at === 'task-end') return { kind: 'task', id: hook.taskId, ...(hook.subject && { subject: hook.subject }) };
	if (hook.at !== 'call') return null;
	const { deed } = hook.call;
	switch (deed.does) {
		case 'complete-task':
			return { kind: 'task', id: deed.id };
		case 'update-todos': {
			const isDone = deed.todos.some(
				(todo) => typeof todo === 'object' && todo !== null && 'status' in todo && todo.status === 'completed',
			);
			return isDone ? { kind: 'todo', todos: deed.todos } : null;
		}
		case 'edit-file':
			return (
				filesOf(deed)
					.map(boxesIn)
					.find((boxes) => boxes !== null) ?? null
			);
		default:
			return null;
	}
}

function boxesIn({ path, text, edits }: FileEdit): CompletionCall | null {
	const feature = path === null ? undefined : FEATURE_TASKS.exec(path)?.[1];
	if (path === null || feature === undefined) return null;
	if (text !== undefined) return { kind: 'boxes', path, feature, text };
	return edits ? { kind: 'boxes', path, feature, edits } : null;
}

/** The file's text after the call; unchanged if an edit finds nothing. */
export function textAfter(before: string, call: Extract<CompletionCall, { kind: 'boxes' }>): string {
	if (call.text !== undefined) return call.text;
	return (call.edits ?? []).reduce(
		(text, { from, to, all }) => (all ? text.replaceAll(from, () => to) : text.replace(from, () => to)),
		before,
	);
}
