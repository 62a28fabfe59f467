import { isJson, parsedJson } from '../json/json.ts';
import { tokenise } from './tokenise.ts';

export type ExtendRequest =
	| { kind: 'mcp'; server: string; tool: string; words: string[] }
	| { kind: 'skill'; skill: string; tool: string; words: string[] };

type ExtendRead = { ok: true; request: ExtendRequest } | { ok: false; message: string };

/** Whether text may be the name of a skill, its tool, or a server: one path part that starts with neither a dot nor a dash. */
export function isToolName(name: string): boolean {
	return /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,127}$/u.test(name);
}

/** Reads `mcp:SERVER:TOOL ...` and `skill:SKILL:TOOL ...`. */
export function readExtend(line: string): ExtendRead {
	const read = tokenise(line.trim());
	if (!read.ok) return { ok: false, message: read.error };
	const [name = '', ...words] = read.tokens;
	const [kind, first = '', tool = '', ...surplus] = name.split(':');
	const usage = kind === 'mcp' ? 'mcp:<server>:<tool> [arguments]' : 'skill:<skill>:<tool> [arguments]';
	if (surplus.length > 0 || !isToolName(first) || !isToolName(tool)) return { ok: false, message: `Usage: ${usage}` };
	const request: ExtendRequest =
		kind === 'mcp' ? { kind, server: first, tool, words } : { kind: 'skill', skill: first, tool, words };
	return { ok: true, request };
}

type ToolArguments = { ok: true; values: Record<string, unknown> } | { ok: false; message: string };
type Schema = Record<string, unknown>;

/**
 * Maps words to a tool's arguments by its JSON schema: `--name=value` and `--name value` by name, `--flag` alone as true,
 * other words by position, required properties first. Values take the type that the schema asks for.
 */
export function toolArguments(words: readonly string[], schema: unknown): ToolArguments {
	const properties = record(record(schema).properties);
	const required = listOf(record(schema).required).filter((name) => Object.hasOwn(properties, name));
	const order = [...new Set([...required, ...Object.keys(properties)])];
	const given = new Map<string, string | true>();
	const positional: string[] = [];
	for (let index = 0; index < words.length; index++) {
		const word = words[index] ?? '';
		const named = /^--([\w.-]+)(?:=(.*))?$/s.exec(word);
		const name = named?.[1];
		if (name === undefined) positional.push(word);
		else if (named?.[2] !== undefined) given.set(name, named[2]);
		else {
			const next = words[index + 1];
			const takes = typesOf(properties[name]).some((type) => type !== 'boolean');
			const value = takes && next !== undefined && !next.startsWith('--') ? next : true;
			if (value !== true) index += 1;
			given.set(name, value);
		}
	}
	const open = order.filter((name) => !given.has(name));
	for (const word of positional) {
		const name = open.shift();
		if (name === undefined) return { ok: false, message: `Unexpected argument: ${word}` };
		given.set(name, word);
	}
	return typed(given, properties, required);
}

function typed(given: Map<string, string | true>, properties: Schema, required: readonly string[]): ToolArguments {
	const entries: [string, unknown][] = [];
	for (const [name, text] of given) {
		const value = convert(text, typesOf(properties[name]));
		if (value === undefined) {
			return { ok: false, message: `--${name} must be ${typesOf(properties[name]).join(' or ')}` };
		}
		entries.push([name, value]);
	}
	const missing = required.filter((name) => !given.has(name));
	if (missing.length > 0) return { ok: false, message: `Missing: ${missing.map((name) => `--${name}`).join(', ')}` };
	return { ok: true, values: Object.fromEntries(entries) };
}

/** The text as the first of the types that it fits; undefined if it fits none. */
function convert(text: string | true, types: readonly string[]): unknown {
	if (text === true) return types.length === 0 || types.includes('boolean') ? true : undefined;
	if (types.length === 0 || types.includes('string')) return text;
	const value = parsedJson(text);
	return types.some((type) => isOfType(value, type)) ? value : undefined;
}

/** Numbers, booleans, null, lists and objects are written as in JSON. */
function isOfType(value: unknown, type: string): boolean {
	switch (type) {
		case 'integer':
			return Number.isInteger(value);
		case 'array':
			return Array.isArray(value);
		case 'object':
			return isJson(value);
		case 'null':
			return value === null;
		default:
			return typeof value === type;
	}
}

function typesOf(property: unknown): string[] {
	const { type } = record(property);
	return typeof type === 'string' ? [type] : listOf(type);
}

function listOf(value: unknown): string[] {
	return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

const record = (value: unknown): Schema => (isJson(value) ? value : {});
