import { timelinePath } from '#hooks-bridge/disk/overtone-home.ts';
import { compareRuns, type Run } from '#lib/compare/compare-runs.ts';
import type { Comparison } from '#lib/contract/archives/compare.ts';
import { fileStamp } from '../../process/file-stamp.ts';
import { LruMap } from '../../process/lru-map.ts';
import type { SyncPorts } from '../features/archive-sync.ts';
import { findRuns } from './find-run.ts';
import { type RunSource, readRun } from './read-run.ts';

/** Folded runs that are kept: a page is looked at again, and one run is compared with several. */
const MAX_KEPT = 8;

/** Lays recorded runs side by side. */
export interface CompareService {
	/** The two by what `findRuns` takes. Rejects with `session/not-found` or `archive/damaged`. */
	compare(a: string, b: string): Promise<Comparison>;
}

type CompareOptions = SyncPorts & {
	/** Ms since the epoch. */
	now: () => number;
	/** In the place of the disk, for tests. */
	readOne?: typeof readRun;
};

/**
 * Builds the service over what a home has recorded. Runs are read one after another, whoever asks: each may hold the ids of
 * a million events meanwhile, and takes its share of the time in which hooks are answered.
 */
export function createCompareService({ readOne = readRun, ...world }: CompareOptions): CompareService {
	const runs = new LruMap<string, { stamp: string; run: Promise<Run> }>(MAX_KEPT);
	let queue: Promise<unknown> = Promise.resolve();

	function read(source: RunSource): Promise<Run> {
		const key = `${source.kind} ${source.id}`;
		const stamp = stampOf(source, world.home);
		const known = runs.get(key);
		if (known?.stamp === stamp) return known.run;
		const run = queue.then(() => readOne(source, world));
		runs.set(key, { stamp, run });
		queue = run.catch(() => runs.delete(key));
		return run;
	}

	return {
		async compare(a, b) {
			const sources = findRuns(a, b, world);
			const [first, second] = await Promise.all([read(sources.a), read(sources.b)]);
			return compareRuns(first, second);
		},
	};
}

function stampOf(source: RunSource, home: string): string {
	if (source.kind === 'session') return fileStamp(timelinePath(home, source.id));
	return source.manifest.sessions.flatMap(({ timelines }) => timelines.map(({ sha256 }) => sha256)).join();
}
