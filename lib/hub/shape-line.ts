import { parsedObject } from '../json/json.ts';

/** Fields that a machine sends if it shares only shapes; of others the name and, of a number, the value. */
const SHAPE: ReadonlySet<string> = new Set(
	`id ts type category label sessionId agentId toolUseId causedBy requestId make
	project tool agent model source background startedAgentId durationMs isError exitCode
	gate decision rule form hold iteration approvalId grantId scope state deadline
	by inputDigest workflowType stage stages verdict attempt workflow planId expected
	inputTokens outputTokens cacheReadTokens cacheWriteTokens cost count done total`.split(/\s+/),
);

const NAME = /^[A-Za-z]\w{0,40}$/;

const NEWLINE = 10;
const BLANK = 32;
/** Replaces bytes that are no event. */
const HIDDEN = 120;

export const isShape = (field: string): boolean => SHAPE.has(field);

/** A timeline line without content in the same number of bytes, so that offsets stay those of the file. */
export function shapeLine(line: Uint8Array): Uint8Array {
	const shaped = new Uint8Array(line.length).fill(HIDDEN);
	const text = new TextDecoder().decode(line);
	if (text.trim() === '') return line;
	const value = parsedObject(text);
	if (!value) return shaped;
	const kept = Object.entries(value).filter(([name]) => NAME.test(name));
	const emptied = kept.map(([name, field]) => [name, SHAPE.has(name) && isPlain(field) ? field : emptyOf(field)]);
	const bytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(emptied)));
	if (bytes.length > line.length) return shaped;
	shaped.fill(BLANK);
	shaped.set(bytes);
	return shaped;
}

/** An empty value of the same type, so that a verdict without its reason still parses. */
function emptyOf(field: unknown): unknown {
	if (typeof field === 'string') return '';
	if (typeof field !== 'object' || field === null) return field;
	return Array.isArray(field) ? [] : {};
}

/** Foreign lines may hold anything in a named field. */
function isPlain(field: unknown): boolean {
	if (typeof field === 'string') return field.length <= 200;
	if (Array.isArray(field))
		return field.length <= 50 && field.every((item) => typeof item === 'string' && item.length <= 200);
	return typeof field === 'number' || typeof field === 'boolean' || field === null;
}

/** `shapeLine` for a range, which is always whole lines. */
export function shapeLines(bytes: Uint8Array): Uint8Array {
	const shaped = new Uint8Array(bytes.length);
	let start = 0;
	for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
		shaped.set(shapeLine(bytes.subarray(start, end)), start);
		shaped[end] = NEWLINE;
		start = end + 1;
	}
	return shaped;
}
