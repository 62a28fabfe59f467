import type { Row } from '../contract/sessions/read-model/row.ts';
import type { StageRun } from '../contract/sessions/read-model/session-view.ts';
import type { Note } from '../contract/sessions/session-actions.ts';
import type { Span } from './time-scale.ts';

export type NoteTarget = Pick<Note, 'row' | 'rowAt' | 'stage' | 'from' | 'to'>;

export function notesOfRows(rows: readonly Row[], notes: readonly Note[]): Map<string, Note[]> {
	const found = new Map<string, Note[]>();
	if (notes.length === 0) return found;
	for (const row of rows) {
		const own = notes.filter((note) => concerns(note, row));
		if (own.length > 0) found.set(row.key, own);
	}
	return found;
}

function concerns({ row, stage, from, to }: Note, { key, at, type, title }: Row): boolean {
	if (row !== undefined) return row === key;
	if (stage !== undefined) return type === 'stage:start' && (title === stage || title.startsWith(`${stage} `));
	return from !== undefined && to !== undefined && at >= from && at <= to;
}

/** Span of a note on a time axis (ms). For a stage: its first run, until `now` while it runs. */
export function spanOfNote(
	{ row, rowAt, stage, from, to }: NoteTarget,
	runs: readonly StageRun[],
	now: number,
): Span | null {
	if (from !== undefined && to !== undefined) return { from: Date.parse(from), to: Date.parse(to) };
	if (row !== undefined) return rowAt === undefined ? null : { from: Date.parse(rowAt), to: Date.parse(rowAt) };
	const run = runs.find((each) => each.stage === stage);
	return run ? { from: run.from, to: run.to ?? now } : null;
}

export const noteLine = ({ labels, text }: Pick<Note, 'labels' | 'text'>): string =>
	[...labels.map((label) => `#${label}`), text].filter(Boolean).join(' ');
