import { fold } from '#lib/session/fold.ts';
import type { Row } from '#lib/session/row.ts';
import { emptyView, type SessionView } from '#lib/session/view.ts';
import type { IndexStore } from './index-store.ts';

const PAGE = 1000;

/**
 * Folds a session's indexed events again, from the first: rows in the index are already ahead of an old view, and
 * folding events onto rows that know them would count some things not at all.
 */
export function refold(sessionId: string, events: IndexStore['events']): SessionView {
	const rows = new Map<string, Row>();
	let view = emptyView(sessionId);
	for (;;) {
		const page = events(sessionId, { after: view.seq, limit: PAGE });
		for (const event of page) {
			const step = fold(view, event, (key) => rows.get(key));
			for (const row of step.rows) rows.set(row.key, row);
			view = step.view;
		}
		if (page.length < PAGE) return view;
	}
}
