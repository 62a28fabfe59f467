import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { hubNameOf } from '#lib/ids/session-name.ts';
import { foldAgain, foldLines, type LineItem, neededRows } from '#lib/ingest/fold-lines.ts';
import { emptyView } from '#lib/session/fold.ts';
import { summarise } from '#lib/session/summarise.ts';
import { LruMap } from '../../process/lru-map.ts';
import { ArchiveAwaited, type HubRange, type HubSession } from '../../timeline/store/hub-store.ts';
import type { JournalRow } from '../../timeline/store/journal-store.ts';
import type { TailBatch } from '../../timeline/tail/session-reader.ts';
import {
	foreignLineId,
	gapOf,
	type LineContext,
	MAX_LINE_BYTES,
	proofIn,
	readLine,
} from '../../timeline/tail/timeline-file.ts';
import { isOurs, refusalOf } from '../database/database.ts';
import type { HubStore } from './postgres-store.ts';

/** A view costs as much as eight events. */
const VIEW_EVENTS = 256;
const VIEW_MS = 60_000;
/** A thousand sessions that began together would all be due in the same second. */
const OLD_VIEWS_AT_ONCE = 4;
const MAX_CACHED = 5000;
const MAX_FOREIGN = 10_000;

export interface RangeJob extends TimelineRange {
	key: number;
	tailDigest: string;
	birth: string;
	/** Merged from several ranges; on failure they are retried one by one. */
	joined?: boolean;
	/** Committed only once it is on the disk: the edge may be gone. */
	durably?: boolean;
}

export type FoldedRange =
	| { kind: 'committed'; session: HubSession; batch: TailBatch | undefined; listed: boolean }
	| { kind: 'elsewhere'; session: HubSession | undefined }
	/** The session continues from its archive, which is being read or not available. */
	| { kind: 'later'; session: undefined }
	/** One of the merged ranges is refused: each is retried alone. */
	| { kind: 'apart'; session: undefined };

/** A session between two ranges; everything can be loaded again from the store. */
interface CachedSession {
	session: HubSession;
	view: SessionView;
	lastTs: string | undefined;
	foreign: ReadonlyMap<string, number>;
	storedSeq: number;
	storedAt: number;
}

interface Work {
	job: RangeJob;
	cached: CachedSession;
	items: readonly LineItem[];
	foreign: ReadonlyMap<string, number>;
}

export interface RangeFoldOptions {
	store: HubStore;
	journalRows: (edge: number, ids: readonly string[]) => Promise<ReadonlyMap<string, JournalRow>>;
	now: () => number;
	viewEvents?: number;
	quarantined?: (error: unknown) => void;
}

/** Reads ranges, folds them onto their sessions and writes them. */
export class RangeFold {
	readonly #options: RangeFoldOptions;
	readonly #cache = new LruMap<number, CachedSession>(MAX_CACHED);
	readonly #moved = new LruMap<number, number>(MAX_CACHED);

	constructor(options: RangeFoldOptions) {
		this.#options = options;
	}

