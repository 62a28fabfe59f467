import type { LanguageName } from './languages.ts';

/**
 * The ways in which one program can be told to start another. Options stand as they are typed, with blanks between:
 * `-x --exec -wrapper`. What a row says wrongly can deny or pass too much, and never throws.
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
	/** Options with which it runs what no line tells. */
	hides?: string;
	/** One-letter options without a value, which may stand before another in one word: `-yx`. */
	flags?: string;
	/** Options with a value that is none of the above, so that the value is not taken for a file. */
	values?: string;
	/** Settings whose value is a command, as a pattern over the whole name. */
	commandSettings?: RegExp;
	language?: LanguageName;
	/**
	 * Where code stands beside its options: in the first word that is no option; in any word; or in what it reads, if no
	 * word names a file or code is given.
	 */
	codeIn?: 'first-word' | 'words' | 'input';
	/** First words behind which each word is a command: `busctl`, `hyperfine`. An empty list: any of its words is one. */
	wordsRun?: readonly string[];
	/** Its words are files that say what runs. */
	wordsAreFiles?: true;
	/** It copies files: a word that the line makes is one of them. */
	copies?: true;
}
