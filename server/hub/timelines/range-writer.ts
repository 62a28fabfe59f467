import type { Log } from '../../process/log.ts';
import type { FoldedRange, RangeFold, RangeJob } from './range-fold.ts';

const AT_ONCE = 40;
const EVENTS_AT_ONCE = 2000;
const EVENTS_OF_ONE = 500;
/** How long ranges of several sessions are collected (ms): a batch costs the database little more than one range. */
const GATHER_MS = 20;
const RETRY_MS = 500;

/** Ranges of all connections wait here and are written many sessions at a time. */
export function createRangeWriter(fold: Pick<RangeFold, 'foldRanges'>, log: Log) {
	const edges = new Map<number, Map<number, RangeToWrite[]>>();
	const apart = new WeakSet<RangeToWrite>();
	const whenIdle: (() => void)[] = [];
	let running = false;
	let stopped = false;
	let failing = false;
	let bytes = 0;
	let begunAt = Number.NEGATIVE_INFINITY;

	const sizeOf = ({ job }: RangeToWrite) => job.bytes?.length ?? 0;

	function pickRanges(): JoinedRanges[] {
		const picked: JoinedRanges[] = [];
		let events = 0;
		for (const queues of edges.values()) {
			let own = 0;
			for (const queue of queues.values()) {
				if (own >= EVENTS_OF_ONE || picked.length === AT_ONCE) break;
				const joined = joinRanges(queue, EVENTS_OF_ONE - own, apart);
				if (!joined) continue;
				picked.push(joined);
				own += joined.events;
			}
			events += own;
			if (events >= EVENTS_AT_ONCE || picked.length === AT_ONCE) break;
		}
		return picked;
	}

	function finishRanges({ ranges, job: { key }, edge }: JoinedRanges, result: FoldedRange) {
		if (result.kind === 'apart') return ranges.forEach((one) => void apart.add(one));
		const queues = edges.get(edge) ?? new Map<number, RangeToWrite[]>();
		const queue = queues.get(key) ?? [];
		const isWritten = result.kind === 'committed';
		// What follows a refused range would not fit either.
		const gone = queue.splice(0, isWritten ? ranges.length : queue.length);
		// To the end of the queue: a busy edge delays no other.
		queues.delete(key);
		if (queue.length > 0) queues.set(key, queue);
		edges.delete(edge);
		if (queues.size > 0) edges.set(edge, queues);
		for (const one of gone) {
			bytes -= sizeOf(one);
			one.finish(isWritten && one !== gone.at(-1) ? 'within' : result);
		}
	}

	async function gatherRanges(): Promise<JoinedRanges[]> {
		const picked = pickRanges();
		const restMs = begunAt + GATHER_MS - performance.now();
		if (picked.length === 0 || picked.length === AT_ONCE || restMs <= 0 || stopped) return picked;
		await new Promise((resolve) => setTimeout(resolve, restMs));
		return pickRanges();
	}

	async function run() {
		if (running) return;
		running = true;
		for (let picked = await gatherRanges(); picked.length > 0 && !stopped; picked = await gatherRanges()) {
			begunAt = performance.now();
			try {
				const results = await fold.foldRanges(picked.map(({ job }) => job));
				failing = false;
				for (const [index, done] of picked.entries())
					finishRanges(done, results[index] ?? { kind: 'elsewhere', session: undefined });
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
		enqueue(range: RangeToWrite) {
			const { edge, job } = range;
			const queues = edges.get(edge) ?? new Map<number, RangeToWrite[]>();
			const queue = queues.get(job.key) ?? [];
			queue.push(range);
			edges.set(edge, queues.set(job.key, queue));
			bytes += sizeOf(range);
			void run();
		},
		bytes: () => bytes,
		isFailing: () => failing,
		async stop() {
			stopped = true;
			if (running) await new Promise<void>((resolve) => whenIdle.push(resolve));
		},
	};
}

export type RangeWriter = ReturnType<typeof createRangeWriter>;

export type FinishedRange = Exclude<FoldedRange, { kind: 'apart' }> | 'within';

interface RangeToWrite {
	job: RangeJob;
	edge: number;
	events: number;
	finish: (result: FinishedRange) => void;
}

interface JoinedRanges {
	ranges: readonly RangeToWrite[];
	job: RangeJob;
	edge: number;
	events: number;
}

/** Ranges that follow each other, up to `room` events. Those in `apart` stay alone. */
function joinRanges(
	waiting: readonly RangeToWrite[],
	room: number,
	apart: Pick<WeakSet<RangeToWrite>, 'has'>,
): JoinedRanges | undefined {
	const [first] = waiting;
	if (!first) return;
	let { events } = first;
	let count = 1;
	let last = first;
	for (; count < waiting.length; count += 1) {
		const next = waiting[count];
		if (!next || !follows(next, last) || apart.has(first) || apart.has(next) || events + next.events > room) break;
		events += next.events;
		last = next;
	}
	const ranges = waiting.slice(0, count);
	if (count === 1) return { ranges, job: first.job, edge: first.edge, events };
	const bytes = Buffer.concat(ranges.flatMap(({ job }) => job.bytes ?? []));
	const { to, tailDigest } = last.job;
	return { ranges, job: { ...first.job, to, tailDigest, bytes, joined: true }, edge: first.edge, events };
}

/** A line that was too long to send has no bytes. */
const follows = ({ job }: RangeToWrite, before: RangeToWrite) =>
	job.from === before.job.to && job.bytes !== null && before.job.bytes !== null;
