import { printable } from '../text/printable.ts';

const NAME = 'commands.exclude';
const MAX_PATTERNS = 200;
const MAX_CHARS = 100;

/** The patterns of `commands.exclude` in one config. What is wrong is left out and named in `problems`. */
export function excludedCommands(value: unknown, problems: string[]): string[] {
	if (value === undefined) return [];
	if (!Array.isArray(value) || value.length > MAX_PATTERNS) {
		problems.push(`${NAME} must be a list of at most ${MAX_PATTERNS} names of commands; it is ignored`);
		return [];
	}
	return value.flatMap((pattern: unknown) => {
		if (typeof pattern === 'string' && /^[^\s\p{Cc}]+$/u.test(pattern) && pattern.length <= MAX_CHARS) return [pattern];
		const shown = printable(typeof pattern === 'string' ? pattern : (JSON.stringify(pattern) ?? ''), 60);
		problems.push(`${NAME}: "${shown}" is ignored; it must be the name of a command, without arguments`);
		return [];
	});
}
