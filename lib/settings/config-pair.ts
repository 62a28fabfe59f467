type Json = Readonly<Record<string, unknown>>;

/** What both configs say of one setting; absent where a config says nothing that can be used. */
export interface SettingPair<T> {
	mine: T | undefined;
	theirs: T | undefined;
}

/** How a value is read: undefined for what is none; `wants` says in words what it must be. */
export interface Reading<T> {
	wants: string;
	read: (value: unknown) => T | undefined;
}

/**
 * The person's `config.json` and the project's, side by side. Total: what is wrong in either is left out and named in
 * `problems`, once for each file.
 */
export class ConfigPair {
	/** What was ignored and why, for a person. */
	readonly problems: string[] = [];
	/** Why one of the files could not be read at all. */
	readonly unread: string | undefined;
	readonly #mine: Json;
	readonly #theirs: Json;
	readonly #usual: Json;

	/** The texts of both files, undefined for one that is not there; `usual` has values for what the person's says nothing of. */
	constructor(mine: string | undefined, theirs: string | undefined, usual: Json = {}) {
		this.#usual = usual;
		this.#mine = this.#parse(mine, '~/.overtone/config.json');
		this.#theirs = this.#parse(theirs, '.overtone/config.json');
		this.unread = this.problems[0];
	}

	/** The values at `a.b.c`, or at a flat key of that name, as they stand in both files. */
	raw(path: string): [mine: unknown, theirs: unknown] {
		return [this.#own(path), pick(this.#theirs, path)];
	}

	/** A setting that both may make. */
	both<T>(path: string, reading: Reading<T>): SettingPair<T> {
		const [mine, theirs] = this.raw(path).map((value) => this.#value(path, value, reading));
		return { mine, theirs };
	}

	/** A setting that only the person makes: what the project says of it does not count. */
	mine<T>(path: string, reading: Reading<T>): T | undefined {
		return this.#value(path, this.#own(path), reading);
	}

	#own(path: string): unknown {
		const own = pick(this.#mine, path);
		return own === undefined ? pick(this.#usual, path) : own;
	}

	#value<T>(path: string, value: unknown, { wants, read }: Reading<T>): T | undefined {
		const found = value === undefined ? undefined : read(value);
		if (value !== undefined && found === undefined) this.problems.push(`${path} must be ${wants}; it is ignored`);
		return found;
	}

	#parse(text: string | undefined, name: string): Json {
		if (text === undefined || text.trim() === '') return {};
		try {
			const value: unknown = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
			if (isObject(value)) return value;
			this.problems.push(`${name} is not a JSON object; it is ignored`);
		} catch {
			this.problems.push(`${name} is not valid JSON; it is ignored`);
		}
		return {};
	}
}

const isObject = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

function pick(config: Json, path: string): unknown {
	if (Object.hasOwn(config, path)) return config[path];
	return path
		.split('.')
		.reduce<unknown>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), config);
}

/** True or false. */
export const flag: Reading<boolean> = {
	wants: 'true or false',
	read: (value) => (typeof value === 'boolean' ? value : undefined),
};

/** One of two or more words. */
export function either<T extends string>(...words: readonly T[]): Reading<T> {
	const quoted = words.map((word) => `"${word}"`);
	return {
		wants: `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`,
		read: (value) => words.find((word) => word === value),
	};
}

/** A finite number from 0 on, at most `most`. */
export function amount(most = Number.POSITIVE_INFINITY): Reading<number> {
	const fits = (value: number): boolean => Number.isFinite(value) && value >= 0 && value <= most;
	return {
		wants: Number.isFinite(most) ? `a number from 0 to ${most}` : 'a number from 0 up',
		read: (value) => (typeof value === 'number' && fits(value) ? value : undefined),
	};
}
