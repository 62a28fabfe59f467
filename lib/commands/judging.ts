import type { Redirection, SyntaxNode } from 'unbash';
import type { Field } from './shell-field.ts';
import type { StepBudget } from './step-budget.ts';
import type { KnownVariables } from './word-fields.ts';

/** Where a command stands and what it would find. */
export interface Setting {
	span: Span;
	variables: KnownVariables;
	redirects: readonly Redirection[];
	/** What it reads where it has no redirection of its own: by a pipe, or by what stands around it. */
	fed?: Fed;
	/** How many texts within texts it stands in. */
	depth: number;
	source: string;
	/** Aliases that were put in on the way here: none is put in twice. */
	aliases?: readonly string[];
	/** Other places of the same command are tried as well, so that prefixes need not be followed. */
	isGuess?: true | undefined;
}

/** What a command is given to read; worked out when a program is asked for that reads code. */
export type Fed = readonly string[] | 'unknown' | (() => readonly string[] | 'unknown');

/** What those that know one kind of command may ask of the judge. */
export interface Judge {
	readonly budget: StepBudget;
	/** Judges words as a command with its arguments. */
	words(fields: readonly Field[], setting: Setting): void;
	/** Judges a text as a shell would run it: one of its own, or the one that stands here. */
	script(text: string, setting: Setting, how?: 'here'): void;
	/** Judges a text that a program other than a shell may run: only names that are written out count. */
	mayRun(text: string, setting: Setting): void;
	/** Says that what runs cannot be known from the line. */
	unknowable(fields: readonly Field[], why: string, setting: Setting): void;
	runsFile(): void;
	alias(name: string, text: string): void;
}

/** What those that follow a text may ask of the judge beside. */
export interface LineReader extends Judge {
	/** The text that an alias of this line stands for. */
	aliasOf(name: string): string | undefined;
	unreadable(message: string, span: Span): void;
}

/** What a command needs of the script around it. */
export interface CommandContext {
	readonly judge: LineReader;
	/** `at`: where the variables are looked at, if not where the node begins. */
	settingOf(node: SyntaxNode, at?: number): Setting;
}

/** Judges the arguments of one kind of command; `fields` starts with its name. */
export type CommandReader = (fields: readonly Field[], setting: Setting, judge: Judge) => void;

/** The denial that tells a person most: what surely runs before what may. */
export function weightier(one: CommandDenial | undefined, other: CommandDenial): CommandDenial {
	const weight = {
		'command.excluded': 3,
		'command.too-long': 2,
		'command.unparsable': 1,
		'command.unknowable': 0,
		'command.unknown': -1,
	};
	return !one || weight[other.rule] > weight[one.rule] ? other : one;
}

/** A stretch of the command line that a person is shown, in UTF-16 code units; `end` is exclusive. */
export interface Span {
	start: number;
	end: number;
}

/** Which commands must not run. `include` is kept and not consulted, as in seed 003. */
export interface CommandPolicy {
	exclude: readonly string[];
	/** `ask`: a program that is in no list here is a question as well (`commands.unknown`). */
	unknown?: 'ask' | undefined;
	include?: readonly string[];
}

export type CommandJudgement = { decision: 'pass' } | CommandDenial;

export interface CommandDenial {
	decision: 'deny';
	/**
	 * `excluded`: it names a command that must not run. `unknowable`: what it would run cannot be told from the line.
	 * `unknown`: it runs a program of which nothing is known. `too-long`: telling it would cost more than one line may.
	 */
	rule: 'command.excluded' | 'command.unknowable' | 'command.unknown' | 'command.unparsable' | 'command.too-long';
	/** The command that spoke, as it would run; empty where none was found. */
	command: string;
	/** The pattern it meets; empty where it meets none. */
	pattern: string;
	reason: string;
	/** The command with its arguments, as far as they are known. */
	argv: string[];
	span: Span;
}

/** The denial of a line that cannot be read, or of a text within it that stands at `span`. */
export function unparsable(reason: string, span: Span): CommandDenial {
	return { decision: 'deny', rule: 'command.unparsable', command: '', pattern: '', argv: [], reason, span };
}

/** The denial of a line that would cost too much to follow. */
export function tooLong(span: Span): CommandDenial {
	const reason = 'this command line is too long to be followed; put it into a file, or into several calls';
	return { decision: 'deny', rule: 'command.too-long', command: '', pattern: '', argv: [], reason, span };
}
