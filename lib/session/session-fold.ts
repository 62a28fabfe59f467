import type { Row } from '../contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '../contract/sessions/read-model/session-view.ts';
import { emptyView, type Folded, fold } from './fold.ts';

/**
 * Folds one whole session without an index. Rows that the view no longer holds are looked up among the `mostRows` that
 * changed last, then by `findRow`.
 */
export class SessionFold {
	view: SessionView;
	readonly #rows = new Map<string, Row>();
	readonly #options: SessionFoldOptions;

	constructor(sessionId: string, options: SessionFoldOptions = {}) {
		this.view = { ...emptyView(sessionId), ...options.known };
		this.#options = options;
	}

	/** Adds the next event by seq, and gives what it changed. */
	add(event: IndexedEvent): Folded {
		const { findRow, mostRows = Number.POSITIVE_INFINITY } = this.#options;
		const step = fold(this.view, event, (key) => this.#rows.get(key) ?? findRow?.(key));
		this.view = step.view;
		for (const row of step.rows) {
			this.#rows.delete(row.key);
			this.#rows.set(row.key, row);
			const [oldest] = this.#rows.size > mostRows ? this.#rows.keys() : [];
			if (oldest !== undefined) this.#rows.delete(oldest);
		}
		return step;
	}

	/** The rows that are held, by seq. */
	rows(): Row[] {
		return [...this.#rows.values()].sort((one, other) => one.seq - other.seq);
	}
}

interface SessionFoldOptions {
	/** Default: all. */
	mostRows?: number;
	findRow?: (key: string) => Row | undefined;
	/** What was recorded before the first event. */
	known?: Partial<SessionView>;
}
