import type { LedgerEntry } from '../contract/archives/decisions.ts';
import { isKnown } from '../contract/events/is-known.ts';
import type { Folded } from '../session/fold.ts';
import { find } from '../session/roster.ts';
import type { Row } from '../session/row.ts';
import type { IndexedEvent } from '../session/view.ts';
import { approvalEntry, callEntry, denialEntry } from './ledger-entry.ts';

/** What one event changes in the ledger: the lines of the rows that the fold has changed. */
export function ledgerOf(event: IndexedEvent, { view, rows }: Folded): LedgerEntry[] {
	const entries = rows.map((row) => (row.call ? callEntry(event.sessionId, row.call) : entryOf(event, row, view)));
	return entries.filter((entry) => entry !== null);
}

function entryOf(event: IndexedEvent, row: Row, view: Folded['view']): LedgerEntry | null {
	// Anybody could have written a line that is not verified.
	if (!isKnown(event) || event.unverified) return null;
	switch (event.type) {
		case 'gate:verdict':
		case 'command:block':
			return denialEntry(event);
		case 'approval:request':
		case 'approval:resolve':
		case 'approval:expire':
		case 'approval:abandon':
		case 'approval:late': {
			const approval = find(view.approvals, 'approvalId', event.approvalId);
			return approval ? approvalEntry(event.sessionId, { approval, seq: row.seq, at: row.at }) : null;
		}
		default:
			return null;
	}
}
