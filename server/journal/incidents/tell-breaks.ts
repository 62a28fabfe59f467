import { breakWords } from '#lib/audit/break-words.ts';
import { JournalBreak } from '#lib/contract/health/audit.ts';
import { tell } from '#lib/messages/tell.ts';
import type { JournalStore } from '../../timeline/store/journal-store.ts';
import type { IncidentLog } from './incident-log.ts';

/** So long a break is told on every page, also after the next start: nobody has to have looked at the right moment. */
const TOLD_FOR_MS = 24 * 3_600_000;
const MOST = 10;

/** Raises an incident for each place of the last day where the journal went on after a loss. */
export function tellBreaks(journal: Pick<JournalStore, 'byKind'>, incidents: IncidentLog): void {
	const rows = journal.byKind(['journal:follow'], { sinceMs: Date.now() - TOLD_FOR_MS, limit: MOST });
	for (const { n, payload } of rows) {
		const journalBreak = JournalBreak.safeParse(payload);
		if (!journalBreak.success) continue;
		incidents.raise({
			code: 'journal/changed',
			about: `row ${n}`,
			message: breakWords(n, journalBreak.data),
			fix: tell(
				'find out what happened to the disk, or who did it; sign in anew where that is needed. It is told for a day',
			),
			stands: true,
		});
	}
}
