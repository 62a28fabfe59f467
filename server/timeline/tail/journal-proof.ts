import { isDeepStrictEqual } from 'node:util';
import type { JournalStore } from '../store/journal-store.ts';

/** What the journal says of a line. */
export interface Proof {
	/** `proven` is the very row, `forged` bears a row's id but says something else, `unknown` has no row. */
	kind: 'proven' | 'forged' | 'unknown';
	/** Fields that were taken out of the row: nothing proves them any more, so the line's word for them does not count. */
	redacted: readonly string[];
}

/** Holds approval and grant lines against the journal. A row's id alone proves nothing: it can be read and copied. */
export function proofIn(journal: Pick<JournalStore, 'find'>): (line: Readonly<Record<string, unknown>>) => Proof {
	return (line) => {
		const row = typeof line.id === 'string' ? journal.find(line.id) : undefined;
		if (!row) return { kind: 'unknown', redacted: [] };
		const { id, ts, kind, sessionId, payload, redacted = [] } = row;
		const unsaid = new Set(['category', 'label', ...redacted]);
		const claim = Object.fromEntries(Object.entries(line).filter(([name]) => !unsaid.has(name)));
		const isRow = isDeepStrictEqual(claim, { id, ts, type: kind, sessionId, ...payload });
		return { kind: isRow ? 'proven' : 'forged', redacted };
	};
}
