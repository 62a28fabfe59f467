import { type Command, EXIT } from '../process/command.ts';
import { findGuides } from '../process/package-root.ts';
import { commandTable } from './command-table.ts';

function columns(rows: readonly (readonly [string, string])[]): string[] {
	const width = Math.max(...rows.map(([left]) => left.length));
	return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}

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
		'  signalbox start           run the server and print a login link',
		'  signalbox init            register the hooks in the project of this folder',
		'  signalbox doctor --live   prove that a denial really comes back',
		'',
		'Exit codes:',
		...columns([
			[String(EXIT.done), 'done'],
			[String(EXIT.failed), 'failed; what to do is on stderr'],
			[String(EXIT.usage), 'the command line does not fit'],
		]),
		'',
		'State is kept in ~/.overtone, or in OVERTONE_HOME where that is set.',
		`The guides are in ${findGuides()}.`,
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
		...columns(Object.entries(exits)),
	].join('\n');
}
