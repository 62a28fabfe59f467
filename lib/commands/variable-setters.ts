import { type Command, forEachChild, type SyntaxNode, type Word } from 'unbash';
import type { StepBudget } from './step-budget.ts';

/** Builtins that set the variables among their words. */
const SETS_WORDS = /^(?:read|mapfile|readarray|getopts|unset|declare|typeset|local|export|readonly)$/;
/** Builtins after which any variable may have another value. */
const SETS_ANYTHING = /^(?:eval|source|\.|let|wait|alias)$/;
/** In the text of a trap. */
const SETS_SOMETHING = /=|\b(?:read|unset|eval|source|mapfile|getopts|printf)\b|(?:^|[;&|\s])\.\s/;
/** The name that `${!name:=value}` is taken to set. */
export const INDIRECT = '!';

/** One place of a text that sets a variable; places are offsets in it. */
export interface Setter {
	at: number;
	/** From here on it may have happened: its place, or the start of the loop or function around it. */
	from: number;
	/** Up to here it has surely happened before what stands behind it. */
	until: number;
	inFunction: boolean;
	/** What it sets; undefined where that is not known. */
	words: readonly Word[] | undefined;
}

/** What a text sets, wherever in it. */
export interface Setters {
	byName: Map<string, Setter[]>;
	functions: Set<string>;
	/** Behind this place anything may be set. */
	openFrom: number;
}

/** The surroundings of a node. */
interface Scope {
	/** The start of the outermost loop or function around. */
	from: number | undefined;
	until: number;
	inFunction: boolean;
}

/** Collects what a text sets. What stands in backquotes with escapes is a text of its own. */
export function readSetters(script: SyntaxNode, budget: StepBudget): Setters {
	const found: Setters = { byName: new Map(), functions: new Set(), openFrom: Number.POSITIVE_INFINITY };
	const visit = (node: SyntaxNode, scope: Scope): void => {
		budget.open(node);
		if (node.type === 'Script' && node.source !== undefined) return;
		if (node.type === 'Function') found.functions.add(node.name.value);
		else if (node.type === 'Command') {
			// Each of them is read when it is asked for.
			budget.spend(node.prefix.length + node.suffix.length);
			readCommand(node, scope, found);
		} else readNode(node, scope, found);
		forEachChild(node, (child) => visit(child, scopeOf(node, child, scope)));
	};
	visit(script, { from: undefined, until: Number.POSITIVE_INFINITY, inFunction: false });
	return found;
}

/** Whether a command of this name sets variables. */
export function setsNames(name: string): boolean {
	return SETS_WORDS.test(name) || SETS_ANYTHING.test(name) || name === 'printf' || name === 'trap';
}

/** Whether a word is a text that stands there as it is. */
export function isPlain({ parts = [] }: Word): boolean {
	return parts.every((part) =>
		part.type === 'DoubleQuoted'
			? part.parts.every(({ type }) => type === 'Literal')
			: ['Literal', 'SingleQuoted', 'AnsiCQuoted'].includes(part.type),
	);
}

function add({ byName }: Setters, name: string, at: number, scope: Scope, words?: readonly Word[]): void {
	const setters = byName.get(name) ?? [];
	byName.set(name, setters);
	setters.push({ ...scope, at, from: scope.from ?? at, words });
}

function readNode(node: SyntaxNode, scope: Scope, found: Setters): void {
	switch (node.type) {
		case 'For':
		case 'Select': {
			const isKnown = node.type === 'For' && node.wordlist?.every(isPlain);
			return add(found, node.name.value, node.pos, { ...scope, until: node.end }, isKnown ? node.wordlist : undefined);
		}
		case 'FileDescriptorVariable':
			return add(found, node.name, node.pos, scope);
		case 'Coproc':
			return add(found, node.name?.value ?? 'COPROC', node.pos, scope);
		case 'ParameterExpansion':
			if (node.operation?.type !== 'Default' || !node.operation.operator.endsWith('=')) return;
			return add(found, node.prefix === '!' ? INDIRECT : node.parameter, node.pos, scope);
	}
}

function readCommand(command: Command, scope: Scope, found: Setters): void {
	const { name, prefix, suffix, pos } = command;
	for (const part of [...prefix, ...suffix]) {
		if (part.type !== 'Assignment') continue;
		const isForCommand = name !== undefined && part.pos < name.pos;
		const words = part.value.type === 'Word' && !part.append && !part.index ? [part.value] : undefined;
		add(found, part.name, part.pos, isForCommand ? { ...scope, until: part.pos } : scope, words);
	}
	const set = name && wordsThatSet(name.value, command);
	if (set === 'anything') found.openFrom = Math.min(found.openFrom, scope.from ?? command.end);
	else for (const word of set ?? []) add(found, word, pos, scope);
}

/** The variables that a builtin sets by its words. */
function wordsThatSet(name: string, { args }: Command): string[] | 'anything' {
	const words = args.filter((arg) => arg.type === 'Word');
	const [first] = words;
	if (/^(?:command|builtin)$/.test(name)) {
		return words.every((word) => isPlain(word) && !setsNames(word.value)) ? [] : 'anything';
	}
	if (name === 'trap')
		return words.every((word) => isPlain(word) && !SETS_SOMETHING.test(word.value)) ? [] : 'anything';
	if (SETS_ANYTHING.test(name)) return 'anything';
	const isSet = name === 'printf' ? first && (!isPlain(first) || first.value.startsWith('-v')) : SETS_WORDS.test(name);
	if (!isSet) return [];
	if (!words.every(isPlain)) return 'anything';
	return words.flatMap(({ value }) => /^[A-Za-z_]\w*/.exec(value.replace(/^-\w*v/, ''))?.[0] ?? []);
}

/** What a child sets has not surely happened behind a part that may not run, or that runs in another shell. */
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
			return { ...scope, from: scope.from ?? node.pos, until: child.end };
		case 'Function':
			return { from: scope.from ?? node.pos, until: child.end, inFunction: true };
		default:
			return scope;
	}
}
