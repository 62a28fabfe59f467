import { parse, type Word } from 'unbash';
import { isPlain } from './shell-variables.ts';

/**
 * A text that is equal for command lines with the same effect: the words of a single plain command, however it is quoted and
 * spaced. Any other line is its own text, since its parts alone have no meaning.
 */
export function canonicalCommand(line: string): string {
	const words = plainWords(line);
	return words ? `words ${JSON.stringify(words)}` : `line ${line.trim()}`;
}

/** The words of a line that is one plain command; undefined for any other. */
export function plainWords(line: string): string[] | undefined {
	const { commands, errors } = parse(line);
	const [statement] = commands;
	const command = statement?.command;
	const isAlone = commands.length === 1 && !errors?.length && !statement?.background;
	if (!isAlone || command?.type !== 'Command' || command.prefix.length > 0 || !command.name) return undefined;
	const words = [command.name, ...command.suffix];
	return words.every(isPlainWord) ? words.map(({ value }) => value) : undefined;
}

function isPlainWord(part: { type: string } | Word): part is Word {
	// An unquoted tilde means another folder.
	return part.type === 'Word' && 'text' in part && !part.text.startsWith('~') && isPlain(part);
}
