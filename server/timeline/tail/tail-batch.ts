import type { Row } from '#lib/session/row.ts';
import type { IndexedEvent, SessionView } from '#lib/session/view.ts';

/** What one transaction of the tail added to a session. */
export interface TailBatch {
	sessionId: string;
	/** That of the session: another one than before says that its file was replaced, or the index begun anew. */
	epoch: string;
	/** Ascending by seq; under a new epoch they begin again at 1. */
	events: IndexedEvent[];
	/** Every row that the events changed. */
	rows: Row[];
	view: SessionView;
}
