import type { Log } from '../../process/log.ts';
import type { createRangeFold, FoldedRange, RangeJob } from './range-fold.ts';

/** Sessions that are written by one statement. */
const AT_ONCE = 40;
/** A statement that has so many events takes up no further session, one of an edge that has so many no further one of it. */
const EVENTS_AT_ONCE = 2000;
const EVENTS_OF_ONE = 500;
/**
 * While ranges keep coming, a statement that would hold fewer sessions waits until so long after the last one began: that is
 * seen by nobody, and many sessions cost the database hardly more than a few.
 */
const GATHER_MS = 20;
/** The database is asked again after this. */
const RETRY_MS = 500;

/** What all connections of a replica have in common: ranges wait here until they are written, many sessions at a time. */
export function createRangeWriter(fold: ReturnType<typeof createRangeFold>, log: Log) {
	/** By edge and session, in the order in which it is their turn. */
	const edges = new Map<number, Map<number, RangeToWrite[]>>();
	/** Ranges that were refused together: one of them spoils no other. */
	const apart = new WeakSet<RangeToWrite>();
	const whenIdle: (() => void)[] = [];
	let running = false;
	let stopped = false;
	let failing = false;
	let bytes = 0;
	let begunAt = Number.NEGATIVE_INFINITY;

	const sizeOf = ({ job }: RangeToWrite) => job.bytes?.length ?? 0;

	function pick(): JoinedRanges[] {
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

	function settle({ ranges, job: { key }, edge }: JoinedRanges, result: FoldedRange) {
		if (result.kind === 'apart') return ranges.forEach((one) => void apart.add(one));
		const queues = edges.get(edge) ?? new Map<number, RangeToWrite[]>();
		const queue = queues.get(key) ?? [];
		const isWritten = result.kind === 'committed';
		// What waits behind one that was not taken would not fit either.
		const gone = queue.splice(0, isWritten ? ranges.length : queue.length);
		// To the end of the line: whoever sends much keeps nobody waiting.
		queues.delete(key);
		if (queue.length > 0) queues.set(key, queue);
		edges.delete(edge);
		if (queues.size > 0) edges.set(edge, queues);
		for (const one of gone) {
			bytes -= sizeOf(one);
			one.settled(isWritten && one !== gone.at(-1) ? 'within' : result);
		}
	}

	/** What the next statement writes, once enough has come together. */
	async function gather(): Promise<JoinedRanges[]> {
		const picked = pick();
		const restMs = begunAt + GATHER_MS - performance.now();
		if (picked.length === 0 || picked.length === AT_ONCE || restMs <= 0 || stopped) return picked;
		await new Promise((resolve) => setTimeout(resolve, restMs));
		return pick();
	}

	async function run() {
		if (running) return;
		running = true;
		for (let picked = await gather(); picked.length > 0 && !stopped; picked = await gather()) {
			begunAt = performance.now();
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
		put(range: RangeToWrite) {
			const { edge, job } = range;
			const queues = edges.get(edge) ?? new Map<number, RangeToWrite[]>();
			const queue = queues.get(job.key) ?? [];
			queue.push(range);
			edges.set(edge, queues.set(job.key, queue));
			bytes += sizeOf(range);
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

/** What becomes of a range: what the fold says, or that it was written `within` the next one, which hears of both. */
export type SettledRange = Exclude<FoldedRange, { kind: 'apart' }> | 'within';

/** A range that is to be written, of which edge, and how many events it has at most. */
interface RangeToWrite {
	job: RangeJob;
	edge: number;
	events: number;
	settled: (result: SettledRange) => void;
}

/** Ranges of one session that follow each other, written as one. */
interface JoinedRanges {
	ranges: readonly RangeToWrite[];
	job: RangeJob;
	edge: number;
	events: number;
}

/**
 * The first ranges that wait of a session, as many as have `room` (events) beside the first: whoever has fallen behind writes
 * many for hardly more than one. Those that are to be taken `apart` stay alone. Undefined where none waits.
 */
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

/** A line that was too long to be sent has no bytes. */
const follows = ({ job }: RangeToWrite, before: RangeToWrite) =>
	job.from === before.job.to && job.bytes !== null && before.job.bytes !== null;
