import { appendAt, removeAt } from './json-edit.ts';
import { SettingsRefused } from './merge-settings.ts';
import { parseJson } from './parse-json.ts';

const PATH = ['gates', 'routing', 'onMismatch'] as const;
const FLAT = PATH.join('.');

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string, path: string): Json {
	const read = parseJson(text);
	if (!read.ok) throw new SettingsRefused(`${path} was left alone: ${read.problem}. Correct it and run again.`);
	if (isObject(read.value)) return read.value;
	throw new SettingsRefused(`${path} was left alone: it does not hold a JSON object. Correct it and run again.`);
}

/** The value that holds in a config text, or undefined. */
export function onMismatchIn(text: string, path: string): unknown {
	const config = parse(text, path);
	if (Object.hasOwn(config, FLAT)) return config[FLAT];
	return PATH.reduce<unknown>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), config);
}

/**
 * The config with `gates.routing.onMismatch: "deny"`, so that the agent reads a denial's reason and a person can
 * approve. A value that stands there already is the person's choice and stays. Throws SettingsRefused.
 */
export function addOnMismatch(text: string | undefined, path: string): string {
	if (text === undefined || text.trim() === '') {
		return `${JSON.stringify({ gates: { routing: { onMismatch: 'deny' } } }, null, 2)}\n`;
	}
	if (onMismatchIn(text, path) !== undefined) return text;
	const { gates } = parse(text, path);
	if (gates === undefined) return appendAt(text, [], { routing: { onMismatch: 'deny' } }, 'gates');
	if (!isObject(gates) || (gates.routing !== undefined && !isObject(gates.routing))) {
		throw new SettingsRefused(
			`${path} was left alone: "gates" and "gates.routing" must be objects. Correct it and run again.`,
		);
	}
	if (gates.routing === undefined) return appendAt(text, ['gates'], { onMismatch: 'deny' }, 'routing');
	return appendAt(text, ['gates', 'routing'], 'deny', 'onMismatch');
}

/** The config without what `addOnMismatch` added; `before` is the text as it was then, if there was a file. */
export function dropOnMismatch(text: string, path: string, before: string | undefined): string {
	if (before !== undefined && addOnMismatch(before, path) === text) return before;
	if (before !== undefined && onMismatchIn(before, path) !== undefined) return text;
	if (onMismatchIn(text, path) !== 'deny') return text;
	const old = before === undefined ? {} : parse(before, path);
	const oldGates = isObject(old.gates) ? old.gates : {};
	let result = removeAt(text, PATH);
	const isEmpty = (...keys: string[]) => {
		const found = keys.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), parse(result, path));
		return isObject(found) && Object.keys(found).length === 0;
	};
	if (isEmpty('gates', 'routing') && oldGates.routing === undefined) result = removeAt(result, ['gates', 'routing']);
	if (isEmpty('gates') && old.gates === undefined) result = removeAt(result, ['gates']);
	return result;
}
