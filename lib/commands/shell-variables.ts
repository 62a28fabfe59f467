import { namesFolder, namesProgram } from './environment-names.ts';
import { type Field, isOneWord, knownText } from './shell-field.ts';

const MAX_VALUES = 16;
const MAX_CHARS = 4096;

/** What a command line alone tells of its variables, at one place of it. A name that is not kept may hold anything. */
export class ShellVariables {
	readonly #values: Map<string, readonly string[]>;
	/** Names that somebody else may have set meanwhile; shared by all copies. */
	readonly #tainted: Set<string>;
	#touched: Set<string>;
	/** `$0`, `$1`, ...; undefined where their number is unknown, an undefined entry where its text is. */
	positional: readonly (string | undefined)[] | undefined;

	constructor(positional?: readonly (string | undefined)[]) {
		this.#values = new Map();
		this.#tainted = new Set();
		this.#touched = new Set();
		this.positional = positional;
	}

	/** How many names are known of, which is what a copy costs. */
	get size(): number {
		return this.#values.size + this.#touched.size + this.#tainted.size;
	}

	copy(): ShellVariables {
		const copy = new ShellVariables(this.positional);
		for (const name of this.#tainted) copy.#tainted.add(name);
		for (const [name, values] of this.#values) copy.#values.set(name, values);
		copy.#touched = new Set(this.#touched);
		return copy;
	}

	/** The variables of a shell that this one starts: it inherits what was set here, and may have been told more. */
	child(words?: readonly Field[]): ShellVariables {
		const child = new ShellVariables(words?.every(isOneWord) ? words.map(knownText) : undefined);
		child.#touched = new Set(this.#touched);
		return child;
	}

	/** The texts that a variable can have, or undefined. */
	get(name: string): readonly string[] | undefined {
		return this.#tainted.has(name) || this.#tainted.has('*') ? undefined : this.#values.get(name);
	}

	/** Whether it is a folder of the environment that nothing here has set. */
	isFolder(name: string): boolean {
		return namesFolder(name) && this.isUntouched(name);
	}

	/** Whether it is a program of the environment that nothing here has set. */
	isProgram(name: string): boolean {
		return namesProgram(name) && this.isUntouched(name);
	}

	/** Whether nothing here puts a function in the place of a program; what a sourced file defines is not looked into. */
	isNoFunction(name: string): boolean {
		return !this.#touched.has(`${name}()`);
	}

	/** Whether nothing here may have set it. */
	isUntouched(name: string): boolean {
		return !this.#touched.has(name) && !this.#touched.has('*');
	}

	/** Whether words are still split where a shell does it from its start. */
	get splitsPlainly(): boolean {
		return this.isUntouched('IFS');
	}

	set(name: string, values: readonly string[] | undefined): void {
		this.#touched.add(name);
		const known = values && values.length <= MAX_VALUES && values.every(({ length }) => length <= MAX_CHARS);
		if (known) this.#values.set(name, [...new Set(values)]);
		else this.#values.delete(name);
	}

	/** It may have been set, or not. */
	setMaybe(name: string, values: readonly string[] | undefined): void {
		const before = this.#values.get(name);
		this.set(name, before && values && [...before, ...values]);
	}

	/** From here on nothing is known of these; `*` stands for all. */
	forget(names: Iterable<string>): void {
		for (const name of names) {
			this.#touched.add(name);
			if (name === '*') {
				this.#values.clear();
				this.positional = undefined;
			} else this.#values.delete(name);
		}
	}

	/** These are set somewhere in the text, so that they no longer are what the environment says. */
	touch(names: Iterable<string>): void {
		for (const name of names) if (/^\w/.test(name)) this.#touched.add(name);
	}

	/** Nothing will be known of these again: a function or trap may set them at any time. */
	taint(names: Iterable<string>): void {
		for (const name of names) {
			this.#touched.add(name);
			this.#tainted.add(name);
		}
	}

	/** The line goes on from here or from `other`. */
	join(other: ShellVariables): void {
		for (const [name, values] of this.#values) {
			const theirs = other.#values.get(name);
			this.set(name, theirs && [...values, ...theirs]);
		}
		for (const name of other.#touched) this.#touched.add(name);
		for (const name of other.#tainted) this.#tainted.add(name);
		if (this.positional !== other.positional) this.positional = undefined;
	}
}
