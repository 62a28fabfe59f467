import { isDeepStrictEqual } from 'node:util';
import { appendAt, removeAt, replaceAt } from './json-edit.ts';
import { SettingsRefused } from './merge-settings.ts';
import { parseJson } from './parse-json.ts';

/** One value that `init` puts into a JSON file. */
export interface Member {
	path: readonly string[];
	value: unknown;
	/** An existing value is the person's choice. */
	keep?: true;
}

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string, file: string): Json {
	const read = parseJson(text);
	if (!read.ok) throw new SettingsRefused(`${file} was not changed: ${read.problem}. Correct it and run again.`);
	if (isObject(read.value)) return read.value;
	throw new SettingsRefused(`${file} was not changed: it does not contain a JSON object. Correct it and run again.`);
}

function nestedAt(root: Json, path: readonly string[]): unknown {
	return path.reduce<unknown>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), root);
}

/** The value at a path of a JSON text, or under the path written as one key with dots; undefined if there is none. */
export function memberAt(text: string, file: string, path: readonly string[]): unknown {
	const root = parse(text, file);
	const flat = path.join('.');
	return Object.hasOwn(root, flat) ? root[flat] : nestedAt(root, path);
}

function nest(path: readonly string[], value: unknown): unknown {
	return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

function setMember(text: string, file: string, { path, value, keep }: Member): string {
	const found = memberAt(text, file, path);
	if (isDeepStrictEqual(found, value) || (keep && found !== undefined)) return text;
	if (found !== undefined) return replaceAt(text, path, value);
	const root = parse(text, file);
	const depth = path.findIndex((_, index) => nestedAt(root, path.slice(0, index + 1)) === undefined);
	const parents = path.slice(0, depth);
	if (!isObject(nestedAt(root, parents))) {
		const objects = path.slice(0, -1).map((_, position) => `"${path.slice(0, position + 1).join('.')}"`);
		throw new SettingsRefused(
			`${file} was not changed: ${objects.join(' and ')} must be ${objects.length > 1 ? 'objects' : 'an object'}. Correct it and run again.`,
		);
	}
	return appendAt(text, parents, nest(path.slice(depth + 1), value), path[depth]);
}

/** The text with all members; every other byte stays. A missing or empty file becomes an object. Throws SettingsRefused. */
export function setMembers(text: string | undefined, file: string, members: readonly Member[]): string {
	const start = text === undefined || text.trim() === '' ? '{}\n' : text;
	return members.reduce((result, member) => setMember(result, file, member), start);
}

function drop(text: string, file: string, before: string | undefined, { path, value, keep }: Member): string {
	const old = before === undefined || before.trim() === '' ? {} : parse(before, file);
	const previous = before === undefined ? undefined : memberAt(before, file, path);
	const found = nestedAt(parse(text, file), path);
	if (found === undefined || (keep && (previous !== undefined || !isDeepStrictEqual(found, value)))) return text;
	if (previous !== undefined) return replaceAt(text, path, previous);
	let result = removeAt(text, path);
	for (let depth = path.length - 1; depth > 0; depth -= 1) {
		const parent = path.slice(0, depth);
		const rest = nestedAt(parse(result, file), parent);
		if (!isObject(rest) || Object.keys(rest).length > 0 || nestedAt(old, parent) !== undefined) break;
		result = removeAt(result, parent);
	}
	return result;
}

/** The text without the members that `putMembers` added; `before` is the text as it was then, if the file existed. */
export function dropMembers(
	text: string,
	file: string,
	before: string | undefined,
	members: readonly Member[],
): string {
	if (before !== undefined && setMembers(before, file, members) === text) return before;
	return members.toReversed().reduce((result, member) => drop(result, file, before, member), text);
}
