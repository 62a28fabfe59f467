import { join } from 'node:path';
import { openChain } from '../../timeline/store/journal-links.ts';
import { openJournalSigner } from '../../timeline/store/journal-signer.ts';
import type { JournalDraft, JournalKind } from '../../timeline/store/journal-store.ts';
import { openSqlite } from '../../timeline/store/sqlite-file.ts';
import { pastLines, pastStories } from './past-stories.ts';
import { type ToldLine, writeStory } from './story.ts';

const MINUTE_MS = 60_000;

/**
 * Two weeks of sessions below `home`, and who decided what in them: for lists, charts and the fleet. Their projects are
 * folders below `folder`. Only before the home's server starts: it writes the journal itself.
 */
export function writePast(home: string, folder: string, now: number): void {
	const told = pastStories.flatMap((story, at) => {
		const sessionId = `past-${at + 1}`;
		const start = now - story.ago * MINUTE_MS;
		return writeStory(home, sessionId, start, pastLines(sessionId, story, join(folder, story.project), start));
	});
	writeJournal(
		join(home, 'journal.db'),
		told.filter(({ type }) => type.startsWith('approval:')),
	);
}

/** The journal as it would have been written, each row at its line's time. */
function writeJournal(path: string, lines: readonly ToldLine[]): void {
	const sqlite = openSqlite(path, 'FULL', 'journal');
	try {
		const chain = openChain(sqlite, openJournalSigner(path));
		sqlite.transaction(() => {
			for (const line of lines.toSorted((one, other) => (one.ts < other.ts ? -1 : 1))) chain.add(rowOf(line));
		})();
	} finally {
		sqlite.close();
	}
}

function rowOf({
	id,
	ts,
	sessionId,
	type,
	category: _,
	label: _label,
	...payload
}: ToldLine): JournalDraft & { ts: string } {
	return { id, ts, sessionId, kind: type as JournalKind, subject: String(payload.approvalId), payload };
}
