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
