import type { SyntaxNode } from 'unbash';

/**
 * What judging one command line may cost, in steps of about a microsecond: the judge runs on the server's only thread, and a hook
 * has a time limit after which a call runs unjudged.
 */
export const MAX_STEPS = 30_000;
/** Reading a text again costs its length in UTF-16 code units divided by this. */
const CHARS_PER_STEP = 10;
/** The parser does not read deeper expansions. */
const MAX_DEPTH = 256;

/** No real script has this many in a row, and the parser recurses into each. */
const PARENTHESES = /\({6000}/;

/** Texts of fewer UTF-16 code units are always read. */
const SHORT = 16 * 1024;
/** No line of more commands can be judged within the budget, so it is not even parsed. */
const MAX_COMMANDS = 4000;
/** The minimal cost of a command. */
const STEPS_A_COMMAND = 8;
/** Parts in which a separator does not end a command: quotes, an escape, a comment. */
const TEXT = /'[^']*'|"[^"\\]*(?:\\[\s\S][^"\\]*)*"|\\[\s\S]|(?:^|[\s;&|(])#.*/g;

/** Thrown when a line has cost too much. */
export class TooManySteps extends Error {}

/** Counts the cost of judging one line. Every part of it that grows with the line is charged here. */
export class StepBudget {
	readonly #limit: number;
	#spent = 0;

	constructor(limit = MAX_STEPS) {
		this.#limit = limit;
	}

	get spent(): number {
		return this.#spent;
	}

	/** Throws TooManySteps if the budget is used up. */
	spend(steps: number): void {
		this.#spent += steps;
		if (this.#spent > this.#limit) throw new TooManySteps('too many steps');
	}

	/**
	 * Charged before a text is parsed. Here-documents cost the square of their number, and nested expansions their depth times
	 * the text.
	 */
	parse(text: string): void {
		if (PARENTHESES.test(text)) throw new TooManySteps('too many parentheses');
		if (hasManyCommands(text)) this.spend(MAX_COMMANDS * STEPS_A_COMMAND);
		let documents = 0;
		let depth = 0;
		let deepest = 0;
		for (const [sign] of text.matchAll(/<<|\$\{|\}/g)) {
			if (sign === '<<') documents += 1;
			else depth = sign === '}' ? Math.max(depth - 1, 0) : depth + 1;
			deepest = Math.max(deepest, depth);
		}
		this.spend(1 + documents ** 2 / 256 + ((1 + Math.min(deepest, MAX_DEPTH)) * text.length) / 128);
	}

	/** Charged before the parts of a node are read: they are parsed only then, and again at each depth. */
	open(node: SyntaxNode): void {
		this.spend(1 + lengthOf(node) / CHARS_PER_STEP);
	}
}

/** The lines of a here-document are not commands, so a text with one is parsed. */
function hasManyCommands(text: string): boolean {
	if (text.length < SHORT || text.includes('<<')) return false;
	if (text.split(/[;&|\n]/, MAX_COMMANDS + 1).length <= MAX_COMMANDS) return false;
	const commands = text.replace(TEXT, '_').split(/[;&|\n]+/, 2 * MAX_COMMANDS);
	return commands.filter((each) => /\S/.test(each)).length > MAX_COMMANDS;
}

/** The length of a node with parts of its own; 0 for any other. */
function lengthOf(node: SyntaxNode): number {
	switch (node.type) {
		case 'Word':
		case 'Script':
			return node.end - node.pos;
		case 'ParameterExpansion':
		case 'ArithmeticExpansion':
			return node.text.length;
		case 'ArithmeticWord':
			return node.value.length;
		default:
			return 0;
	}
}
