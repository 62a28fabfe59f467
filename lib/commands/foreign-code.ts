/** Longer code is looked at no further; in UTF-16 code units. */
const MAX_CODE = 32 * 1024;

/** What starts another program, in the languages that are given code on a command line. */
const STARTS =
	/(?:(?<![a-z])|(?<=^-\w{1,9}))(?:(?:system|popen\w*|exec\w*|spawn\w*)|create_subprocess_\w+|subprocess|child_process|check_(?:output|call)|passthru|shell_exec|proc_open|readpipe|open[23]|Command|Runtime)\b|\bshell script\b|\bgetline\b|\|&?\s*"|\bopen\b[^;"']{0,80}["'](?:\s*\||-\||[^"'|]{0,200}\|\s*["'])/i;
/** Perl and Ruby: quotes that are words. */
const WORD_QUOTES = String.raw`\b(?:qx|qw|qq?)\s*(?:\{[^}]{0,2000}\}|\([^)]{0,2000}\)|\[[^\]]{0,2000}\]|<[^>]{0,2000}>|([^\w\s,;=)])(?:(?!\1)[\s\S]){0,2000}\1)|%[xwWqQ]\s*(?:\{[^}]{0,2000}\}|\([^)]{0,2000}\)|\[[^\]]{0,2000}\]|<[^>]{0,2000}>|([^\w\s,;=)])(?:(?!\2)[\s\S]){0,2000}\2)|`;
const QUOTES = String.raw`"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|${'`'}(?:[^${'`'}\\]|\\[\s\S])*${'`'}`;
/** What is escaped begins no text; taken first, it keeps the search from starting at each such quote again. */
const ESCAPED = String.raw`\\[\s\S]`;
const LITERAL = new RegExp(`${ESCAPED}|${QUOTES}`, 'g');
const LITERAL_OF_PERL = new RegExp(`${WORD_QUOTES}${ESCAPED}|${QUOTES}`, 'g');
/** Delimiters that are signs of the language as well: right behind the word. */
const ATTACHED = /(?<![$@%&\w])(?:qx|qw|qq?)([;,=)])((?:(?!\1)[\s\S]){1,2000})\1/g;
/** Before a text that is only shown. */
const SHOWS = /\b(?:print\w*|puts|echo|log|warn|error|say|die|write\w*|throw|raise|Error)\s*\(?\s*[fFrRbB]?$/;
/** Perl and Ruby: a program without quotes around it. */
const BARE_OF_PERL = /\b(?:system|exec|readpipe|spawn)\b[\s({+-]*([\w./-]+)/g;
/** Tcl has commands without quotes around them. Each newline begins anew, so that many are not tried from each of them. */
const BARE = /(?:^|[;\n[][^\S\n]*)(?:exec|spawn)\s+(?!["'(])(?:-\w+\s+)*([^\n;\]]+)/g;
/** Between two arguments of one call: the second is the program's own, unless the first is one that runs others. */
const NEXT_ARGUMENT = /^\s*,\s*(?:[[(]\s*)?$/;
/** How a file of Perl is opened that is a program. */
const PIPE = /^(?:-\||\|-?)|\|$/g;
/** Of awk: a shown text goes to a shell. */
const TO_SHELL = /\|&?\s*["'][^"']*sh\b|(?<!\|)\|&?\s*[a-z_]\w*\s*[;}\n]/i;
const HEAD = /^(?:%[a-zA-Z]?|q[xqw]?)\s*/;

/** Runs by its quotes alone, in Perl, Ruby and PHP. */
const RUNS = /^(?:`|%x|qx)/;

/** What awk does with a name or field that holds the command. */
const STARTS_IN_AWK = /(?<!\|)\|&?\s*[a-z_$(]|[\w$)]\s*\|&?\s*getline/i;
const QUOTES_THAT_RUN = /`|\bqx\b|%x/;

/** Whether code starts programs, so that whatever it is given may be one. */
export function startsPrograms(text: string, backquotesRun: boolean): boolean {
	const code = text.slice(0, MAX_CODE);
	return STARTS.test(code) || STARTS_IN_AWK.test(code) || (backquotesRun && QUOTES_THAT_RUN.test(code));
}

/**
 * The texts in a piece of another language's code that it may run as commands, as they are written there.
 * `backquotesRun`: the language runs what stands in backquotes.
 */
export function commandsInCode(text: string, backquotesRun: boolean): string[] {
	const code = text.slice(0, MAX_CODE);
	const starts = startsPrograms(code, backquotesRun);
	if (!starts) return [];
	const calls: string[][] = [];
	let end = -1;
	let open: string[] | undefined;
	const isForShell = TO_SHELL.test(code);
	for (const literal of code.matchAll(backquotesRun ? LITERAL_OF_PERL : LITERAL)) {
		if (literal[0].startsWith('\\')) continue;
		const text = contentOf(literal[0]);
		const isNext = end >= 0 && NEXT_ARGUMENT.test(code.slice(end, literal.index));
		end = literal.index + literal[0].length;
		if (isNext) {
			open?.push(text);
			continue;
		}
		const isShown = !isForShell && SHOWS.test(code.slice(Math.max(0, literal.index - 40), literal.index));
		const runs = backquotesRun && RUNS.test(literal[0]);
		open = runs || !isShown ? [text] : undefined;
		if (open) calls.push(open, ...commandsInCode(text, backquotesRun).map((line) => [line]));
	}
	const attached = backquotesRun ? [...code.matchAll(ATTACHED)].map(([, , text = '']) => text) : [];
	const bare = [...code.matchAll(BARE), ...(backquotesRun ? code.matchAll(BARE_OF_PERL) : [])];
	return [...calls.flatMap(linesOfCall), ...attached, ...bare.map(([, text = '']) => text)];
}

/** The first argument as a line of its own, and all of them as the words of one command. */
function linesOfCall([first = '', ...args]: readonly string[]): string[] {
	const line = first.trim().replace(PIPE, '').trim();
	if (args.length === 0) return [line];
	const words = line === '' ? args : [line, ...args];
	const whole = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
	return [line === '' ? (args[0] ?? '') : line, whole];
}

const contentOf = (literal: string): string =>
	literal
		.replace(HEAD, '')
		.slice(1, -1)
		.replace(/\\n/g, '\n')
		.replace(/\\(["'`])/g, '$1');
