import type { KnownEvent, TimelineEvent } from '../contract/events/event.ts';
import { isKnown } from '../contract/events/event-labels.ts';
import { isJson } from '../json/json.ts';
import { inEnglish } from '../messages/sentence.ts';
import { eventTitle } from '../session/row.ts';
import { fieldText } from '../text/printable.ts';

const MAX_CHARS = 8000;

/** Fields of a call's input with the content of files, or with lists that have events of their own. */
const UNSEARCHED = new Set(['content', 'new_string', 'old_string', 'new_source', 'edits', 'todos']);

/**
 * The words of a person or an agent in an event, limited; empty if it repeats another event of its row. Outputs and file contents
 * are not searched.
 */
export function saidText(event: TimelineEvent): string {
	if (!isKnown(event)) return '';
	const texts: string[] = [];
	let left = MAX_CHARS;
	for (const piece of searchedValues(event)) {
		const text = plainText(fieldText(piece).slice(0, left));
		if (text === '') continue;
		texts.push(text);
		left -= text.length;
		if (left <= 0) break;
	}
	return texts.join('\n');
}

function searchedValues(event: KnownEvent): unknown[] {
	switch (event.type) {
		case 'tool:result':
		case 'agent:delegate':
		case 'todo:update':
		case 'approval:expire':
		case 'grant:expire':
		case 'workflow:adopt':
			return [];
		case 'tool:call':
			return inputTexts(event.input);
		case 'tool:error':
			return [event.error];
		case 'prompt:submit':
			return [event.prompt];
		case 'message:show':
			return [event.text];
		case 'agent:complete':
			return [event.agent, event.result, event.message];
		case 'gate:verdict':
			return event.decision === 'pass' ? [] : [event.rule, event.reason];
		case 'supervisor:review':
			return [event.question];
		case 'supervisor:verdict':
			return [inEnglish(eventTitle(event)), event.error];
		case 'validator:assessment':
			return [event.subject, event.reasoning, ...(event.suggestions ?? []), ...(event.warnings ?? [])];
		case 'validator:subtasks':
			return [event.featureName, ...event.subtasks];
		case 'approval:request':
			// Its call is searched.
			return event.toolUseId ? [] : [...inputTexts(event.input), ...event.denials.map(({ reason }) => reason)];
		case 'approval:resolve':
			return [event.decision, event.by.name, event.reason, ...inputTexts(event.updatedInput)];
		default:
			return [inEnglish(eventTitle(event))];
	}
}

function inputTexts(input: unknown): unknown[] {
	if (typeof input !== 'object' || input === null || 'blob' in input) return [input];
	return Object.entries(input).flatMap(([name, value]) => {
		if (UNSEARCHED.has(name)) return [];
		if (name === 'questions' && Array.isArray(value)) return value.flatMap(questionTexts);
		return typeof value === 'string' || isBlob(value) ? [value] : [];
	});
}

const isBlob = (value: unknown) => typeof value === 'object' && value !== null && 'blob' in value;

function questionTexts(questions: unknown): unknown[] {
	if (!isJson(questions)) return [];
	const options = Array.isArray(questions.options) ? questions.options.filter(isJson) : [];
	return [questions.question, ...options.flatMap(({ label, description }) => [label, description])];
}

/** Lower case of the same length, so that offsets in both texts agree. */
export function foldCase(text: string): string {
	// Sigma has two lower-case forms; which one is written depends on the next letter.
	const lower = text.toLowerCase().replaceAll('ς', 'σ');
	return lower.length === text.length ? lower : Array.from(text, foldCharacter).join('');
}

function foldCharacter(character: string): string {
	const lower = character.toLowerCase();
	return lower.length === character.length ? lower : character;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they end or break what SQLite reads.
const BLANKS = /[\s\u0000-\u001f]+/gu;

/** A blank that is replaced. Tested first, because most texts have none. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const ODD_BLANK = /[^\S ]|[\u0000-\u001f]| {2}/u;

/** One blank between words, letters in one form. */
export function plainText(text: string): string {
	const normal = text.normalize('NFC');
	return (ODD_BLANK.test(normal) ? normal.replace(BLANKS, ' ') : normal).trim();
}

/** The pieces that a text must contain. Double quotes hold one piece, an open one to the end; nothing is an operator. */
export function searchTerms(typed: string): string[] {
	const terms = [...plainText(typed).matchAll(/"(?<quoted>[^"]*)"?|(?<word>[^\s"]+)/gu)]
		.map(({ groups }) => foldCase((groups?.quoted ?? groups?.word ?? '').trim()))
		.filter((term) => term !== '');
	return [...new Set(terms)];
}

/** `folded` comes from `foldCase`, the terms from `searchTerms`. */
export function hasTerms(folded: string, terms: readonly string[]): boolean {
	return terms.every((term) => folded.includes(term));
}

interface Excerpt {
	text: string;
	marks: [from: number, to: number][];
}

/** How much is shown before the first term. */
const LEAD_CHARS = 60;
const MAX_MARKS = 20;

/** At most `max` characters, beginning a little before the first of `terms`. */
export function excerptOf(original: string, terms: readonly string[], max = 240): Excerpt {
	const folded = foldCase(original);
	const first = Math.min(...terms.map((term) => folded.indexOf(term)).filter((at) => at >= 0), original.length);
	const from =
		original.length <= max ? 0 : startOf(original, Math.max(0, Math.min(first - LEAD_CHARS, original.length - max)));
	const to = startOf(original, Math.min(original.length, from + max));
	const head = from > 0 ? '…' : '';
	const text = `${head}${original.slice(from, to)}${to < original.length ? '…' : ''}`;
	const shown = folded.slice(from, to);
	const found = terms.flatMap((term) => findTerm(term, shown));
	return { text, marks: joinMarks(found).map(([start, end]) => [start + head.length, end + head.length]) };
}

/** Not between two halves of a surrogate pair. */
const startOf = (text: string, at: number) => (/[\udc00-\udfff]/u.test(text.charAt(at)) ? at - 1 : at);

function findTerm(term: string, text: string): [number, number][] {
	const ranges: [number, number][] = [];
	for (let at = text.indexOf(term); at >= 0 && ranges.length < MAX_MARKS; at = text.indexOf(term, at + term.length))
		ranges.push([at, at + term.length]);
	return ranges;
}

function joinMarks(ranges: [number, number][]): [number, number][] {
	const marks: [number, number][] = [];
	for (const [from, to] of ranges.sort((a, b) => a[0] - b[0])) {
		const last = marks.at(-1);
		if (last && from <= last[1]) last[1] = Math.max(last[1], to);
		else marks.push([from, to]);
	}
	return marks;
}
