import { parseArgs } from 'node:util';
import { nearestWord } from '#lib/text/near-words.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { withProgramName } from '#lib/text/with-program-name.ts';
import {
	type Command,
	EXIT,
	fitValues,
	type OptionValues,
	parseOptions,
	type Terminal,
	tableLines,
	typed,
	UsageError,
} from '../process/command.ts';
import { failureWords } from '../process/failure-words.ts';
import { findGuides, packageVersion } from '../process/package-root.ts';
import { commandTable } from './command-table.ts';

/** Help and usage errors apply to any home, so commands are shown without OVERTONE_HOME. */
function inHelp(text: string, { program }: Terminal): string {
	return program === undefined ? text : withProgramName(text, program);
}

function unknownCommand(word: string, terminal: Terminal): number {
	const meant = nearestWord(word, Object.keys(commandTable));
	const advice = meant ? `Did you mean \`signalbox ${meant}\`?` : '`signalbox --help` lists the commands.';
	terminal.say(`Unknown command ${JSON.stringify(word)}. ${inHelp(advice, terminal)}`);
	return EXIT.usage;
}

function readArguments(command: Command, args: readonly string[]): { values: OptionValues; words: string[] } {
	const options = parseOptions(command);
	const wrong = wrongOption(args, command);
	if (wrong !== null) throw new UsageError(wrong);
	const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
	const [verb = ''] = positionals;
	const { verbs, words = 0 } = command;
	if (verbs && !Object.hasOwn(verbs, verb)) throw new UsageError(printVerbs(command));
	const surplus = positionals[verbs ? 1 + (verbs[verb] ?? 0) : words];
	if (surplus !== undefined) throw new UsageError(`Unexpected argument ${JSON.stringify(surplus)}.`);
	return { values: fitValues(command, values as OptionValues), words: positionals };
}

function printVerbs({ usage, verbs = {} }: Command): string {
	const [name] = usage.split(' ');
	const all = Object.keys(verbs).map((verb) => `\`${name} ${verb}\``);
	return `Choose a command: ${[all.slice(0, -1).join(', '), all.at(-1)].filter(Boolean).join(' or ')}.`;
}

async function runCommand(command: Command, args: readonly string[], given: Terminal): Promise<number> {
	const terminal: Terminal = { ...given, say: (line) => given.say(typed(line, given)) };
	try {
		if (args.includes('--help') || args.includes('-h')) {
			terminal.print(inHelp(commandHelp(command), terminal));
			return EXIT.done;
		}
		const { values, words } = command.raw ? { values: {}, words: args } : readArguments(command, args);
		return await command.run(values, words, terminal);
	} catch (error) {
		if (error instanceof UsageError) {
			given.say(inHelp(`${error.message}\nUsage: signalbox ${command.usage}`, given));
			return EXIT.usage;
		}
		terminal.say(failureWords(error));
		return EXIT.failed;
	}
}

/** Runs the command that `args` names and gives the exit code. Never throws. */
export async function dispatch(args: readonly string[], given: Terminal): Promise<number> {
	// Messages repeat words of agents and files, so they are cleaned. Results are not: another program may read them.
	const terminal: Terminal = { ...given, say: (line) => given.say(visibleString(line)) };
	const [word, ...rest] = args;
	if (word === undefined || word === '--help' || word === '-h' || word === 'help') {
		const helped = rest[0];
		if (word === 'help' && helped !== undefined) return dispatch([helped, '--help'], given);
		terminal.print(inHelp(generalHelp(), terminal));
		return word === undefined ? EXIT.usage : EXIT.done;
	}
	if (word === '--version') {
		terminal.print(packageVersion());
		return EXIT.done;
	}
	const row = Object.hasOwn(commandTable, word) ? commandTable[word] : undefined;
	if (row === undefined) return unknownCommand(word, terminal);
	// Refused if the system has no binary of SQLite, or while npm upgrades the program.
	const command = await row.load().catch((error: unknown) => terminal.say(failureWords(error)));
	return command ? runCommand(command, rest, terminal) : EXIT.failed;
}

const columns = (rows: readonly (readonly string[])[]) => tableLines(rows).map((line) => `  ${line}`);

/** `signalbox --help`. */
export function generalHelp(): string {
	return [
		'Signalbox: the control room for coding-agent sessions.',
		'',
		'Usage: signalbox COMMAND [OPTIONS]',
		'',
		'Commands:',
		...columns(Object.entries(commandTable).map(([name, { summary }]) => [name, summary])),
		'',
		'`signalbox COMMAND --help` shows options, examples and exit codes, `signalbox --version` the version.',
		'',
		'Examples:',
		'  signalbox start           start the server and print a login link',
		'  signalbox init            register the hooks in the project of this folder',
		'  signalbox doctor --live   prove that a denial reaches the agent',
		'',
		'Exit codes:',
		...columns([
			[String(EXIT.done), 'done'],
			[String(EXIT.failed), 'failed; advice is on stderr'],
			[String(EXIT.usage), 'wrong usage; nothing was done'],
		]),
		'',
		'All data is in ~/.overtone, or in OVERTONE_HOME if that is set.',
		`Guides: ${findGuides()}`,
	].join('\n');
}

/** `signalbox COMMAND --help`. */
export function commandHelp({ usage, about, options, examples, exits }: Command): string {
	const shown = Object.entries(options).map(
		([name, { value, about: what }]) => [`--${name}${value ? ` ${value}` : ''}`, what] as const,
	);
	return [
		`Usage: signalbox ${usage}`,
		'',
		about,
		'',
		'Options:',
		...columns([...shown, ['-h, --help', 'show this']]),
		'',
		'Examples:',
		...examples.map((line) => `  ${line}`),
		'',
		'Exit codes:',
		...columns(Object.entries({ ...exits, ...(exits[2] === undefined && { 2: 'wrong usage; nothing was done' }) })),
	].join('\n');
}

/**
 * What is wrong with the first bad option, null if none is. An empty value counts as missing: it comes from an unset variable.
 */
export function wrongOption(args: readonly string[], command: Command): string | null {
	const parsed = parseArgs({ args: [...args], options: parseOptions(command), strict: false, tokens: true });
	for (const token of parsed.tokens) {
		if (token.kind !== 'option') continue;
		const { name, rawName, value, inlineValue } = token;
		const known = Object.hasOwn(command.options, name) ? command.options[name] : undefined;
		if (!known) return `Unknown option ${rawName}. ${wordOf(args[token.index], command) ?? optionsOf(name, command)}`;
		if (known.type === 'boolean' && value !== undefined) return `--${name} takes no value.`;
		if (known.type === 'boolean') continue;
		const shape = `--${name} ${known.value ?? 'VALUE'}`;
		if (!value) return `--${name} needs a value: ${shape}.`;
		if (!inlineValue && value.startsWith('-')) return `--${name} needs a value: ${shape}, or --${name}=${value}.`;
	}
	return null;
}

/** Advice for a word that begins with a dash, such as the id of a passkey. */
const wordOf = (arg: string | undefined, { words = 0, verbs }: Command): string | undefined =>
	(words > 0 || verbs) && arg !== undefined && /^-[^-]./.test(arg)
		? `If ${arg} is not an option, write \`--\` before it.`
		: undefined;

function optionsOf(name: string, { options }: Command): string {
	const names = Object.keys(options);
	const meant = nearestWord(name, names);
	if (meant !== undefined) return `Did you mean --${meant}?`;
	return names.length === 0
		? 'This command has no options.'
		: `Options: ${names.map((known) => `--${known}`).join(', ')}.`;
}
