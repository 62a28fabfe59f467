import type { Log } from '../log.ts';
import type { createRangeFold, FoldedRange, RangeJob } from './range-fold.ts';

/** Sessions that are written by one statement. */
const AT_ONCE = 40;
/** The database is asked again after this. */
const RETRY_MS = 500;

interface Waiting {
	job: RangeJob;
	settled: (result: FoldedRange) => void;
}

/** What all connections of a replica have in common: ranges wait here until they are written, many sessions at a time. */
export function createRangeWriter(fold: ReturnType<typeof createRangeFold>, log: Log) {
	const queues = new Map<number, Waiting[]>();
	const whenIdle: (() => void)[] = [];
	let running = false;
	let stopped = false;
	let failing = false;
	let bytes = 0;

	const sizeOf = ({ job }: Waiting) => job.bytes?.length ?? 0;

	function pick(): Waiting[] {
		const picked: Waiting[] = [];
		for (const [key, queue] of queues) {
			const first = queue[0];
			if (!first) queues.delete(key);
			else picked.push(first);
			if (picked.length === AT_ONCE) break;
		}
		return picked;
	}

	function settle(done: Waiting, result: FoldedRange) {
		const { key } = done.job;
		const queue = queues.get(key) ?? [];
		// What waits behind one that was not taken would not fit either.
		const gone = result.kind === 'committed' ? queue.splice(0, 1) : queue.splice(0);
		// To the end of the line: whoever sends much keeps nobody waiting.
		queues.delete(key);
		if (queue.length > 0) queues.set(key, queue);
		bytes -= gone.reduce((sum, one) => sum + sizeOf(one), 0);
		done.settled(result);
	}

	async function run() {
		if (running) return;
		running = true;
		for (let picked = pick(); picked.length > 0 && !stopped; picked = pick()) {
			try {
				const results = await fold.take(picked.map(({ job }) => job));
				failing = false;
				for (const [at, done] of picked.entries())
					settle(done, results[at] ?? { kind: 'elsewhere', session: undefined });
			} catch (error) {
				if (!failing) log.error('hub: the database does not answer; what edges sent waits, and is tried again', error);
				failing = true;
				await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
			}
		}
		running = false;
		for (const resolve of whenIdle.splice(0)) resolve();
	}

	return {
		/** Takes a range; `settled` hears what became of it, once that is committed. */
		put(job: RangeJob, settled: (result: FoldedRange) => void) {
			const waiting = { job, settled };
			queues.set(job.key, [...(queues.get(job.key) ?? []), waiting]);
			bytes += sizeOf(waiting);
			void run();
		},
		/** Bytes that wait. */
		bytes: () => bytes,
		isFailing: () => failing,
		/** Takes up nothing more, and resolves when what it was at is done. */
		async stop() {
			stopped = true;
			if (running) await new Promise<void>((resolve) => whenIdle.push(resolve));
		},
	};
}

export type RangeWriter = ReturnType<typeof createRangeWriter>;
