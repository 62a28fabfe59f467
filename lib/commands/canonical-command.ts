import { parse, type Word } from 'unbash';

/**
 * What two command lines have in common that do the same: the words of a single plain command, however it is quoted and
 * spaced; of anything else the line itself, since its parts mean nothing alone.
 */
export function canonicalCommand(line: string): string {
	const words = plainWords(line);
	return words ? `words ${JSON.stringify(words)}` : `line ${line.trim()}`;
}

function plainWords(line: string): string[] | undefined {
	const { commands, errors } = parse(line);
	const [statement] = commands;
	const command = statement?.command;
	const isAlone = commands.length === 1 && !errors?.length && !statement?.background;
	if (!isAlone || command?.type !== 'Command' || command.prefix.length > 0 || !command.name) return undefined;
	const words = [command.name, ...command.suffix];
	return words.every(isPlain) ? words.map(({ value }) => value) : undefined;
}

function isPlain(part: { type: string } | Word): part is Word {
	if (part.type !== 'Word' || !('text' in part)) return false;
	// A tilde stands for another folder when it is not quoted.
	if (part.text.startsWith('~')) return false;
	return (part.parts ?? []).every((piece) =>
		piece.type === 'DoubleQuoted'
			? piece.parts.every(({ type }) => type === 'Literal')
			: ['Literal', 'SingleQuoted', 'AnsiCQuoted'].includes(piece.type),
	);
}
