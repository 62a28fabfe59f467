import { forEachChild, type SyntaxNode, type Word } from 'unbash';
import { type Field, knownText } from './shell-field.ts';
import type { StepBudget } from './step-budget.ts';

/** Programs that turn a harmless-looking text into any other. */
const DECODER = /^(?:.*\/)?(?:base(?:64|32|nc)|xxd|od|uudecode|openssl|rev|(?:gz|bz|xz|zst|z)cat|gunzip|unxz|zstd)$/;
/** A character written as its number, as `printf`, `echo -e`, `sed`, `tr` and `awk` accept it. */
const ESCAPE = /\\(?:0?[0-7]{2,3}|x[\da-f]|u[\da-f]|o\d|d\d{2})|%c/i;
/** A bracket that may begin an index; not the one of a test (`[ -f x ]`) in a text for another shell. */
const BRACKET = /\w\[|(?:^|\S)\[(?!\[?\s)|^\[\s*$/;
/** The start of a substitution that quotes hide only from the first reading of a line. */
const HIDDEN_START = /'[^']*[$`\\]|\\[$`]/;
const COMPARES = /^-(?:eq|ne|lt|le|gt|ge|v)$/;
/** Bash evaluates every value of these variables. */
const INTEGERS = /^(?:S?RANDOM|OPTIND|SECONDS|HISTCMD|LINENO|EPOCH(?:SECONDS|REALTIME)|E?UID|PPID)$/;
/** Builtins that take names, possibly with an index. */
const TAKES_NAMES =
	/^(?:read|printf|unset|test|\[|wait|mapfile|readarray|getopts|declare|typeset|local|export|readonly)$/;

/**
 * Whether a line may run a substitution in an index (`a[$(x)]`) of a text that it evaluates as arithmetic. Searches the whole
 * line for two things: a calculation with something that is not a number, and texts that contain the parts of such an index, or a
 * program or escape that could produce it. Without these the evaluated text comes from elsewhere, like a script in a file.
 */
export class ArithmeticRisk {
	readonly #budget: StepBudget;
	#counts = false;
	#bracket = false;
	#open = false;
	#dollar = false;
	#backquote = false;
	#decodes = false;

	constructor(budget: StepBudget) {
		this.#budget = budget;
	}

	get isThere(): boolean {
		const isMade = this.#decodes || (this.#bracket && (this.#backquote || (this.#dollar && this.#open)));
		return this.#counts && isMade;
	}

	/** Adds a part of a line with everything in it. */
	read(node: SyntaxNode): void {
		this.#budget.spend(1);
		this.#readNode(node);
		forEachChild(node, (child) => {
			const isTest = node.type === 'Command' && child === node.name && node.name.value === '[';
			// An index inside arithmetic is followed there.
			if (!isTest && (node.type !== 'ArithmeticWord' || child.type !== 'Literal')) this.read(child);
		});
	}

	/** Adds a builtin as it would be run. */
	builtin(name: string, fields: readonly Field[]): void {
		const words = fields.slice(1).map((field) => knownText(field) ?? field.raw);
		const isDeclared = /^(?:declare|typeset|local|export|readonly)$/.test(name);
		if (name === 'let' || (isDeclared && words.some((word) => /^-\w*i|=\([\s\S]*\[/.test(word)))) this.#counts = true;
		if (!TAKES_NAMES.test(name) || (name === 'printf' && !words[0]?.startsWith('-v'))) return;
		if (words.some((word) => /\w\[/.test(word) || INTEGERS.test(word))) this.#counts = true;
	}

	#readNode(node: SyntaxNode): void {
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
			default:
				return this.#readCounted(node);
		}
	}

	#readCounted(node: SyntaxNode): void {
		switch (node.type) {
			case 'ArithmeticWord':
				return this.#count(node.value);
			case 'ArithmeticCommandExpansion':
				return this.#count('$');
			case 'ArithmeticExpansion':
				return this.#count(node.expression ? '' : node.text);
			case 'ArithmeticCommand':
				return this.#count(node.expression ? '' : node.body);
			case 'FileDescriptorVariable':
				return this.#count(node.name.includes('[') ? node.name : '');
			case 'Assignment':
				if (INTEGERS.test(node.name)) this.#counts = true;
				if (node.value.type !== 'Word')
					this.#countWords(...node.value.elements.filter(({ text }) => text.startsWith('[')));
				return this.#countWords(node.index);
			case 'For':
			case 'Select':
				if (INTEGERS.test(node.name.value)) this.#counts = true;
				return;
			case 'ParameterExpansion': {
				const { index, operation } = node;
				return this.#countWords(index, ...(operation?.type === 'Slice' ? [operation.offset, operation.length] : []));
			}
			case 'TestBinary':
				return COMPARES.test(node.operator) ? this.#countWords(node.left, node.right) : undefined;
			case 'TestUnary':
				return COMPARES.test(node.operator) ? this.#countWords(node.operand) : undefined;
		}
	}

	#countWords(...words: readonly (Word | undefined)[]): void {
		for (const word of words) {
			this.#count(word?.text ?? '');
			// The quoted text in an index is still evaluated, and its bracket is part of the line.
			if (HIDDEN_START.test(word?.text ?? '')) this.#bracket = true;
		}
	}

	#count(text: string): void {
		if (/[^\d\s@*]/.test(text)) this.#counts = true;
	}

	#text(text: string): void {
		if (DECODER.test(text) || ESCAPE.test(text)) this.#decodes = true;
		if (BRACKET.test(text)) this.#bracket = true;
		if (/[({]/.test(text)) this.#open = true;
		if (text.includes('$')) this.#dollar = true;
		if (text.includes('`')) this.#backquote = true;
	}
}
