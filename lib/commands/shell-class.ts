import { tokenise } from './tokenise.ts';

/** Who runs a line: the shell's own commands, a tool from outside, or the operating system. */
export type ShellClass = 'agent' | 'extend' | 'native';

const OWN = new Set(['read', 'write', 'edit', 'bash', 'TodoWrite']);

/** The first word of a line, as written; empty for an empty line. */
export function firstWord(line: string): string {
	return /^\s*(\S*)/.exec(line)?.[1] ?? '';
}

/** The name of a line of the agent shell in restrictions: its first word, without quotes around it. */
export function baseCommandOf(line: string): string {
	const word = firstWord(line);
	const read = tokenise(word);
	return read.ok ? (read.tokens[0] ?? '') : word;
}

/** The text after the first word, without the blanks between. */
export function afterFirstWord(line: string): string {
	return line.trimStart().slice(firstWord(line).length).trimStart();
}

/**
 * Who runs a line (seed 003). Only the first word counts: a colon in an argument never makes `skill:load a:b` a tool. Names are
 * case-sensitive, and `editor` is not `edit`.
 */
export function classOf(line: string): ShellClass {
	const word = firstWord(line);
	if (word.startsWith('mcp:')) return 'extend';
	if (word.startsWith('skill:')) return word.split(':').length > 2 ? 'extend' : 'agent';
	return OWN.has(word) || word === 'command:search' || word.startsWith('task:') ? 'agent' : 'native';
}
