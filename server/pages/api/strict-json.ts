import { AppError } from '#lib/contract/errors.ts';

const DEEPEST = 64;
const REFUSED_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
/** A string may run to the end of the body unclosed: matched once, so that no body makes the scan quadratic. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|$)|[{}[\]:]/gs;

const invalid = (detail: string) => new AppError('request/invalid', detail);

function readText(token: string): string {
	const text: unknown = JSON.parse(token);
	if (typeof text !== 'string') throw invalid('The body is not JSON.');
	if (/[\0\p{Surrogate}]/u.test(text)) throw invalid('The body holds a NUL or half a character.');
	return text;
}

/** `keys` are those seen so far in the innermost object; null or absent outside one. */
function claimKey(keys: Set<string> | null | undefined, key: string): void {
	if (REFUSED_KEYS.has(key)) throw invalid(`The key ${JSON.stringify(key)} is refused.`);
	if (keys?.has(key)) throw invalid(`The key ${JSON.stringify(key)} comes twice.`);
	keys?.add(key);
}

function scan(body: string): void {
	/** One entry a level: the keys of an object, null for an array. */
	const levels: (Set<string> | null)[] = [];
	let lastText = '';
	for (const [token] of body.matchAll(TOKEN)) {
		if (token === '{') levels.push(new Set());
		else if (token === '[') levels.push(null);
		else if (token === ':') claimKey(levels.at(-1), lastText);
		else if (token.startsWith('"')) lastText = readText(token);
		else levels.pop();
		if (levels.length > DEEPEST) throw invalid(`The body is nested deeper than ${DEEPEST} levels.`);
	}
}

/**
 * Parses JSON that decides something (rule S9). Beyond the grammar it refuses what two readers could understand
 * differently or what would break later: more than 64 levels, a key twice in one object, `__proto__` and its kin,
 * NUL and lone surrogates. Throws `request/invalid`.
 */
export function parseStrictJson(body: string): unknown {
	try {
		scan(body);
		return JSON.parse(body);
	} catch (error) {
		throw error instanceof AppError ? error : invalid('The body is not JSON.');
	}
}
