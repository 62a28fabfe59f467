import { type Command, forEachChild, type SyntaxNode, type Word } from 'unbash';
import type { StepBudget } from './step-budget.ts';
import { type KnownVariables, wordValues } from './word-fields.ts';

const MAX_VALUES = 16;
const MAX_CHARS = 4096;
/** Variables that the shell sets by itself. */
const SET_BY_SHELL =
	/^(?:_|BASH\w*|REPLY|OPT\w+|MAPFILE|COPROC\w*|OLDPWD|PWD|DIRSTACK|FUNCNAME|COMP\w+|READLINE\w+|RANDOM|SECONDS)$/;
/** Builtins that set the variables named by their words. */
const DECLARES = /^(?:unset|declare|typeset|local|export|readonly)$/;
const SETS_WORDS = /^(?:read|mapfile|readarray|getopts)$/;
/** Builtins after which any variable may have another value. */
const SETS_ANYTHING = /^(?:eval|source|\.|let|wait|alias)$/;
/** Matches assignments in the text of a trap. */
const SETS_SOMETHING = /=|\b(?:read|unset|eval|source|mapfile|getopts|printf)\b|(?:^|[;&|\s])\.\s/;
/** The name for the variable that `${!name:=value}` sets. */
export const INDIRECT = '!';

/** One assignment in a text; positions are offsets in it. */
export interface Setter {
	node: SyntaxNode;
	/** The earliest position at which it may have happened: its own, or the start of the loop or function around it. */
	from: number;
	/** At positions after this it has surely happened. */
	until: number;
	inFunction: boolean;
	/** The assigned words; undefined if unknown. */
	words?: readonly Word[] | undefined;
}

type Scope = Pick<Setter, 'until' | 'inFunction'> & { from: number | undefined };

/**
 * What is known about a text's variables. Branches are not followed: a variable may have the value of any assignment that may
 * have come before. It is known if one of them surely came before and the values of all are known.
 */
export class ShellVariables {
	readonly byName = new Map<string, Setter[]>();
	readonly #functions = new Set<string>();
	/** After this position any variable may be set. */
	#unknownFrom = Number.POSITIVE_INFINITY;
	readonly #budget: StepBudget;
	readonly #outer: KnownVariables;
	readonly #inherits: boolean;
	readonly #values = new Map<Setter, readonly string[] | undefined>();

	/** `outer`: what is known around the text; it `inherits` if it runs in the same shell. */
	constructor(script: SyntaxNode, budget: StepBudget, outer: KnownVariables, inherits: boolean) {
		this.#budget = budget;
		this.#outer = outer;
		this.#inherits = inherits;
		this.#read(script, { from: undefined, until: Number.POSITIVE_INFINITY, inFunction: false });
	}

	/** What is known at a position; in the body of a function any assignment of the text may have happened. */
	at(offset: number, inFunction: boolean): KnownVariables {
		const isUnknown = this.#unknownFrom < (inFunction ? Number.POSITIVE_INFINITY : offset);
		return {
			get: (name) => (isUnknown || SET_BY_SHELL.test(name) ? undefined : this.#get(name, offset, inFunction)),
			isUntouched: (name) => !isUnknown && !this.byName.has(name) && this.#outer.isUntouched(name),
			isNoFunction: (name) => !this.#functions.has(name) && this.#outer.isNoFunction(name),
		};
	}

	/** The values of one assignment; undefined if they are unknown, or depend on themselves. */
	valuesOf(setter: Setter): readonly string[] | undefined {
		if (this.#values.has(setter)) return this.#values.get(setter);
		this.#values.set(setter, undefined);
		const here = this.at(setter.node.pos, setter.inFunction);
		const values = allKnown(setter.words?.map((word) => wordValues(word, here)));
		if (values?.every(({ length }) => length <= MAX_CHARS)) this.#values.set(setter, values);
		return this.#values.get(setter);
	}

	#get(name: string, offset: number, inFunction: boolean): readonly string[] | undefined {
		const setters = this.byName.get(name);
		if (!setters) return this.#inherits ? this.#outer.get(name) : undefined;
		if (setters.length > MAX_VALUES) return undefined;
		const hasHappened = ({ node, until }: Setter): boolean => node.pos < offset && offset < until;
		if (!setters.some(hasHappened)) return undefined;
		const before = setters.filter(({ from }) => inFunction || from < offset);
		// A function's own assignments are known in its body only: elsewhere it may not have run.
		const values = allKnown(
			before.map((each) => (each.inFunction && !hasHappened(each) ? undefined : this.valuesOf(each))),
		);
		const different = [...new Set(values)];
		return values && different.length <= MAX_VALUES ? different : undefined;
	}

	#read(node: SyntaxNode, scope: Scope): void {
		this.#budget.open(node);
		// Backquotes with escapes are parsed as a text of their own.
		if (node.type === 'Script' && node.source !== undefined) return;
		this.#readNode(node, scope);
		forEachChild(node, (child) => this.#read(child, scopeOf(node, child, scope)));
	}

	#readNode(node: SyntaxNode, scope: Scope): void {
		switch (node.type) {
			case 'Function':
				return void this.#functions.add(node.name.value);
			case 'Command':
				return this.#command(node, scope);
			case 'For':
				return this.#add(node.name.value, node, { ...scope, until: node.end }, node.wordlist);
			case 'Select':
				return this.#add(node.name.value, node, scope);
			case 'FileDescriptorVariable':
				return this.#add(node.name, node, scope);
			case 'Coproc':
				return this.#add(node.name?.value ?? 'COPROC', node, scope);
			case 'ParameterExpansion':
				if (node.operation?.type !== 'Default' || !node.operation.operator.endsWith('=')) return;
				return this.#add(node.prefix === '!' ? INDIRECT : node.parameter, node, scope);
		}
	}

