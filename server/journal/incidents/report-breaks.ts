import { breakWords } from '#lib/audit/audit-report.ts';
import { JournalBreak } from '#lib/contract/health/audit.ts';
import { sentence } from '#lib/messages/sentence.ts';
import type { JournalStore } from '../../timeline/store/journal-store.ts';
import type { IncidentLog } from './incident-log.ts';

/** How long every page shows a break, also after a restart, so that somebody sees it. */
const SHOWN_FOR_MS = 24 * 3_600_000;
const MOST = 10;

/** Raises an incident for each place of the last day where the journal continued after a loss. */
export function reportBreaks(journal: Pick<JournalStore, 'byKind'>, incidents: IncidentLog): void {
	const rows = journal.byKind(['journal:follow'], { sinceMs: Date.now() - SHOWN_FOR_MS, limit: MOST });
	for (const { n, payload } of rows) {
		const journalBreak = JournalBreak.safeParse(payload);
		if (!journalBreak.success) continue;
		incidents.raise({
			code: 'journal/changed',
			about: `row ${n}`,
			message: breakWords(n, journalBreak.data),
			fix: sentence(
				'find out what happened to the disk, or who did it; sign in again where needed. It is shown for a day',
			),
			isOpen: true,
		});
	}
}
