import { failureWords, rootOf } from '../../process/failure-words.ts';
import type { IndexStore } from './index-store.ts';
import { isUnusable } from './sqlite-file.ts';
import { openSqliteIndex, type SqliteIndexOptions } from './sqlite-index.ts';

/** Least time between two rebuilds: a disk that damages every index must not keep the server rebuilding. */
const BETWEEN_MS = 60_000;

/** An index that is deleted and rebuilt when it turns out to be damaged. */
export interface HealingIndex extends IndexStore {
	/** Called at once with the reason: from now on the index is empty and cannot be written. */
	onDamage(listener: (reason: string) => void): void;
	/** Called when there is an empty index with a new epoch, into which everything must be read again. */
	onRebuilt(listener: () => void): void;
}

/** The index is about to be rebuilt and cannot be used until then. */
class IndexDamaged extends Error {
	constructor(options?: ErrorOptions) {
		super('The index is damaged; it is rebuilt from the timelines.', options);
	}
}

/**
 * Opens the index. Damage may be found days later, when a page is read: the caller then gets an empty index, as all others do
 * once the file is replaced.
 */
export function openHealingIndex(path: string, options: SqliteIndexOptions = {}): HealingIndex {
	const { warn = () => undefined } = options;
	const damageListeners: ((reason: string) => void)[] = [];
	const rebuiltListeners: (() => void)[] = [];
	const onLateFailure = (error: unknown) => void (isDamage(error) && healAfter(error));
	let store = openSqliteIndex(path, { ...options, onLateFailure });
	let isDamaged = false;
	let rebuiltAt = Number.NEGATIVE_INFINITY;
	let timer: NodeJS.Timeout | undefined;

	function rebuild() {
		rebuiltAt = performance.now();
		try {
			closeAnyway();
			store = openSqliteIndex(path, { ...options, onLateFailure, isNew: true });
		} catch (error) {
			warn(`The index ${path} cannot be started again: ${failureWords(error)} It is tried again in a minute.`);
			return rebuildLater();
		}
		isDamaged = false;
		for (const tell of rebuiltListeners) tell();
	}

	function rebuildLater() {
		timer = setTimeout(rebuild, Math.max(0, rebuiltAt + BETWEEN_MS - performance.now())).unref();
	}

	/** Its unwritten changes are lost with it. */
	function closeAnyway() {
		try {
			store.close();
		} catch (error) {
			if (!isDamage(error)) throw error;
		}
	}

	function healAfter(error: unknown) {
		if (isDamaged) return;
		isDamaged = true;
		const reason = String(rootOf(error));
		warn(`The index ${path} is damaged (${reason}); it is rebuilt from the timelines.`);
		for (const tell of damageListeners) tell(reason);
		// Later, since the caller is still using the former content.
		rebuildLater();
	}

	function read<T>(ask: (from: IndexStore) => T, empty: T): T {
		if (isDamaged) return empty;
		try {
			return ask(store);
		} catch (error) {
			if (!isDamage(error)) throw error;
			healAfter(error);
			return empty;
		}
	}

	function write(change: (to: IndexStore) => void) {
		if (isDamaged) throw new IndexDamaged();
		try {
			change(store);
		} catch (error) {
			if (!isDamage(error)) throw error;
			healAfter(error);
			throw new IndexDamaged({ cause: error });
		}
	}

	return {
		get epoch() {
			return store.epoch;
		},
		epochOf: (sessionId) => read((from) => from.epochOf(sessionId), undefined),
		cursors: () => read((from) => from.cursors(), []),
		knownIds: (sessionId, ids) => read((from) => from.knownIds(sessionId, ids), new Set()),
		view: (sessionId) => read((from) => from.view(sessionId), undefined),
		views: () => read((from) => from.views(), []),
		row: (sessionId, key) => read((from) => from.row(sessionId, key), undefined),
		rowsOf: (sessionId, keys) => read((from) => from.rowsOf(sessionId, keys), new Map()),
		rows: (sessionId, range) => read((from) => from.rows(sessionId, range), []),
		events: (sessionId, range) => read((from) => from.events(sessionId, range), []),
		timeOf: (sessionId, seq) => read((from) => from.timeOf(sessionId, seq), undefined),
		denials: (limit) => read((from) => from.denials(limit), []),
		find: (terms, before, take) => read((from) => from.find(terms, before, take), null),
		ledger: (range) => read((from) => from.ledger(range), []),
		write: (...batches) => write((to) => to.write(...batches)),
		forget: (sessionId) => write((to) => to.forget(sessionId)),
		onDamage: (listener) => void damageListeners.push(listener),
		onRebuilt: (listener) => void rebuiltListeners.push(listener),
		close() {
			clearTimeout(timer);
			// Damage at the last writes is found again at the next start.
			closeAnyway();
		},
	};
}

/** Stored values are valid JSON of the expected shape: anything else is damage, even if SQLite sees none. */
const isDamage = (error: unknown) => error instanceof SyntaxError || isUnusable(rootOf(error));
