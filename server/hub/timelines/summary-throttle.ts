import { LruMap } from '../../process/lru-map.ts';
import type { HubRange } from '../../timeline/store/hub-store.ts';
import { type SummaryLine, standOf } from './summary-line.ts';

/** A line that only counts on is written at most this often: it costs as much as three events. */
const BETWEEN_MS = 5000;
const MOST_KNOWN = 20_000;

/** Chooses which lines of the list are written now; the others wait, and the newest of each is not forgotten. */
export function createSummaryThrottle(now: () => number) {
	const written = new LruMap<number, { stand: string; at: number }>(MOST_KNOWN);
	const waiting = new Map<number, SummaryLine>();

	return {
		/** Those of the ranges that are due. */
		due(ranges: readonly HubRange[]): SummaryLine[] {
			return ranges.filter(({ key, summary, events }) => {
				const before = written.get(key);
				if (before?.stand === standOf(summary)) return events.length > 0 && now() - before.at >= BETWEEN_MS;
				return true;
			});
		},
		/** After the write: what was told, and what waits from now on. */
		settle(ranges: readonly HubRange[], told: readonly SummaryLine[]) {
			for (const { key, summary } of ranges) waiting.set(key, { key, summary });
			for (const { key, summary } of told) {
				waiting.delete(key);
				written.set(key, { stand: standOf(summary), at: now() });
			}
		},
		/** All that waits; it waits no more. */
		take(): SummaryLine[] {
			const lines = [...waiting.values()];
			waiting.clear();
			for (const { key, summary } of lines) written.set(key, { stand: standOf(summary), at: now() });
			return lines;
		},
	};
}