	/** At most one range a session. Rejects if the database is away; then all are retried. */
	async foldRanges(jobs: readonly RangeJob[]): Promise<FoldedRange[]> {
		try {
			const found = await Promise.all(jobs.map(async (job) => ({ job, from: await this.#openSafely(job) })));
			// Two numbers may have become one session.
			const fitting = new Map(
				found.flatMap(({ job, from }) =>
					from !== 'later' && from?.session.offset === job.from ? [[from.session.key, { job, from }]] : [],
				),
			);
			const read = await Promise.all([...fitting.values()].map(({ job, from }) => this.#readSafely(job, from)));
			const works = read.filter((work) => work !== undefined);
			const written = await this.#write(works);
			const results = new Map<RangeJob, FoldedRange>([...fitting.values()].map(({ job }) => [job, APART]));
			for (const [index, { job }] of works.entries()) results.set(job, written[index] ?? ELSEWHERE);
			return found.map(({ job, from }) => results.get(job) ?? lostRace(from));
		} catch (error) {
			for (const { key } of jobs) this.#cache.delete(this.#moved.get(key) ?? key);
			throw error;
		}
	}

	async storeViews(): Promise<void> {
		for (const { session, view, storedSeq } of this.#cache.values())
			if (view.seq > storedSeq) await this.#options.store.checkpoint(session.key, view);
		this.#cache.clear();
	}

	async #openSession(key: number): Promise<CachedSession | undefined> {
		const known = this.#cache.get(this.#moved.get(key) ?? key) ?? (await this.#load(key));
		if (!known) return;
		const session = await this.#options.store.roll(known.session, known);
		if (session === known.session) return known;
		this.#cache.delete(known.session.key);
		// Another replica has moved the session, and may have written since.
		if (!session) return this.#load(key);
		this.#moved.set(key, session.key);
		const rolled = { ...known, session, storedSeq: known.view.seq, storedAt: this.#options.now() };
		this.#cache.set(session.key, rolled);
		return rolled;
	}

	async #load(key: number): Promise<CachedSession | undefined> {
		const found = await this.#options.store.load(key);
		if (!found) return;
		const { session, events, lastTs } = found;
		if (session.key === key) this.#moved.delete(key);
		else this.#moved.set(key, session.key);
		const before = found.view ?? emptyView(session.sessionId);
		const view = foldAgain(before, events);
		const taken: CachedSession = {
			session,
			view,
			lastTs,
			foreign: new Map(),
			storedSeq: before.seq,
			storedAt: this.#options.now(),
		};
		this.#cache.set(session.key, taken);
		return taken;
	}

	/** On an offset mismatch, reload from the store: another replica may have written, or the database was restored. */
	async #openSessionAt({ key, from }: RangeJob): Promise<CachedSession | undefined> {
		const known = await this.#openSession(key);
		if (known?.session.offset === from) return known;
		this.#cache.delete(this.#moved.get(key) ?? key);
		return this.#openSession(key);
	}

	/** A session that waits for its archive, or is broken, does not hold up others. */
	async #openSafely(job: RangeJob): Promise<CachedSession | 'later' | undefined> {
		try {
			return await this.#openSessionAt(job);
		} catch (error) {
			if (error instanceof ArchiveAwaited) return 'later';
			if (whyPermanent(error) === undefined) throw error;
			this.#options.quarantined?.(error);
			return;
		}
	}

	async #readSafely(job: RangeJob, from: CachedSession): Promise<Work | undefined> {
		try {
			return await this.#read(job, from);
		} catch (error) {
			return this.#refused({ job, cached: from }, error);
		}
	}

	/** The range as one gap if the error is permanent, undefined if it was merged; else throws. */
	#refused({ job, cached: from }: Pick<Work, 'job' | 'cached'>, error: unknown): Work | undefined {
		const why = whyPermanent(error);
		if (why === undefined) throw error;
		if (job.joined) return;
		this.#options.quarantined?.(error);
		return { job, cached: from, items: [{ gap: refusedGap(from.session.sessionId, job, why) }], foreign: from.foreign };
	}

	/** Repeats until all ids and journal rows that the lines refer to are known. */
	async #read(job: RangeJob, from: CachedSession): Promise<Work> {
		const { sessionId, edge, key } = from.session;
		const taken = new Map<string, boolean>();
		const rows = new Map<string, JournalRow | undefined>();
		const isNew = from.view.seq === 0;
		const before = from.foreign.size > MAX_FOREIGN ? new Map<string, number>() : from.foreign;
		for (;;) {
			const unknown = new Set<string>();
			const proofOf = proofIn({
				find(id) {
					if (!rows.has(id)) unknown.add(id);
					return rows.get(id);
				},
			});
			const names = foreignNames(sessionId, before, taken);
			const items = readRange(job, { sessionId, proofOf, foreignId: names.nameOf });
			const { missing } = names;
			if (unknown.size === 0 && (isNew || missing.length === 0))
				return { job, cached: from, items, foreign: names.counts };
			const [base] = await this.#options.store.foldBases([{ key, ids: missing, rowKeys: [] }]);
			for (const id of missing) taken.set(id, base?.known.has(id) ?? false);
			const proven = unknown.size > 0 ? await this.#options.journalRows(edge, [...unknown]) : undefined;
			for (const id of unknown) rows.set(id, proven?.get(id));
		}
	}

	async #foldAll(works: readonly Work[]): Promise<(HubRange & { lastTs: string | undefined })[]> {
		const asks = works.map(({ cached: { view, session }, items }) => ({
			key: session.key,
			...neededRows(view, items),
		}));
		const bases = await this.#options.store.foldBases(asks);
		let old = 0;
		return works.map(({ job, cached: from, items }, index) => {
			const base = bases[index] ?? { known: new Set(), rows: new Map() };
			const { folded, lastTs } = foldLines(base, from, { items, gapTime: job.birth });
			const { view, reachedBack } = folded;
			const isOld = folded.events.length > 0 && this.#options.now() - from.storedAt >= VIEW_MS;
			if (isOld) old += 1;
			const isDue =
				view.seq - from.storedSeq >= (this.#options.viewEvents ?? VIEW_EVENTS) || (isOld && old <= OLD_VIEWS_AT_ONCE);
			return {
				...folded,
				key: from.session.key,
				from: job.from,
				to: job.to,
				tailDigest: job.tailDigest,
				durably: job.durably,
				summary: summarise(view, this.#options.now()),
				checkpoint: folded.events.length > 0 && (reachedBack || isDue),
				lastTs,
			};
		});
	}

	async #write(works: readonly Work[]): Promise<FoldedRange[]> {
		if (works.length === 0) return [];
		const ranges = await this.#foldAll(works).catch((error: unknown) => {
			if (whyPermanent(error) === undefined) throw error;
			return error;
		});
		if (!Array.isArray(ranges)) return this.#writeApart(works, ranges);
		const results = await this.#options.store.append(ranges.map(({ lastTs: _, ...range }) => range));
		const done = works.map(async (work, index): Promise<FoldedRange> => {
			const range = ranges[index];
			const result = results[index];
			if (!range || !result) throw new Error('The store did not say what became of a range.');
			if (result.kind === 'committed') return { ...this.#finishRange(work, range), listed: result.listed };
			this.#cache.delete(work.cached.session.key);
			if (result.kind === 'lost-race') return lostRace(await this.#openSafely(work.job));
			return this.#writeGap(work, new Refused(result.reason));
		});
		return Promise.all(done);
	}

	async #writeApart(works: readonly Work[], error: unknown): Promise<FoldedRange[]> {
		const [only] = works;
		if (works.length === 1 && only) return [await this.#writeGap(only, error)];
		const middle = Math.ceil(works.length / 2);
		return [...(await this.#write(works.slice(0, middle))), ...(await this.#write(works.slice(middle)))];
	}

	async #writeGap(work: Work, error: unknown): Promise<FoldedRange> {
		// If even a gap is refused, the lines are not the cause.
		if (work.items.length === 1 && work.items.some((item) => 'gap' in item)) throw error;
		const gap = this.#refused(work, error);
		const [written] = gap ? await this.#write([gap]) : [APART];
		return written ?? ELSEWHERE;
	}

	#finishRange(work: Work, { lastTs, ...range }: HubRange & { lastTs: string | undefined }) {
		const { view, events, rows, to, tailDigest, checkpoint } = range;
		const { session: before, storedSeq, storedAt } = work.cached;
		const session = { ...before, offset: to, tailDigest, seq: view.seq };
		const stored = checkpoint ? { storedSeq: view.seq, storedAt: this.#options.now() } : { storedSeq, storedAt };
		this.#cache.set(session.key, { session, view, lastTs, foreign: work.foreign, ...stored });
		if (events.length === 0) return { kind: 'committed' as const, session, batch: undefined };
		const { epoch } = session;
		const batch = { sessionId: hubNameOf(session), epoch, events: events.map(({ event }) => event), rows, view };
		return { kind: 'committed' as const, session, batch };
	}
}

const ELSEWHERE: FoldedRange = { kind: 'elsewhere', session: undefined };
const APART: FoldedRange = { kind: 'apart', session: undefined };

const lostRace = (from: CachedSession | 'later' | undefined): FoldedRange =>
	from === 'later' ? { kind: 'later', session: undefined } : { kind: 'elsewhere', session: from?.session };

class Refused extends Error {}

function whyPermanent(error: unknown): string | undefined {
	if (error instanceof Refused) return error.message;
	return refusalOf(error) ?? (isOurs(error) ? error.name : undefined);
}

function refusedGap(sessionId: string, { from, to }: Pick<TimelineRange, 'from' | 'to'>, why: string) {
	return gapOf(sessionId, {
		offset: from,
		bytes: to - from,
		reason: `the hub cannot keep what is in these lines (${why})`,
	});
}

const NEWLINE = 10;

interface TimelineRange {
	from: number;
	to: number;
	bytes: Buffer | null;
}

function readRange({ from, to, bytes }: TimelineRange, context: LineContext): LineItem[] {
	const { sessionId } = context;
	const tooLong = `a line of more than ${MAX_LINE_BYTES} bytes`;
	if (bytes === null) return [{ gap: gapOf(sessionId, { offset: from, bytes: to - from - 1, reason: tooLong }) }];
	const items: LineItem[] = [];
	let start = 0;
	for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
		const line = bytes.subarray(start, end);
		const content = line.length > MAX_LINE_BYTES ? { kind: 'gap' as const, reason: tooLong } : readLine(line, context);
		if (content.kind === 'event') items.push(content);
		if (content.kind === 'gap') {
			items.push({ gap: gapOf(sessionId, { offset: from + start, bytes: line.length, reason: content.reason }) });
		}
		start = end + 1;
	}
	return items;
}

/** Numbers lines with equal bytes, without holes. */
function foreignNames(sessionId: string, counts: ReadonlyMap<string, number>, taken: ReadonlyMap<string, boolean>) {
	const now = new Map(counts);
	const missing: string[] = [];
	const firstFree = (line: Buffer): number => {
		for (let nth = 0; ; nth += 1) {
			const id = foreignLineId(sessionId, line, nth);
			const isKnown = taken.get(id);
			// Doubled at each query: there may be thousands of equal lines.
			for (let more = nth; isKnown === undefined && more <= 2 * nth; more += 1) {
				missing.push(foreignLineId(sessionId, line, more));
			}
			if (!isKnown) return nth;
		}
	};
	return {
		nameOf(line: Buffer) {
			const first = foreignLineId(sessionId, line, 0);
			const nth = now.get(first) ?? firstFree(line);
			now.set(first, nth + 1);
			return nth === 0 ? first : foreignLineId(sessionId, line, nth);
		},
		missing,
		counts: now,
	};
}
