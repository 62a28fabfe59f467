import { timelinePath } from '#hooks-bridge/disk/overtone-home.ts';
import { compareRuns, type Run } from '#lib/compare/compare-runs.ts';
import type { Comparison } from '#lib/contract/compare.ts';
import type { SyncWorld } from '../features/archive-sync.ts';
import { fileStamp } from '../file-stamp.ts';
import { LruMap } from '../lru-map.ts';
import { findRuns } from './find-run.ts';
import { type RunSource, readRun } from './read-run.ts';

/** Folded runs that are kept: a page is looked at again, and one run is compared with several. */
const MAX_KEPT = 8;

/** Lays recorded runs side by side. */
export interface CompareDesk {
	/** The two by what `findRuns` takes. Rejects with `session/not-found` or `archive/damaged`. */
	compare(a: string, b: string): Promise<Comparison>;
}

/** Builds the desk over what a home has recorded. `now` in ms since the epoch. */
export function createCompareDesk(world: SyncWorld & { now: () => number }): CompareDesk {
	const runs = new LruMap<string, { stamp: string; run: Promise<Run> }>(MAX_KEPT);

	function read(source: RunSource): Promise<Run> {
		const key = `${source.kind} ${source.id}`;
		const stamp = stampOf(source, world.home);
		const known = runs.get(key);
		if (known?.stamp === stamp) return known.run;
		const run = readRun(source, world);
		runs.set(key, { stamp, run });
		run.catch(() => runs.delete(key));
		return run;
	}

	return {
		async compare(a, b) {
			const sources = findRuns(a, b, world);
			// One after the other: each may hold the ids of a million events while it is read.
			const first = await read(sources.a);
			return compareRuns(first, await read(sources.b));
		},
	};
}

function stampOf(source: RunSource, home: string): string {
	if (source.kind === 'session') return fileStamp(timelinePath(home, source.id));
	return source.manifest.sessions.flatMap(({ timelines }) => timelines.map(({ sha256 }) => sha256)).join();
}
