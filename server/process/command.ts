import type { ParseArgsConfig } from 'node:util';
import { withProgramName } from '#lib/text/with-program-name.ts';
import { findGuides } from './package-root.ts';

/** Where a command reads and writes; tests pass their own. */
export interface Terminal {
	env: Readonly<Record<string, string | undefined>>;
	/** Working directory, absolute. */
	cwd: string;
	/** The command line of this program; absent: `signalbox`. */
	program?: string;
	/** This program in command lines to copy: with OVERTONE_HOME if the home is not the default. */
	programHere?: string;
	/** Writes a line to stdout, where results go. */
	print(line: string): void;
	/** Writes a line to stderr, for everything beside the result. */
	say(line: string): void;
	/** Receives a command's output as it comes; without it that goes to the process's own streams. */
	write?(chunk: Buffer, stream: 'stdout' | 'stderr'): Promise<void> | void;
}

const GUIDE = /(?<![\w./-])docs\/guide\/(?=[\w-]+\.md)/g;

/** Our own text for stdout, with our command as this person types it, and guides by their path; `say` does that itself. */
export function typed(text: string, { programHere }: Terminal): string {
	return programHere === undefined ? text : withProgramName(text, programHere).replace(GUIDE, () => `${findGuides()}/`);
}

/** The exit codes of every command (docs/guide/cli.md). Throw an error with advice for `failed`, a UsageError for `usage`. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/** The values of a command's options, by long name; an option that was not given is undefined. */
export type OptionValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** One option, as it is parsed and as `--help` shows it. */
export interface CommandOption {
	type: 'string' | 'boolean';
	/** The word for the value in the help, e.g. `DIR`. */
	value?: string;
	/** May be given several times; the values are a list. */
	multiple?: true;
	oneOf?: readonly string[];
	/** The value is a number between these two. */
	between?: readonly [least: number, most: number];
	about: string;
}

export interface Command {
	/** Synopsis after `signalbox`, e.g. `init [--project DIR]`. */
	usage: string;
	/** What it is for: a few lines for `--help`. */
	about: string;
	options: Readonly<Record<string, CommandOption>>;
	/** The first words that choose what is done, and how many words may follow each. */
	verbs?: Readonly<Record<string, number>>;
	/** Words without dashes that it takes, at most; for a command without verbs. */
	words?: number;
	/** Receives its arguments unparsed, as `words`. */
	raw?: true;
	examples: readonly string[];
	/** The meaning of its exit codes; that of a wrong command line is the same everywhere. */
	exits: Readonly<Record<number, string>>;
	/** Returns the exit code. Throws UsageError for wrong values. */
	run(values: OptionValues, words: readonly string[], terminal: Terminal): Promise<number> | number;
}

type ValueOf<Option extends CommandOption> = Option extends { type: 'boolean' }
	? boolean
	: Option extends { multiple: true }
		? readonly string[]
		: Option extends { between: readonly unknown[] }
			? number
			: Option extends { oneOf: readonly (infer Word)[] }
				? Word
				: string;

/** A command whose values and verbs have the types that its options and verbs declare. */
export function defineCommand<const Options extends Command['options'], const Verbs extends Record<string, number>>(
	command: Omit<Command, 'options' | 'verbs' | 'run'> & {
		options: Options;
		verbs?: Verbs;
		run(
			values: { readonly [Name in keyof Options]: ValueOf<Options[Name]> | undefined },
			words: readonly [verb: keyof Verbs & string, ...string[]],
			terminal: Terminal,
		): Promise<number> | number;
	},
): Command {
	return command as unknown as Command;
}

/** A wrong command line; the message says how it should be. Exit code 2. */
export class UsageError extends Error {}

/** What was asked for cannot be done; the message says why. Exit code 1. */
export class Refusal extends Error {}

/** The options in the form of `parseArgs`; `--help` is everywhere. */
export function parseOptions(command: Command): NonNullable<ParseArgsConfig['options']> {
	const own = Object.entries(command.options).map(
		([name, { type, multiple = false }]) => [name, { type, multiple }] as const,
	);
	return { ...Object.fromEntries(own), help: { type: 'boolean', short: 'h' } };
}

/** The values with the types that the options declare. Throws UsageError for a wrong one. */
export function fitValues({ options }: Command, values: OptionValues): OptionValues {
	const fitted = Object.entries(values).map(([name, value]) => {
		const { oneOf, between } = options[name] ?? {};
		if (typeof value !== 'string') return [name, value];
		if (oneOf && !oneOf.includes(value)) throw new UsageError(`--${name} must be one of: ${oneOf.join(', ')}.`);
		return [name, between ? numberOption(name, value, ...between) : value];
	});
	return Object.fromEntries(fitted);
}

/** Rows as lines with aligned columns, two spaces between them; columns in `right` are aligned right. */
export function tableLines(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
	const widths = rows.reduce<number[]>(
		(most, row) => row.map((cell, index) => Math.max(most[index] ?? 0, cell.length)),
		[],
	);
	return rows.map((row) =>
		row
			.map((cell, position) =>
				right.includes(position) ? cell.padStart(widths[position] ?? 0) : cell.padEnd(widths[position] ?? 0),
			)
			.join('  ')
			.trimEnd(),
	);
}

/** A number between two bounds. Throws UsageError, naming the option. */
export function numberOption(name: string, text: string, least: number, most: number): number {
	const value = Number(text);
	if (/^\d+(\.\d+)?$/.test(text) && value >= least && value <= most) return value;
	throw new UsageError(`--${name} must be a number from ${least} to ${most}, but it is "${text}".`);
}

/** The value of `--port`. Throws UsageError. */
export function portOption(text: string): number {
	const port = numberOption('port', text, 1, 65_535);
	if (Number.isInteger(port)) return port;
	throw new UsageError(`--port must be a whole number, but it is "${text}".`);
}
