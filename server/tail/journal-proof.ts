import { isDeepStrictEqual } from 'node:util';
import type { JournalStore } from '../store/journal-store.ts';

/**
 * What the journal says of a line: `proven` is the very row, `forged` bears a row's id but says something else,
 * `unknown` has no row.
 */
export type Proof = 'proven' | 'forged' | 'unknown';

/** Holds approval and grant lines against the journal. A row's id alone proves nothing: it can be read and copied. */
export function proofIn(journal: Pick<JournalStore, 'find'>): (line: Readonly<Record<string, unknown>>) => Proof {
	return (line) => {
		const row = typeof line.id === 'string' ? journal.find(line.id) : undefined;
		if (!row) return 'unknown';
		const { category: _category, label: _label, ...said } = line;
		const { id, ts, kind, sessionId } = row;
		return isDeepStrictEqual(said, { id, ts, type: kind, sessionId, ...row.payload }) ? 'proven' : 'forged';
	};
}
