import type { ParsedScript } from 'unbash';
import type { StepBudget } from './step-budget.ts';
import { readSetters, type Setter, type Setters } from './variable-setters.ts';
import { type KnownVariables, wordValues } from './word-fields.ts';

const MAX_VALUES = 16;
const MAX_CHARS = 4096;
/** Variables that the shell sets by itself. */
const SET_BY_ITSELF =
	/^(?:_|BASH\w*|REPLY|OPT\w+|MAPFILE|COPROC\w*|OLDPWD|PWD|DIRSTACK|FUNCNAME|COMP\w+|READLINE\w+|RANDOM|SECONDS)$/;

/**
 * What a text tells of its variables. Its branches are not followed: a variable may hold whatever any place sets it to
 * that may have come before, and is known where one of them surely did and what all of them set is known.
 */
export class ShellVariables {
	readonly setters: Setters;
	/** What is known where the text stands. */
	readonly outer: KnownVariables | undefined;
	/** It runs in the shell around it, whose values are its own. */
	readonly inherits: boolean;
	readonly #values = new Map<Setter, readonly string[] | undefined>();

	constructor(setters: Setters, outer?: KnownVariables, inherits = false) {
		this.setters = setters;
		this.outer = outer;
		this.inherits = inherits;
	}

	/** Those of a text that a program or shell runs. */
	static read(script: ParsedScript, budget: StepBudget, outer?: KnownVariables, inherits?: boolean): ShellVariables {
		return new ShellVariables(readSetters(script, budget), outer, inherits);
	}

	/** What is known at a place; in the body of a function whatever the text sets may have happened. */
	at(place: number, inFunction: boolean): KnownVariables {
		return new VariablesAt(this, place, inFunction);
	}

	/** The values that one place sets; undefined where they are not known, or need themselves. */
	valuesOf(setter: Setter): readonly string[] | undefined {
		if (this.#values.has(setter)) return this.#values.get(setter);
		this.#values.set(setter, undefined);
		const here = this.at(setter.at, setter.inFunction);
		const found = setter.words?.map((word) => wordValues(word, here));
		const values = found?.every((each) => each !== undefined) ? found.flat() : undefined;
		this.#values.set(setter, values?.every(({ length }) => length <= MAX_CHARS) ? values : undefined);
		return this.#values.get(setter);
	}
}

/** What is known where a program is started with more variables, of unknown values. */
export function withNames(names: Iterable<string>, outer?: KnownVariables): KnownVariables {
	const byName = new Map([...names].map((name): [string, Setter[]] => [name, []]));
	const setters = { byName, functions: new Set<string>(), openFrom: Number.POSITIVE_INFINITY };
	return new ShellVariables(setters, outer, true).at(0, false);
}

class VariablesAt implements KnownVariables {
	readonly #all: ShellVariables;
	readonly #place: number;
	readonly #inFunction: boolean;

	constructor(all: ShellVariables, place: number, inFunction: boolean) {
		this.#all = all;
		this.#place = place;
		this.#inFunction = inFunction;
	}

	get(name: string): readonly string[] | undefined {
		if (this.#isOpen() || SET_BY_ITSELF.test(name)) return undefined;
		const { setters, inherits, outer } = this.#all;
		const all = setters.byName.get(name);
		if (!all) return inherits ? outer?.get(name) : undefined;
		if (all.length > MAX_VALUES) return undefined;
		const before = all.filter(({ from }) => this.#inFunction || from < this.#place);
		const isSet = before.some((setter) => this.#isBehind(setter));
		const values = before.map((setter) => this.#valuesOf(setter));
		if (!isSet || !values.every((each) => each !== undefined)) return undefined;
		const different = [...new Set(values.flat())];
		return different.length > MAX_VALUES ? undefined : different;
	}

	isUntouched(name: string): boolean {
		const { setters, outer } = this.#all;
		return !setters.byName.has(name) && !this.#isOpen() && (outer?.isUntouched(name) ?? true);
	}

	isNoFunction(name: string): boolean {
		const { setters, outer } = this.#all;
		return !setters.functions.has(name) && (outer?.isNoFunction(name) ?? true);
	}

	#isOpen(): boolean {
		return this.#all.setters.openFrom < (this.#inFunction ? Number.POSITIVE_INFINITY : this.#place);
	}

	/** Whether it stands surely behind what a place sets. */
	#isBehind({ at, until }: Setter): boolean {
		return at < this.#place && this.#place < until;
	}

	/** A function's own are known in its body alone: elsewhere it may not have run. */
	#valuesOf(setter: Setter): readonly string[] | undefined {
		return setter.inFunction && !this.#isBehind(setter) ? undefined : this.#all.valuesOf(setter);
	}
}

/** Nothing is known, as where a line begins. */
export const nothingKnown: KnownVariables = withNames([]);
