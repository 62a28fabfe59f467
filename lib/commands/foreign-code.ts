/** Longer code is looked at no further; in UTF-16 code units. */
const MAX_CODE = 32 * 1024;

/** What starts another program, in the languages that are given code on a command line. */
const STARTS =
	/\b(?:system|popen\w*|exec\w*|spawn\w*|subprocess|child_process|check_(?:output|call)|passthru|shell_exec|proc_open|Command|Runtime)\b|\bshell script\b|\bgetline\b|\|&?\s*"/i;
const LITERAL =
	/"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|`(?:[^`\\]|\\[\s\S])*`|(?:%x|qx)\s*(?:\{[^}]*\}|\([^)]*\)|\[[^\]]*\]|(\W)(?:(?!\1)[\s\S])*\1)/g;
/** Before a text that is only shown. */
const SHOWS = /\b(?:print\w*|puts|echo|log|warn|error|say|die|write\w*|throw|raise|Error)\s*\(?\s*[fFrRbB]?$/;
/** Tcl has commands without quotes around them. */
const BARE = /(?:^|[;\n[]\s*)(?:exec|spawn)\s+(?!["'(])(?:-\w+\s+)*([^\n;\]]+)/g;
const RUNS_TEXT = /^-\w*c$|^\/c$/i;
/** Between two arguments of one call: the second is the program's own, unless the first has a shell take it. */
const NEXT_ARGUMENT = /^\s*,\s*[[(]?\s*$/;

/** Runs by its quotes alone, in Perl, Ruby and PHP. */
const RUNS = /^(?:`|%x|qx)/;

/**
 * The texts in a piece of another language's code that it may run as commands, as they are written there.
 * `backquotesRun`: the language runs what stands in backquotes.
 */
export function commandsInCode(text: string, backquotesRun: boolean): string[] {
	const code = text.slice(0, MAX_CODE);
	const starts = STARTS.test(code);
	if (!starts && !backquotesRun) return [];
	const found: string[] = [];
	let last = { text: '', end: -1 };
	for (const literal of code.matchAll(LITERAL)) {
		const text = contentOf(literal[0]);
		const between = last.end < 0 ? '' : code.slice(last.end, literal.index);
		const runs = backquotesRun && RUNS.test(literal[0]);
		const isArgument = last.end >= 0 && NEXT_ARGUMENT.test(between) && !RUNS_TEXT.test(last.text);
		const isShown = SHOWS.test(code.slice(Math.max(0, literal.index - 40), literal.index));
		if (runs || (starts && !isArgument && !isShown)) found.push(text);
		last = { text, end: literal.index + literal[0].length };
	}
	for (const [, text = ''] of code.matchAll(BARE)) found.push(text);
	return found;
}

const contentOf = (literal: string): string =>
	literal
		.replace(/^(?:%x|qx)\s*/, '')
		.slice(1, -1)
		.replace(/\\n/g, '\n')
		.replace(/\\(["'`])/g, '$1');
