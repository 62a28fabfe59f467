import { parseArgs } from 'node:util';
import { visibleString } from '#lib/text/visible-text.ts';
import { type Command, EXIT, type OptionValues, parseOptions, type Terminal, typed, UsageError } from './command.ts';
import { commandTable, nearestCommand } from './command-table.ts';
import { commandHelp, generalHelp } from './help.ts';

function unknownCommand(word: string, terminal: Terminal): number {
	const meant = nearestCommand(word);
	const advice = meant ? `Did you mean \`signalbox ${meant}\`?` : '`signalbox --help` lists the commands.';
	terminal.say(`There is no command ${JSON.stringify(word)}. ${advice}`);
	return EXIT.usage;
}

function readArguments(command: Command, args: readonly string[]): { values: OptionValues; words: string[] } {
	try {
		const { values, positionals } = parseArgs({
			args: [...args],
			options: parseOptions(command),
			allowPositionals: true,
			strict: true,
		});
		const surplus = positionals[command.words ?? 0];
		if (surplus !== undefined) throw new UsageError(`Nothing is known of ${JSON.stringify(surplus)} here.`);
		return { values: values as OptionValues, words: positionals };
	} catch (error) {
		if (error instanceof UsageError) throw error;
		throw new UsageError(error instanceof Error ? error.message : String(error));
	}
}

async function runCommand(command: Command, args: readonly string[], terminal: Terminal): Promise<number> {
	try {
		if (args.includes('--help') || args.includes('-h')) {
			terminal.print(typed(commandHelp(command), terminal));
			return EXIT.done;
		}
		const { values, words } = command.raw ? { values: {}, words: args } : readArguments(command, args);
		return await command.run(values, words, terminal);
	} catch (error) {
		if (error instanceof UsageError) {
			terminal.say(`${error.message}\nUsage: signalbox ${command.usage}`);
			return EXIT.usage;
		}
		terminal.say(error instanceof Error ? error.message : String(error));
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
		terminal.print(typed(generalHelp(), terminal));
		return word === undefined ? EXIT.usage : EXIT.done;
	}
	if (!Object.hasOwn(commandTable, word)) return unknownCommand(word, terminal);
	const command = await commandTable[word]?.load();
	return command === undefined ? EXIT.usage : runCommand(command, rest, terminal);
}
