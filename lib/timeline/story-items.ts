import { isOverridden, outcomeOf } from '../session/call.ts';
import type { Row } from '../session/row.ts';

/** What the story shows on one line: a row, or several like calls folded into one. */
export type StoryItem =
	| { kind: 'row'; key: string; row: Row; inFold: boolean }
	| { kind: 'fold'; key: string; rows: readonly Row[]; open: boolean };

/** Fewer like calls than this stay apart. */
const FOLD_FROM = 3;

/** Folds neighbouring plain calls of one actor with one tool ("Read x14"). `open` holds keys of folds to expand. */
export function storyItems(rows: readonly Row[], open: ReadonlySet<string>): StoryItem[] {
	const items: StoryItem[] = [];
	for (let from = 0; from < rows.length; ) {
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
