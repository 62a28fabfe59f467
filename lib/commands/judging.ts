import type { Redirection, SyntaxNode } from 'unbash';
import type { Field } from './shell-field.ts';
import type { StepBudget } from './step-budget.ts';
import type { KnownVariables } from './word-fields.ts';

/** The context in which a command runs. */
export interface Setting {
	span: Span;
	variables: KnownVariables;
	redirects: readonly Redirection[];
	/** The texts that it reads without a redirection of its own: from a pipe or the construct around it. */
	fed?: Fed;
	/** How many texts it is nested in. */
	depth: number;
	source: string;
	/** Aliases expanded on the way here: each is expanded only once. */
	aliases?: readonly string[];
	/** Other interpretations of the same command are also tried, so prefixes need not be followed. */
	isGuess?: true | undefined;
}

/** The input of a command; computed only if a program reads code from it. */
export type Fed = readonly string[] | 'unknown' | (() => readonly string[] | 'unknown');

/** What a reader of one kind of command needs from the judge. */
export interface Judge {
	readonly budget: StepBudget;
	/** Judges words as a command with its arguments. */
	words(fields: readonly Field[], setting: Setting): void;
	/** Judges a text as a shell would run it: a shell of its own, or the current one. */
	script(text: string, setting: Setting, how?: 'here'): void;
	/** Judges a text that a program other than a shell may run: only fully written names count. */
	mayRun(text: string, setting: Setting): void;
	/** Reports that what runs cannot be determined from the line. */
	unknowable(fields: readonly Field[], why: string, setting: Setting): void;
	runsFile(): void;
	alias(name: string, text: string): void;
}

/** What a reader of a whole text needs from the judge. */
export interface LineReader extends Judge {
	/** The text of an alias of this line. */
	aliasOf(name: string): string | undefined;
	unreadable(message: string, span: Span): void;
}

/** What a command needs from the script around it. */
export interface CommandContext {
	readonly judge: LineReader;
	/** `at`: where the variables are read, if not at the node's begin. */
	settingOf(node: SyntaxNode, at?: number): Setting;
}

/** Judges the arguments of one kind of command; `fields` starts with its name. */
export type CommandReader = (fields: readonly Field[], setting: Setting, judge: Judge) => void;

/** The denial that helps a person more: what surely runs before what may run. */
export function moreImportant(one: CommandDenial | undefined, other: CommandDenial): CommandDenial {
	const weight = {
		'command.excluded': 3,
		'command.too-long': 2,
		'command.unparsable': 1,
		'command.unknowable': 0,
		'command.unknown': -1,
	};
	return !one || weight[other.rule] > weight[one.rule] ? other : one;
}

/** A part of the command line that is shown to a person, in UTF-16 code units; `end` is exclusive. */
export interface Span {
	start: number;
	end: number;
}

/** Which commands must not run. `include` is stored but not used, as in seed 003. */
export interface CommandPolicy {
	exclude: readonly string[];
	/** `ask`: a program that is in no list is a question as well (`commands.unknown`). */
	unknown?: 'ask' | undefined;
	include?: readonly string[];
}

export type CommandJudgement = { decision: 'pass' } | CommandDenial;

export interface CommandDenial {
	decision: 'deny';
	/**
	 * `excluded`: it names a command that must not run. `unknowable`: what it would run cannot be determined from the line.
	 * `unknown`: it runs a program about which nothing is known. `too-long`: judging it would exceed the budget of a line.
	 */
	rule: 'command.excluded' | 'command.unknowable' | 'command.unknown' | 'command.unparsable' | 'command.too-long';
	/** The denied command, as it would run; empty if none was found. */
	command: string;
	/** The pattern that it matches; empty if none. */
	pattern: string;
	reason: string;
	/** The command with its arguments, as far as they are known. */
	argv: string[];
	span: Span;
}

/** The denial of a line that cannot be parsed, or of a text inside it at `span`. */
export function unparsable(reason: string, span: Span): CommandDenial {
	return { decision: 'deny', rule: 'command.unparsable', command: '', pattern: '', argv: [], reason, span };
}

/** The denial of a line that is too expensive to judge. */
export function tooLong(span: Span): CommandDenial {
	const reason = 'this command line is too long to be followed; put it into a file, or into several calls';
	return { decision: 'deny', rule: 'command.too-long', command: '', pattern: '', argv: [], reason, span };
}
