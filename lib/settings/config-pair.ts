import { isJson, type Json, parsedJson } from '../json/json.ts';
import type { Reading } from '../json/reading.ts';
import { nearestWord } from '../text/near-words.ts';
import { printable } from '../text/printable.ts';

const MAX_REPORTED = 10;
const MAX_REPORTED_SECTIONS = 100;

export interface SettingPair<T> {
	home: T | undefined;
	project: T | undefined;
}

/** The configs of a home and a project together. Never throws: wrong values are left out and named in `problems`. */
export class ConfigPair {
	readonly problems: string[] = [];
	readonly unread: string | undefined;
	readonly #home: Json;
	readonly #project: Json;
	readonly #defaults: Json;
	readonly #known = new Set<string>();

	/** Texts of both files. `defaults` has values for settings that the home's file does not set. */
	constructor(home: string | undefined, project: string | undefined, defaults: Json = {}) {
		this.#defaults = defaults;
		this.#home = this.#parse(home, '~/.overtone/config.json');
		this.#project = this.#parse(project, '.overtone/config.json');
		this.unread = this.problems[0];
	}

	/** The values of both files at `a.b.c`, nested or as a flat key. */
	raw(path: string): [home: unknown, project: unknown] {
		this.#known.add(path);
		return [this.#own(path), pick(this.#project, path)];
	}

	both<T>(path: string, reading: Reading<T>): SettingPair<T> {
		const [home, project] = this.raw(path).map((value) => this.#value(path, value, reading));
		return { home, project };
	}

	/** The project's value is ignored. */
	home<T>(path: string, reading: Reading<T>): T | undefined {
		this.#known.add(path);
		return this.#value(path, this.#own(path), reading);
	}

	/** Reports unknown settings in a section as possible misspellings. */
	reportMisspelt(sections: readonly string[]): void {
		const given = [this.#home, this.#project].flatMap((config) =>
			sections.flatMap((name) => this.#pathsIn(config, name)),
		);
		for (const path of new Set(given.slice(0, MAX_REPORTED))) {
			const depth = path.split('.').length;
			const names = [...this.#known].map((known) => known.split('.').slice(0, depth).join('.'));
			const meant = nearestWord(path, [...new Set(names)]);
			const hint = meant === undefined ? 'it is ignored' : `did you mean ${meant}?`;
			const wrong = meant === path ? 'must be an object of settings; it is ignored' : `is no setting; ${hint}`;
			this.problems.push(`${printable(path, 100)} ${wrong}`);
		}
	}

	/** Reports unknown sections that resemble known ones; other programs may have sections in the file. */
	reportMisspeltSections(sections: readonly string[]): void {
		const given = [this.#home, this.#project].flatMap((config) =>
			Object.keys(config).map((key) => key.split('.', 1)[0]),
		);
		for (const name of new Set(given.slice(0, MAX_REPORTED_SECTIONS))) {
			const meant = name === undefined || sections.includes(name) ? undefined : nearestWord(name, sections);
			if (meant?.[0] === name?.[0] && meant !== undefined)
				this.problems.push(`${name} is no section of settings; did you mean ${meant}?`);
		}
	}

	#pathsIn(config: Json, section: string): string[] {
		const flat = Object.keys(config).filter((key) => key.startsWith(`${section}.`));
		return [...flat.filter((path) => !this.#known.has(path)), ...this.#unknownBelow(section, config[section])];
	}

	#unknownBelow(path: string, value: unknown): string[] {
		if (this.#known.has(path)) return [];
		const isSection = [...this.#known].some((known) => known.startsWith(`${path}.`));
		if (!isSection || !isJson(value)) return value === undefined ? [] : [path];
		return Object.entries(value).flatMap(([key, below]) => this.#unknownBelow(`${path}.${key}`, below));
	}

	#own(path: string): unknown {
		const own = pick(this.#home, path);
		return own === undefined ? pick(this.#defaults, path) : own;
	}

	#value<T>(path: string, value: unknown, { wants, read }: Reading<T>): T | undefined {
		const found = value === undefined ? undefined : read(value);
		if (value !== undefined && found === undefined) this.problems.push(`${path} must be ${wants}; it is ignored`);
		return found;
	}

	#parse(text: string | undefined, name: string): Json {
		if (text === undefined || text.trim() === '') return {};
		const value = parsedJson(text.startsWith('\ufeff') ? text.slice(1) : text);
		if (isJson(value)) return value;
		this.problems.push(`${name} is not ${value === undefined ? 'valid JSON' : 'a JSON object'}; it is ignored`);
		return {};
	}
}

function pick(config: Json, path: string): unknown {
	if (Object.hasOwn(config, path)) return config[path];
	return path
		.split('.')
		.reduce<unknown>((at, key) => (isJson(at) && Object.hasOwn(at, key) ? at[key] : undefined), config);
}
