import type { StageResult } from '../contract/sessions/read-model/workflow-state.ts';
import { readResult } from './read-workflow-state.ts';

const COMMENT = /<!--\s*VERDICT:\s*(\{[^{}]{0,2000}\})\s*-->/giu;
const COMMENT_HERE = new RegExp(`^${COMMENT.source}`, 'iu');
/** UTF-16 units; bounds the search of a text with ten thousand opened comments. */
const MAX_CHARS = 2_100;

export type VerdictPart = { kind: 'text'; text: string } | { kind: 'verdict'; result: StageResult; more: string };

/**
 * Splits a text at comments like `<!-- VERDICT: {"result": "PASS"} -->`. One without a known result is plain text. Never throws.
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

/** The verdict whose comment begins at this place, and where it ends. */
export function verdictAt(text: string, from: number) {
	if (!text.startsWith('<!--', from)) return null;
	const match = COMMENT_HERE.exec(text.slice(from, from + MAX_CHARS));
	const part = match && readComment(match[1] ?? '');
	return part && { part, end: from + match[0].length };
}

/** Each verdict comment becomes words for a person. */
export function spokenVerdicts(text: string): string {
	return verdictParts(text)
		.map((part) =>
			part.kind === 'text' ? part.text : [`(verdict: ${part.result})`, part.more].filter(Boolean).join(' '),
		)
		.join('');
}

/** Leaves of each verdict comment only what it says beside the verdict. */
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
		return null;
	}
}
