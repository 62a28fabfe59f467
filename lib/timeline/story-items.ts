import { isOverridden, outcomeOf } from '../session/call.ts';
import type { Row } from '../session/row.ts';

/** What the story shows on one line: a row, or several like calls folded into one. */
export type StoryItem =
	| { kind: 'row'; key: string; row: Row; inFold: boolean }
	| { kind: 'fold'; key: string; rows: readonly Row[]; open: boolean };

/** Fewer like calls than this stay apart. */
const FOLD_FROM = 3;

/** What was asked before, and the answer. */
export interface EarlierItems {
	rows: readonly Row[];
	open: ReadonlySet<string>;
	items: readonly StoryItem[];
}

const none: EarlierItems = { rows: [], open: new Set(), items: [] };

/**
 * Folds neighbouring plain calls of one actor with one tool ("Read x14"). `open` holds keys of folds to expand. Of an
 * earlier answer the items before the first changed row are taken over, because a story grows at its end.
 */
export function storyItems(rows: readonly Row[], open: ReadonlySet<string>, earlier = none): StoryItem[] {
	let from = open === earlier.open ? unchangedUpTo(rows, earlier.rows) : 0;
	const items = from === 0 ? [] : earlier.items.slice(0, itemsOfRows(earlier.items, from));
	while (from < rows.length) {
		const end = runEnd(rows, from);
		const run = rows.slice(from, end);
		const first = run[0];
		if (first && run.length >= FOLD_FROM) {
			const key = `fold:${first.key}`;
			const isOpen = open.has(key);
			items.push({ kind: 'fold', key, rows: run, open: isOpen });
			if (isOpen) items.push(...run.map((row) => ({ kind: 'row', key: row.key, row, inFold: true }) as const));
		} else {
			items.push(...run.map((row) => ({ kind: 'row', key: row.key, row, inFold: false }) as const));
		}
		from = end;
	}
	return items;
}

/** The start of the run that the first changed row may belong to: up to there nothing has changed. */
function unchangedUpTo(rows: readonly Row[], before: readonly Row[]): number {
	let at = 0;
	while (at < rows.length && rows[at] === before[at]) at++;
	// The last run before it may go on with it, and then folds.
	at = Math.max(0, at - 1);
	for (
		let row = rows[at], prior = rows[at - 1];
		row && prior && isPlain(row) && isPlain(prior) && isLike(prior, row);
	) {
		at--;
		row = prior;
		prior = rows[at - 1];
	}
	return at;
}

/** How many items the first `count` rows have become. */
function itemsOfRows(items: readonly StoryItem[], count: number): number {
	let rows = 0;
	let at = 0;
	for (let item = items[at]; item && rows < count; item = items[++at]) {
		if (item.kind === 'row') rows++;
		else if (!item.open) rows += item.rows.length;
	}
	return at;
}

/** The end of the run of like calls that starts at `from`; at least one row. */
function runEnd(rows: readonly Row[], from: number): number {
	const first = rows[from];
	let end = from + 1;
	if (!first || !isPlain(first)) return end;
	for (let row = rows[end]; row && isPlain(row) && isLike(first, row); row = rows[end]) end++;
	return end;
}

const isLike = (a: Row, b: Row) => a.call?.tool === b.call?.tool && a.agentId === b.agentId;

/** Whether nothing about the call needs eyes: it ran, nobody objected, nobody was asked. */
function isPlain(row: Row): boolean {
	const { call } = row;
	if (!call || call.agentName || call.approval || call.mismatch || row.unverified) return false;
	if (isOverridden(call) || call.verdicts.some((verdict) => verdict.decision !== 'pass')) return false;
	return outcomeOf(call) === 'ran';
}
