import { parseArgs } from 'node:util';
import { asTyped } from '#lib/text/as-typed.ts';
import { nearestWord } from '#lib/text/near-words.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import {
	type Command,
	EXIT,
	type OptionValues,
	parseOptions,
	type Terminal,
	typed,
	UsageError,
} from '../process/command.ts';
import { failureWords } from '../process/failure-words.ts';
import { packageVersion } from '../process/package-root.ts';
import { commandTable } from './command-table.ts';
import { commandHelp, generalHelp } from './help.ts';
import { wrongOption } from './wrong-option.ts';

/** Help, and what is said of a command line: of any home. */
function inHelp(text: string, { program }: Terminal): string {
	return program === undefined ? text : asTyped(text, program);
}

function unknownCommand(word: string, terminal: Terminal): number {
	const meant = nearestWord(word, Object.keys(commandTable));
	const advice = meant ? `Did you mean \`signalbox ${meant}\`?` : '`signalbox --help` lists the commands.';
	terminal.say(`There is no command ${JSON.stringify(word)}. ${inHelp(advice, terminal)}`);
	return EXIT.usage;
}

function readArguments(command: Command, args: readonly string[]): { values: OptionValues; words: string[] } {
	const options = parseOptions(command);
	const wrong = wrongOption(args, command);
	if (wrong !== null) throw new UsageError(wrong);
	const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
	const surplus = positionals[command.words ?? 0];
	if (surplus !== undefined) throw new UsageError(`Nothing is known of ${JSON.stringify(surplus)} here.`);
	return { values: values as OptionValues, words: positionals };
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
	// What is said repeats words of agents and files; what is printed may be for a program and stays as it is.
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
	if (!Object.hasOwn(commandTable, word)) return unknownCommand(word, terminal);
	const command = await commandTable[word]?.load();
	return command === undefined ? EXIT.usage : runCommand(command, rest, terminal);
}