	#add(name: string, node: SyntaxNode, scope: Scope, assigned?: readonly Word[]): void {
		const setters = this.byName.get(name) ?? [];
		this.byName.set(name, setters);
		const words = assigned?.every(isPlain) || node.type === 'Assignment' ? assigned : undefined;
		setters.push({ ...scope, node, from: scope.from ?? node.pos, words });
	}

	#command(command: Command, scope: Scope): void {
		const { name, prefix, suffix } = command;
		// Each of the words is read on demand.
		this.#budget.spend(2 * (prefix.length + suffix.length));
		for (const part of [...prefix, ...suffix]) {
			if (part.type !== 'Assignment') continue;
			const isForCommand = name !== undefined && part.pos < name.pos;
			const words = part.value.type === 'Word' && !part.append && !part.index ? [part.value] : undefined;
			this.#add(part.name, part, isForCommand ? { ...scope, until: part.pos } : scope, words);
		}
		const words = [name, ...command.args].filter((word) => word?.type === 'Word');
		const index = words.findIndex(({ value }) => !/^(?:command|builtin|-p|--)$/.test(value));
		const builtin = words[index];
		const isKnown = builtin && this.#builtin(builtin, words.slice(index + 1), command, scope);
		// `command` and `builtin` may run any builtin if its name is not plain text.
		if (isKnown === false || (index > 0 && !isPlain(builtin))) {
			this.#unknownFrom = Math.min(this.#unknownFrom, scope.from ?? command.end);
		}
	}

	/** The variables that a builtin sets by its words; false if they are unknown. */
	#builtin({ value: name }: Word, words: readonly Word[], command: Command, scope: Scope): boolean {
		if (SETS_ANYTHING.test(name)) return false;
		const arePlain = words.every(isPlain);
		if (name === 'trap') return arePlain && !words.some(({ value }) => SETS_SOMETHING.test(value));
		const [first] = words;
		const isPrintfToVariable = name === 'printf' && first && (!isPlain(first) || first.value.startsWith('-v'));
		if (!isPrintfToVariable && !DECLARES.test(name) && !SETS_WORDS.test(name)) return true;
		for (const { value } of words) {
			const [, variable] = /^(?:-\w*?[av])?([A-Za-z_]\w*)/.exec(value) ?? [];
			if (variable !== undefined) this.#add(variable, command, scope);
		}
		return arePlain;
	}
}

export const nothingKnown: KnownVariables = {
	get: () => undefined,
	isUntouched: () => true,
	isNoFunction: () => true,
};

/** What is known for a program that is started with more variables, of unknown values. */
export function withNames(names: readonly string[], outer: KnownVariables): KnownVariables {
	return {
		get: (name) => (names.includes(name) ? undefined : outer.get(name)),
		isUntouched: (name) => !names.includes(name) && outer.isUntouched(name),
		isNoFunction: outer.isNoFunction,
	};
}

export function setsNames(name: string): boolean {
	return [DECLARES, SETS_WORDS, SETS_ANYTHING, /^(?:printf|trap)$/].some((names) => names.test(name));
}

/** Whether a word is plain text, without expansions. */
export function isPlain(word: Word | undefined): boolean {
	return (word?.parts ?? []).every((part) =>
		part.type === 'DoubleQuoted'
			? part.parts.every(({ type }) => type === 'Literal')
			: ['Literal', 'SingleQuoted', 'AnsiCQuoted'].includes(part.type),
	);
}

function allKnown(lists: readonly (readonly string[] | undefined)[] | undefined): string[] | undefined {
	return lists?.every((each) => each !== undefined) ? lists.flat() : undefined;
}

/** An assignment has not surely happened after a part that may not run, or that runs in another shell. */
function scopeOf(node: SyntaxNode, child: SyntaxNode, scope: Scope): Scope {
	switch (node.type) {
		case 'AndOr':
			return child === node.commands[0] ? scope : { ...scope, until: child.end };
		case 'Statement':
			return node.background ? { ...scope, until: child.end } : scope;
		case 'Pipeline':
		case 'If':
		case 'Elif':
		case 'Case':
		case 'CaseItem':
		case 'Subshell':
		case 'Coproc':
		case 'CommandExpansion':
		case 'ProcessSubstitution':
			return { ...scope, until: child.end };
		case 'For':
		case 'Select':
		case 'While':
		case 'ArithmeticFor':
			return { ...scope, until: child.end, from: scope.from ?? node.pos };
		case 'Function':
			return { from: scope.from ?? node.pos, until: child.end, inFunction: true };
		default:
			return scope;
	}
}
