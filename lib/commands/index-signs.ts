import { forEachChild, type SyntaxNode } from 'unbash';
import type { StepBudget } from './step-budget.ts';

/** Programs that turn a harmless looking text into any other. */
const DECODER = /^(?:.*\/)?(?:base(?:64|32|nc)|xxd|od|uudecode|openssl|rev|(?:gz|bz|xz|zst|z)cat|gunzip|unxz|zstd)$/;
/** A character by its number, as `printf`, `echo -e`, `sed`, `tr` and `awk` take it. */
const ESCAPE = /\\(?:0?[0-7]{2,3}|x[\da-f]|u[\da-f]|o\d|d\d{2})|%c/i;

/** One that may stand behind a name; not the one of a test (`[ -f x ]`) in a text for another shell. */
const BRACKET = /\w\[|(?:^|\S)\[(?!\[?\s)|^\[\s*$/;

/**
 * Whether a line holds what an index with a substitution (`a[$(x)]`) can be made of: its characters in texts that the
 * shell does not read as code itself, in any order and place, or an escape or a program that could make them. Without
 * these a text that is read or printed comes from elsewhere, as a script in a file does.
 */
export class IndexSigns {
	#bracket = false;
	#open = false;
	#dollar = false;
	#backquote = false;
	#decodes = false;
	readonly #budget: StepBudget;

	constructor(budget: StepBudget) {
		this.#budget = budget;
	}

	/** Takes in a part of a line with all that stands in it. */
	read(node: SyntaxNode): void {
		this.#budget.open(node);
		this.#take(node);
		forEachChild(node, (child) => {
			const isTest = node.type === 'Command' && child === node.name && node.name.value === '[';
			// An index that stands in arithmetic is followed where it stands.
			if (!isTest && node.type !== 'ArithmeticWord') this.read(child);
			else if (child.type !== 'Literal') forEachChild(child, (each) => this.read(each));
		});
	}

	#take(node: SyntaxNode): void {
		switch (node.type) {
			case 'Literal':
			case 'SingleQuoted':
			case 'AnsiCQuoted':
			case 'Glob':
				return this.#text(node.value);
			case 'BraceExpansion':
			case 'ExtendedGlob':
			case 'HereDocBody':
				return this.#text(node.text);
			case 'Word':
				return node.parts ? undefined : this.#text(node.value);
		}
	}

	/** Whether all that is needed was seen. */
	get complete(): boolean {
		return this.#decodes || (this.#bracket && (this.#backquote || (this.#dollar && this.#open)));
	}

	#text(text: string): void {
		if (DECODER.test(text) || ESCAPE.test(text)) this.#decodes = true;
		if (BRACKET.test(text)) this.#bracket = true;
		if (/[({]/.test(text)) this.#open = true;
		if (text.includes('$')) this.#dollar = true;
		if (text.includes('`')) this.#backquote = true;
	}
}
