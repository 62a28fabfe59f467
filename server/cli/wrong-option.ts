import { parseArgs } from 'node:util';
import { nearestWord } from '#lib/text/near-words.ts';
import { type Command, parseOptions } from '../process/command.ts';

/**
 * What is wrong with the first option of a command line that the command does not know, that lacks its value or has one
 * too many; null where all fit. An empty value is none: it comes from a variable that nobody has set.
 */
export function wrongOption(args: readonly string[], command: Command): string | null {
	const parsed = parseArgs({ args: [...args], options: parseOptions(command), strict: false, tokens: true });
	for (const token of parsed.tokens) {
		if (token.kind !== 'option') continue;
		const { name, rawName, value, inlineValue } = token;
		const known = Object.hasOwn(command.options, name) ? command.options[name] : undefined;
		if (!known)
			return `There is no option ${rawName} here. ${wordOf(args[token.index], command) ?? optionsOf(name, command)}`;
		if (known.type === 'boolean' && value !== undefined) return `--${name} takes no value.`;
		if (known.type === 'boolean') continue;
		const shape = `--${name} ${known.value ?? 'VALUE'}`;
		if (!value) return `--${name} needs a value: ${shape}.`;
		if (!inlineValue && value.startsWith('-')) return `--${name} needs a value: ${shape}, or --${name}=${value}.`;
	}
	return null;
}

/** What to do with a word that begins with a dash, as the id of a passkey may. */
const wordOf = (arg: string | undefined, { words = 0 }: Command): string | undefined =>
	words > 0 && arg !== undefined && /^-[^-]./.test(arg) ? `If ${arg} is no option, write \`--\` before it.` : undefined;

function optionsOf(name: string, { options }: Command): string {
	const names = Object.keys(options);
	const meant = nearestWord(name, names);
	if (meant !== undefined) return `Did you mean --${meant}?`;
	return names.length === 0 ? 'It takes none.' : `It takes ${names.map((known) => `--${known}`).join(', ')}.`;
}
