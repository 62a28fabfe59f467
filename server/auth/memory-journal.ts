import type { JournalRow, JournalStore } from '../store/journal-store.ts';

/** A journal that forgets at the end of the process: for tests of what stands on one. */
export function createMemoryJournal(now: () => number = Date.now): JournalStore {
	const rows: JournalRow[] = [];
	const published = new Set<number>();
	return {
		async append(draft, unlessSubjectHas = []) {
			// Like the real one, it decides only after the caller has given way to others.
			await Promise.resolve();
			if (rows.some(({ subject, kind }) => subject === draft.subject && unlessSubjectHas.includes(kind))) return null;
			const row = { ...structuredClone(draft), n: rows.length + 1, ts: new Date(now()).toISOString() };
			rows.push(row);
			return row;
		},
		bySubject: (subject) => rows.filter((row) => row.subject === subject),
		byKind: (kinds, { sinceMs = 0, limit }) =>
			rows.filter(({ kind, ts }) => kinds.includes(kind) && Date.parse(ts) >= sinceMs).slice(-limit),
		has: (id) => rows.some((row) => row.id === id),
		unpublished: (limit) => rows.filter(({ n }) => !published.has(n)).slice(0, limit),
		async markPublished(n) {
			published.add(n);
		},
		async close() {},
	};
}
