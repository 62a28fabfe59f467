import type { LanguageName } from './languages.ts';

/**
 * The ways in which one program can be told to start another. Options stand as they are typed, with blanks between:
 * `-x --exec -wrapper`; a plain word is one as well. What a row says wrongly can deny or pass too much, and never throws.
 */
export interface ProgramRow {
	/** Its names in lower case, with blanks between; versions and platforms around them are left out. */
	names: string;
	/** Options whose value is a command. */
	runs?: string;
	/** Options whose value is a file, or a command behind `|` or `!`. */
	pipes?: string;
	/** Options whose value is a program, which is started with arguments of its own, or that a shell sees among others. */
	starts?: string;
	/** Options with which it also runs what it reads. */
	interactive?: string;
	/** Options behind which the other words are a command. */
	rest?: string;
	/** Options whose value is a file that says what runs. A file is not looked into; what the line itself makes is none. */
	file?: string;
	/** The same of a file that is read beside its code. */
	libraries?: string;
	/** Options whose value is code in `language`. */
	code?: string;
	/** Options whose value is a setting, `key=value`. */
	setting?: string;
	/** Settings whose value is a command, as a pattern over the whole name. */
	keys?: RegExp;
	/** Options with which it runs what no line tells. */
	hides?: string;
	/** One-letter options without a value, which may stand before another in one word: `-yx`. */
	flags?: string;
	/** Options with a value that is none of the above, so that the value is not taken for a file. */
	values?: string;
	language?: LanguageName;
	/**
	 * Where code stands beside its options: in the first word that is no option; in any word; or in what it reads, if no
	 * word names a file or code is given.
	 */
	codeIn?: 'first-word' | 'words' | 'input';
	/** A first word that says no more than that it runs what the next one names: `deno run`. */
	script?: string;
	/** What stands behind this in a word is a command: `EXEC:`. */
	begins?: RegExp;
	/** Any of its words may be a command. */
	words?: true;
	/** Its words, and what options have attached, are files that say what runs. */
	wordsAreFiles?: true;
	/** It copies files: a word that the line makes is one of them. */
	copies?: true;
}

/**
 * Reads a table: a row a line, `NAMES ; KEY VALUE ; KEY`. A line that begins with a tab goes on with the one before it.
 * `keys` and `begins` are patterns; a key without a value is true.
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
