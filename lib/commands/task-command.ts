import { defined } from '../json/json.ts';
import { tokenise } from './tokenise.ts';

/** The kinds of agents that `task:` starts (seed 003). */
export const taskTypes = ['skill', 'explore', 'general'] as const;
export type TaskType = (typeof taskTypes)[number];

export interface Task {
	type: TaskType;
	/** Only for `skill`: `search` searches for skills, anything else improves them. */
	action?: string;
	prompt: string;
	description: string;
	model?: string;
	maxTurns?: number;
}

/** The result of reading a `task:` line; messages are for the agent that wrote it. */
export type TaskRead = { kind: 'help' } | { kind: 'task'; task: Task } | { kind: 'error'; message: string };

const OPTIONS = {
	'--prompt': 'prompt',
	'-p': 'prompt',
	'--description': 'description',
	'-d': 'description',
	'--model': 'model',
	'--max-turns': 'maxTurns',
} as const;
type Field = (typeof OPTIONS)[keyof typeof OPTIONS];

const isOption = (token: string): token is keyof typeof OPTIONS => Object.hasOwn(OPTIONS, token);

/**
 * Reads `task:TYPE[:ACTION] --prompt TEXT --description TEXT [--model NAME] [--max-turns N]`. An unclosed quote is reported
 * first; then help takes precedence over all other errors, then the type, then the options.
 */
export function readTask(line: string): TaskRead {
	const read = tokenise(line.trim());
	if (!read.ok) return { kind: 'error', message: `Task execution failed: ${read.error}` };
	const [name = '', ...words] = read.tokens;
	if (words.some((word) => word === '--help' || word === '-h')) return { kind: 'help' };
	const parts = /^task:([^:]+)(?::([^:]+))?$/.exec(name);
	const type = taskTypes.find((known) => known === parts?.[1]);
	if (!type || (parts?.[2] !== undefined && type !== 'skill')) {
		const message = `Invalid task command: the types are ${taskTypes.join(', ')}. \`task:general --help\` tells more.`;
		return { kind: 'error', message };
	}
	const options = readOptions(words);
	if (typeof options === 'string') return invalid(options);
	const { prompt, description, model, maxTurns } = options;
	if (!prompt?.trim()) return invalid('--prompt is missing');
	if (!description?.trim()) return invalid('--description is missing');
	if (maxTurns !== undefined && !/^[1-9]\d{0,5}$/.test(maxTurns)) {
		return invalid('--max-turns must be a whole number from 1 to 999999');
	}
	// The model becomes an argument of a program, which must not read it as an option.
	if (model?.startsWith('-')) return invalid('--model cannot start with a dash');
	const task: Task = {
		type,
		prompt,
		description,
		...defined({ action: parts?.[2], model }),
		...(maxTurns !== undefined && { maxTurns: Number(maxTurns) }),
	};
	return { kind: 'task', task };
}

/** The values by field, the last of each; words that are not options are ignored. A string describes an error. */
function readOptions(words: readonly string[]): Partial<Record<Field, string>> | string {
	const found: Partial<Record<Field, string>> = {};
	for (let index = 0; index < words.length; index++) {
		const word = words[index] ?? '';
		const joined = /^(--[a-z-]+)=(.*)$/s.exec(word);
		const name = joined?.[1] ?? word;
		if (!isOption(name)) continue;
		const value = joined ? joined[2] : words[index + 1];
		if (!joined) index += 1;
		// If another option follows, the value was forgotten.
		if (value === undefined || (!joined && isOption(value))) return `${name} needs a value`;
		found[OPTIONS[name]] = value;
	}
	return found;
}

function invalid(what: string): TaskRead {
	return { kind: 'error', message: `Invalid parameters: ${what}. Required: --prompt, --description` };
}

/** The tools of a task's agent: none, or all but those of some shell commands. */
export interface TaskAccess {
	/** Patterns that its own shell refuses, as in `commands.exclude`. */
	exclude: readonly string[];
	tools: 'all' | 'none';
	/** Turns if the command names none; absent: the agent client decides. */
	maxTurns?: number;
}

/** What each kind of task's agent may do (seed 003): none starts further agents, explorers change nothing. */
export function accessOf({ type, action }: Pick<Task, 'type' | 'action'>): TaskAccess {
	switch (type) {
		case 'explore':
			return { exclude: ['task:', 'edit', 'write'], tools: 'all' };
		case 'general':
			return { exclude: ['task:'], tools: 'all' };
		case 'skill':
			return action === 'search'
				? { exclude: ['task:'], tools: 'none', maxTurns: 1 }
				: { exclude: ['task:'], tools: 'all' };
	}
}
