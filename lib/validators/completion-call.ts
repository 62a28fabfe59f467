/** How an agent says that a task is done. */
export type CompletionCall =
	/** The client's own task, with its words where the hook carries them. */
	| { kind: 'task'; id: string; subject?: string }
	| { kind: 'todo'; todos: readonly unknown[] }
	/** Boxes of a feature: `edits` or `text` say what its tasks.md is to become. */
	| {
			kind: 'boxes';
			path: string;
			feature: string;
			text?: string;
			edits?: { from: string; to: string; all: boolean }[];
	  };

type Json = Record<string, unknown>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const FEATURE_TASKS = /(?:^|\/)specs\/features\/in-progress\/([a-z0-9][a-z0-9-]{0,127})\/tasks\.md$/;

/**
 * What a hook input is about to complete; null for every other one. It looks at names and types alone, because it is
 * asked at every call.
 */
export function completionCall(hook: string, fields: Json): CompletionCall | null {
	if (hook === 'TaskCompleted') {
		const { task_id: id, task_subject: subject } = fields;
		if (typeof id !== 'string' || id === '') return null;
		return { kind: 'task', id, ...(typeof subject === 'string' && { subject }) };
	}
	const { tool_name: tool, tool_input: input } = fields;
	if (hook !== 'PreToolUse' || !isJson(input)) return null;
	switch (tool) {
		case 'TaskUpdate':
			return input.status === 'completed' && typeof input.taskId === 'string'
				? { kind: 'task', id: input.taskId }
				: null;
		case 'TodoWrite': {
			const { todos } = input;
			const done = Array.isArray(todos) && todos.some((todo) => isJson(todo) && todo.status === 'completed');
			return done ? { kind: 'todo', todos } : null;
		}
		case 'Write':
		case 'Edit':
		case 'MultiEdit':
			return boxesCall(input);
		default:
			return null;
	}
}

function boxesCall(input: Json): CompletionCall | null {
	const path = typeof input.file_path === 'string' ? input.file_path : '';
	const feature = FEATURE_TASKS.exec(path)?.[1];
	if (feature === undefined) return null;
	if (typeof input.content === 'string') return { kind: 'boxes', path, feature, text: input.content };
	const edits = (Array.isArray(input.edits) ? input.edits : [input]).filter(isJson).flatMap((edit) => {
		const { old_string: from, new_string: to, replace_all: all } = edit;
		return typeof from === 'string' && from !== '' && typeof to === 'string' ? [{ from, to, all: all === true }] : [];
	});
	return edits.length > 0 ? { kind: 'boxes', path, feature, edits } : null;
}

/** What the file would be after the call; the same text where an edit finds nothing. */
export function textAfter(before: string, call: Extract<CompletionCall, { kind: 'boxes' }>): string {
	if (call.text !== undefined) return call.text;
	return (call.edits ?? []).reduce(
		(text, { from, to, all }) => (all ? text.replaceAll(from, () => to) : text.replace(from, () => to)),
		before,
	);
}
