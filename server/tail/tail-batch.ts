import type { Row } from '#lib/session/row.ts';
import type { IndexedEvent, SessionView } from '#lib/session/view.ts';

/** What one transaction of the tail added to a session. */
export interface TailBatch {
	sessionId: string;
	/** Ascending by seq. After the file was replaced they begin again at 1, under a new epoch. */
	events: IndexedEvent[];
	/** Every row that the events changed. */
	rows: Row[];
	view: SessionView;
}
