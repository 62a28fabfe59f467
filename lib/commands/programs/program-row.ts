import type { LanguageName } from './languages.ts';

/**
 * The ways in which one program can be made to start another. Options are written as typed, separated by blanks: `-x --exec
 * -wrapper`; a plain word can be one as well. An error in a row can deny or pass too much, and never throws.
 */
export interface ProgramRow {
	/** Its names in lower case, separated by blanks; without versions and platforms. */
	names: string;
	/** Options whose value is a command. */
	runs?: string;
	/** Options whose value is a file, or a command behind `|` or `!`. */
	pipes?: string;
	/** Options whose value is a program that gets arguments of its own, or that a shell receives among others. */
	starts?: string;
	/** Options that make it also run its input. */
	interactive?: string;
	/** Options after which the remaining words are a command. */
	rest?: string;
	/** Options whose value is a file with commands. A file is not examined, unless the line itself creates it. */
	file?: string;
	/** Options whose value is a file of code that is read beside its own. */
	libraries?: string;
	/** Options whose value is code in `language`. */
	code?: string;
	/** Options whose value is a setting, `key=value`. */
	setting?: string;
	/** Settings whose value is a command, as a pattern over the whole name. */
	keys?: RegExp;
	/** Options that make it run what cannot be determined from the line. */
	hides?: string;
	/** One-letter options without a value, which may precede another in one word: `-yx`. */
	flags?: string;
	/** Options with any other value, so that the value is not taken for a file. */
	values?: string;
	language?: LanguageName;
	/**
	 * Where code is, beside its options: in the first word that is not an option; in any word; or in its input, if no word names
	 * a file and no code is given.
	 */
	codeIn?: 'first-word' | 'words' | 'input';
	/** A first word after which the next one names what to run: `deno run`. */
	script?: string;
	/** The rest of a word after this prefix is a command: `EXEC:`. */
	begins?: RegExp;
	/** Any of its words may be a command. */
	words?: true;
	/** Its words, and the values attached to options, are files with commands. */
	wordsAreFiles?: true;
	/** It copies files: a word that the line produces is one of them. */
	copies?: true;
}

/**
 * Reads a table: one row a line, `NAMES ; KEY VALUE ; KEY`. A line that begins with a tab continues the one before it. `keys` and
 * `begins` are patterns; a key without a value is true.
 */
export function readTable<Row extends { names: string }>(text: string): Row[] {
	const lines = text.replace(/\n\t/g, ' ').split('\n').filter(Boolean);
	return lines.map((line) => {
		const [names = '', ...ways] = line.split(' ; ');
		const entries = ways.map((way): [string, unknown] => {
			const [key = ''] = way.split(' ', 1);
			const value = way.slice(key.length + 1);
			return [key, value === '' ? true : /^(?:keys|begins)$/.test(key) ? new RegExp(value, 'i') : value];
		});
		return { names, ...Object.fromEntries(entries) } as Row;
	});
}
