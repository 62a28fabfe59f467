import type { SyntaxNode } from 'unbash';

/**
 * What one command line may cost, in steps of about a microsecond: the judge runs on the server's only thread, and a
 * hook has a time limit behind which a call runs unjudged.
 */
export const MAX_STEPS = 30_000;
/** Steps to read a text again are its length in UTF-16 code units by this. */
const CHARS_PER_STEP = 10;
/** Deeper expansions are not read by the parser. */
const MAX_DEPTH = 256;

/** No script has so many of them in a row, and the parser follows each. */
const PARENTHESES = /\({6000}/;

/** Texts of fewer UTF-16 code units are read in any case. */
const SHORT = 16 * 1024;
/** No line of more commands can be followed, so that it is not even parsed. */
const MAX_COMMANDS = 4000;
/** What the shortest command costs at least. */
const STEPS_A_COMMAND = 8;
/** What has no end of a command in it: quotes, an escape, a comment. */
const TEXT = /'[^']*'|"[^"\\]*(?:\\[\s\S][^"\\]*)*"|\\[\s\S]|(?:^|[\s;&|(])#.*/g;

/** Thrown when a line has cost too much. */
export class TooManySteps extends Error {}

/** Counts what the judgement of one line costs. Every part of it that grows with the line is charged here. */
export class StepBudget {
	readonly #limit: number;
	#spent = 0;

	constructor(limit = MAX_STEPS) {
		this.#limit = limit;
	}

	get spent(): number {
		return this.#spent;
	}

	/** Throws TooManySteps when nothing is left. */
	spend(steps: number): void {
		this.#spent += steps;
		if (this.#spent > this.#limit) throw new TooManySteps('too many steps');
	}

	/**
	 * Before a text is parsed. Here-documents cost the square of their number, and the expansions within one another their
	 * depth times the text.
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

	/** Before the parts of a node are asked for: what stands within is read only then, and at each depth again. */
	open(node: SyntaxNode): void {
		this.spend(1 + lengthOf(node) / CHARS_PER_STEP);
	}
}

/** The lines of a here-document are no commands, so that a text with one is parsed. */
function hasManyCommands(text: string): boolean {
	if (text.length < SHORT || text.includes('<<')) return false;
	if (text.split(/[;&|\n]/, MAX_COMMANDS + 1).length <= MAX_COMMANDS) return false;
	const commands = text.replace(TEXT, '_').split(/[;&|\n]+/, 2 * MAX_COMMANDS);
	return commands.filter((each) => /\S/.test(each)).length > MAX_COMMANDS;
}

/** The length of a node that has more within than its own text; 0 for any other. */
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
