import type { Ask } from '../database/database.ts';
import type { Archives } from './archive-reads.ts';
import { databaseReads, type SegmentReads } from './segment-reads.ts';
import type { PlacedSession } from './session-place.ts';

const nothing: SegmentReads = {
	events: async () => [],
	rows: async () => [],
	row: async () => undefined,
	times: async () => new Map(),
	known: async () => [],
};

/** One roll of a session, wherever it lies; of an archive nothing is read before something of it is asked for. */
export function rollReads(ask: Ask, roll: PlacedSession, archives: Archives): SegmentReads {
	if (!roll.archived) return databaseReads(ask, roll);
	const { stored } = roll.archived;
	if (!stored) return nothing;
	const open = () => archives.open(stored);
	return {
		events: async (range) => (await open()).events(range),
		rows: async (range) => (await open()).rows(range),
		row: async (key) => (await open()).row(key),
		times: async (seqs) => (await open()).times(seqs),
		known: async (ids) => (await open()).known(ids),
	};
}
