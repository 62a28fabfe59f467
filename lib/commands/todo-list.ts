import { isJson } from '../json/json.ts';
import { limitOf, type ShellEnv } from './shell-settings.ts';

const STATUSES = ['pending', 'in_progress', 'completed'] as const;

/** One todo: its name, the form used while it is done, and its state. */
export interface Todo {
	content: string;
	activeForm: string;
	status: (typeof STATUSES)[number];
}

type TodosRead = { ok: true; todos: Todo[] } | { ok: false; message: string };

export const TODO_USAGE = `Usage: TodoWrite '{"todos":[{"content":"...","activeForm":"...","status":"pending"}]}'`;

/**
 * Reads the argument of `TodoWrite` and enforces seed 003's limits: SYNAPSE_TODO_MAX_ITEMS items (50), texts of
 * SYNAPSE_TODO_MAX_CONTENT_LENGTH characters (200), one item in progress. An empty list clears. Quotes around the JSON are
 * removed; inside it only JSON's own escapes count.
 */
export function readTodos(text: string, env: ShellEnv): TodosRead {
	const given = text.trim();
	if (given === '') return { ok: false, message: `Missing JSON parameter. ${TODO_USAGE}` };
	const quote = /^['"]/.exec(given)?.[0];
	if (quote && (given.length < 2 || !given.endsWith(quote)))
		return { ok: false, message: 'Unclosed quote in arguments' };
	const inner = quote ? given.slice(1, -1) : given;
	let value: unknown;
	try {
		// Within double quotes the writer of a shell line escapes the quotes of the JSON.
		value = JSON.parse(quote === '"' ? inner.replace(/\\(["\\])/g, '$1') : inner);
	} catch (error) {
		return { ok: false, message: `Invalid JSON format: ${error instanceof Error ? error.message : String(error)}` };
	}
	return checkTodos(value, env);
}

function checkTodos(value: unknown, env: ShellEnv): TodosRead {
	const todos = isJson(value) ? value.todos : undefined;
	if (!isJson(value) || !Array.isArray(todos)) return invalid(['todos: must be a list']);
	const surplus = Object.keys(value).filter((key) => key !== 'todos');
	if (surplus.length > 0) return invalid(surplus.map((key) => `${key}: nothing is known of this field`));
	const most = limitOf(env, 'SYNAPSE_TODO_MAX_ITEMS', 50);
	if (todos.length > most) return { ok: false, message: `Too many items (max ${most})` };
	const longest = limitOf(env, 'SYNAPSE_TODO_MAX_CONTENT_LENGTH', 200);
	const problems = todos.flatMap((todo: unknown, index) => problemsOf(todo, `todos.${index}`, longest));
	if (problems.length > 0) return invalid(problems);
	const checked = todos as Todo[];
	if (checked.filter(({ status }) => status === 'in_progress').length > 1) {
		return { ok: false, message: 'Too many in_progress items (max 1)' };
	}
	return { ok: true, todos: checked };
}

function problemsOf(todo: unknown, at: string, longest: number): string[] {
	if (!isJson(todo)) return [`${at}: must be an object`];
	const surplus = Object.keys(todo).filter((key) => !['content', 'activeForm', 'status'].includes(key));
	const texts = (['content', 'activeForm'] as const).flatMap((name): string[] => {
		const text = todo[name];
		if (typeof text !== 'string' || text.trim() === '') return [`${at}.${name}: must be a text that is not blank`];
		return text.length > longest ? [`${at}.${name}: at most ${longest} characters, but it has ${text.length}`] : [];
	});
	const known = STATUSES.some((status) => status === todo.status);
	return [
		...texts,
		...(known ? [] : [`${at}.status: must be pending, in_progress or completed`]),
		...surplus.map((key) => `${at}.${key}: nothing is known of this field`),
	];
}

function invalid(problems: readonly string[]): TodosRead {
	const lines = problems.slice(0, 20).map((problem) => `- ${problem}`);
	return { ok: false, message: ['Error: Validation failed', ...lines].join('\n') };
}

export function todoSummary(todos: readonly Todo[]): string {
	if (todos.length === 0) return 'The todo list is empty.';
	const count = (status: Todo['status']): number => todos.filter((todo) => todo.status === status).length;
	return `Todos: ${count('completed')} completed, ${count('in_progress')} in progress, ${count('pending')} pending.`;
}
