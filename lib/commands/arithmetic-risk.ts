import {
	type Assignment,
	type Command,
	forEachChild,
	type ParameterExpansionPart,
	type ParsedScript,
	type SyntaxNode,
	type Word,
	type WordPart,
} from 'unbash';
import { IndexSigns } from './index-signs.ts';
import { type Field, knownText } from './shell-field.ts';
import type { StepBudget } from './step-budget.ts';

/** Commands that print a number whatever they read, as a whole substitution or at the end of a pipe. */
const PRINTS_NUMBER =
	/^(?:[^&;\n]*\|)?\s*(?:(date) (?:-\S+ [^&|;$`+]* )?["']?\+%[sNYmdHMSju]+["']?|(nproc)|(wc)(?: -[lcwm]+)*(?: ?< ?["']?[\w./${}-]+["']?)?|(grep) -\w*c\w* [\w"'.^-]+(?: [\w"./-]+)?)\s*$/;
const COMPARES = /^-(?:eq|ne|lt|le|gt|ge|v)$/;
const NAME = /[A-Za-z_]\w*|(?<=\$\{?)[\d@*]/g;
/** Whatever is put into these, bash evaluates. */
const INTEGERS = [
	'RANDOM',
	'SRANDOM',
	'OPTIND',
	'SECONDS',
	'HISTCMD',
	'LINENO',
	'EPOCHSECONDS',
	'EPOCHREALTIME',
	'UID',
	'EUID',
	'PPID',
];
/** Stands for the positional parameters. */
const WORDS = '@';

/**
 * Which variables of a line hold a text that something else computes, and which are evaluated as arithmetic, wherever
 * in the line: there the text of a value runs the substitution in an index (`a[$(x)]`). Nothing is at risk unless the
 * line holds what such an index is made of; variables that it does not set are taken for numbers.
 */
export class ArithmeticRisk {
	readonly #budget: StepBudget;
	readonly #signs: IndexSigns;
	readonly #open = new Set<string>();
	readonly #copies = new Map<string, Set<string>>();
	readonly #counted = new Set<string>(INTEGERS);
	readonly #keyed = new Set<string>();
	readonly #functions = new Set<string>();

	constructor(budget: StepBudget) {
		this.#budget = budget;
		this.#signs = new IndexSigns(budget);
	}

	/** Takes in a text; returns a variable that is at risk now. */
	read(script: ParsedScript): string | undefined {
		this.#signs.read(script);
		this.#visit(script);
		return this.#risky();
	}

	/** Takes in a builtin that sets or counts variables, as it would be run. */
	builtin(name: string, fields: readonly Field[]): string | undefined {
		const words = fields.slice(1).map((field) => knownText(field) ?? field.raw);
		const names = words.flatMap((word) => /^["']?([A-Za-z_]\w*)/.exec(word)?.[1] ?? []);
		const has = (letter: string): boolean => words.some((word) => new RegExp(`^-\\w*${letter}`).test(word));
		if (/^(?:read|mapfile|readarray|getopts)$/.test(name)) this.#opens([...names, 'REPLY', 'MAPFILE', 'OPTARG']);
		else if (name === 'printf') this.#printf(words);
		else if (name === 'let') {
			this.#count(words.join(' '));
			if (words.some((word) => /\$\(|`/.test(word))) this.#substitution('$(…)', '$(…)', true);
		} else if (/^(?:declare|typeset|local|export|readonly)$/.test(name)) {
			if (has('A')) for (const each of names) this.#keyed.add(each);
			else if (has('i')) for (const each of names) this.#counted.add(each);
		} else if (name === 'set' || this.#functions.has(name)) for (const { raw } of fields.slice(1)) this.#copyText(raw);
		return this.#risky();
	}

	#opens(names: readonly string[]): void {
		for (const name of names) this.#open.add(name);
	}

	#printf(words: readonly string[]): void {
		const [, attached] = /^-v(.*)$/s.exec(words[0] ?? '') ?? [];
		if (attached === undefined) return;
		const [target = '', format = ''] = attached ? [attached, words[1]] : words.slice(1);
		if (!/^%0?\d*[dux]$/.test(format)) this.#opens([/^\w*/.exec(target)?.[0] ?? '']);
	}

	#visit(node: SyntaxNode): void {
		this.#budget.spend(1);
		this.#take(node);
		forEachChild(node, (child) => this.#visit(child));
	}

	#take(node: SyntaxNode): void {
		switch (node.type) {
			case 'Assignment':
				return this.#takeAssignment(node);
			case 'For':
			case 'Select':
				for (const word of node.wordlist ?? []) this.#copy(node.name.value, word);
				if (!node.wordlist) this.#link(node.name.value, WORDS);
				return;
			case 'Function':
				this.#functions.add(node.name.value);
				this.#open.add(`${node.name.value}()`);
				return;
			case 'Command':
				return this.#takeDeclaration(node);
			case 'ParameterExpansion':
				return this.#takeExpansion(node);
			case 'TestBinary':
				if (COMPARES.test(node.operator)) this.#countWords(node.left, node.right);
				return;
			case 'TestUnary':
				if (COMPARES.test(node.operator)) this.#countWords(node.operand);
				return;
			default:
				return this.#takeArithmetic(node);
		}
	}

	#takeArithmetic(node: SyntaxNode): void {
		if (node.type === 'ArithmeticExpansion') this.#count(node.expression ? '' : node.text);
		else if (node.type === 'ArithmeticCommand') this.#count(node.expression ? '' : node.body);
		else if (node.type === 'ArithmeticCommandExpansion') this.#substitution(node.text, '$(…)', true);
		else if (node.type === 'ArithmeticWord') {
			this.#countParts(node.value, node.parts);
		}
	}

	#takeAssignment({ name, index, value }: Assignment): void {
		if (index && !this.#keyed.has(name)) this.#countWords(index);
		for (const word of value.type === 'Word' ? [value] : value.elements) this.#copy(name, word);
	}

	/** `declare -A`: its indexes are texts. */
	#takeDeclaration({ name, args }: Command): void {
		if (!/^(?:declare|typeset|local)$/.test(name?.value ?? '')) return;
		const texts = args.map(({ text }) => text);
		if (!texts.some((text) => /^-\w*A/.test(text))) return;
		for (const text of texts) this.#keyed.add(/^\w*/.exec(text)?.[0] ?? '');
	}

	#takeExpansion({ operation, index, parameter }: ParameterExpansionPart): void {
		if (index && !this.#keyed.has(parameter)) this.#countWords(index);
		if (operation?.type === 'Slice') this.#countWords(operation.offset, operation.length);
		if (operation?.type === 'Default' && operation.operator.endsWith('=')) this.#copy(parameter, operation.operand);
	}

	#count(text: string): void {
		for (const [name] of text.matchAll(NAME)) this.#counted.add(/^[\d*]$/.test(name) ? WORDS : name);
	}

	#countWords(...words: readonly (Word | undefined)[]): void {
		for (const word of words) {
			if (!word || word.text === '@' || word.text === '*') continue;
			this.#countParts(word.text, word.parts);
		}
	}

	/** What stands in a substitution is not counted, only what it prints. */
	#countParts(text: string, parts: readonly WordPart[] = []): void {
		const inner = parts.flatMap((part) => (part.type === 'DoubleQuoted' ? part.parts : part));
		let rest = text;
		for (const part of inner) {
			if (part.type !== 'CommandExpansion') continue;
			this.#substitution(part.text, '$(…)', true);
			rest = rest.replace(part.text, () => ' ');
		}
		this.#count(rest);
	}

	#copy(name: string, { parts, value }: Word): void {
		if (!parts) return this.#literal(name, value);
		for (const part of parts) this.#copyPart(name, part);
	}

	#copyPart(name: string, part: WordPart): void {
		switch (part.type) {
			case 'Literal':
			case 'SingleQuoted':
			case 'AnsiCQuoted':
				return this.#literal(name, part.value);
			case 'DoubleQuoted':
			case 'LocaleString':
				for (const child of part.parts) this.#copyPart(name, child);
				return;
			case 'SimpleExpansion':
				return this.#link(name, part.text.slice(1));
			case 'ParameterExpansion':
				return this.#copyExpansion(name, part);
			case 'CommandExpansion':
				return this.#substitution(part.text, name, false);
			case 'BraceExpansion':
				if (!/^\{[\w,]+\}$|^\{-?\d+\.\.-?\d+(?:\.\.-?\d+)?\}$/.test(part.text)) this.#open.add(name);
				return;
			case 'Glob':
			case 'ExtendedGlob':
				this.#open.add(name);
		}
	}

	#copyExpansion(name: string, { prefix, operation, parameter }: ParameterExpansionPart): void {
		if (prefix === '#') return;
		if (prefix || operation?.type === 'Transform') this.#open.add(name);
		if (operation?.type === 'Default') this.#copy(name, operation.operand);
		if (operation?.type === 'Replace') this.#copy(name, operation.replacement);
		this.#link(name, parameter);
	}

	/** Of an argument as it is written. */
	#copyText(raw: string): void {
		if (/`|\$\(|\[/.test(raw)) this.#open.add(WORDS);
		for (const [, name = ''] of raw.matchAll(/\$\{?[!#]?(\w+)/g)) this.#link(WORDS, name);
	}

	#literal(name: string, text: string): void {
		if (/[[`$]/.test(text.replace(/^\[[\w-]*\]=/, ''))) this.#open.add(name);
	}

	#substitution(text: string, name: string, isCounted: boolean): void {
		if (isCounted) this.#counted.add(name);
		const body = text.startsWith('`') ? text.slice(1, -1) : text.slice(2, -1);
		const program = PRINTS_NUMBER.exec(body)?.slice(1).find(Boolean);
		if (program) this.#link(name, `${program}()`);
		else this.#open.add(name);
	}

	#link(name: string, from: string): void {
		const known = this.#copies.get(name) ?? new Set();
		this.#copies.set(name, known.add(/^[\d*]+$/.test(from) ? WORDS : from));
	}

	#risky(): string | undefined {
		if (!this.#signs.complete) return undefined;
		this.#budget.spend(this.#counted.size + this.#copies.size);
		const seen = new Set(this.#counted);
		for (const name of seen) {
			if (this.#open.has(name)) return name;
			for (const from of this.#copies.get(name) ?? []) seen.add(from);
		}
		return undefined;
	}
}
