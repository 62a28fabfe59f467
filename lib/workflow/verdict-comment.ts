import type { StageResult } from '../contract/sessions/read-model/workflow-state.ts';
import { readResult } from './read-workflow-state.ts';

const COMMENT = /<!--\s*VERDICT:\s*(\{[^{}]{0,2000}\})\s*-->/giu;
const COMMENT_HERE = new RegExp(`^${COMMENT.source}`, 'iu');
/** A comment and the spaces in it, in UTF-16 units: an author who opens ten thousand has each of them looked at. */
const LONGEST = 2_100;

/** A stretch of an agent's text: words, or a verdict and what its comment says beside it. */
export type VerdictPart = { kind: 'text'; text: string } | { kind: 'verdict'; result: StageResult; more: string };

/**
 * Splits what an agent wrote at its verdict comments, `<!-- VERDICT: {"result": "PASS"} -->` (seed 001). A comment
 * without a known result is words like any other. Total.
 */
export function verdictParts(text: string): VerdictPart[] {
	const parts: VerdictPart[] = [];
	let from = 0;
	for (const match of text.matchAll(COMMENT)) {
		const verdict = readComment(match[1] ?? '');
		if (!verdict) continue;
		if (match.index > from) parts.push({ kind: 'text', text: text.slice(from, match.index) });
		parts.push(verdict);
		from = match.index + match[0].length;
	}
	if (from < text.length || parts.length === 0) parts.push({ kind: 'text', text: text.slice(from) });
	return parts;
}

/** The verdict whose comment begins at this place of a text, and where it ends; null where none does. */
export function verdictAt(text: string, from: number) {
	if (!text.startsWith('<!--', from)) return null;
	const match = COMMENT_HERE.exec(text.slice(from, from + LONGEST));
	const part = match && readComment(match[1] ?? '');
	return part && { part, end: from + match[0].length };
}

/** The text with its verdicts in words, for places that hold no elements. */
export function spokenVerdicts(text: string): string {
	return verdictParts(text)
		.map((part) =>
			part.kind === 'text' ? part.text : [`(verdict: ${part.result})`, part.more].filter(Boolean).join(' '),
		)
		.join('');
}

/** The text without its verdicts, where they are told already. */
export function withoutVerdicts(text: string): string {
	return verdictParts(text)
		.map((part) => (part.kind === 'text' ? part.text : part.more))
		.join('');
}

function readComment(json: string): VerdictPart | null {
	try {
		const { result, ...more } = JSON.parse(json) as Record<string, unknown>;
		const known = readResult(typeof result === 'string' ? result.trim().toLowerCase() : null);
		const rest = Object.keys(more).length === 0 ? '' : JSON.stringify(more);
		return known && { kind: 'verdict', result: known, more: rest };
	} catch {
		// A comment that is no JSON says nothing; an earlier one or the words may.
		return null;
	}
}
