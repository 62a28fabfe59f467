import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { readBounded } from '#hooks-bridge/disk/bounded-read.ts';
import { writeThenRename } from '#hooks-bridge/disk/write-then-rename.ts';
import { JournalHead } from '#lib/contract/health/audit.ts';

/** The file beside the journal that remembers its newest row, so that a journal that is gone is missed. */
export function seenPath(journalPath: string): string {
	return join(dirname(journalPath), 'journal.seen');
}

/** The newest row that this home remembers, a second old at most; null where it remembers none. */
export function readSeen(journalPath: string): JournalHead | null {
	const read = readBounded(seenPath(journalPath));
	try {
		return read.ok ? JournalHead.parse(JSON.parse(read.text)) : null;
	} catch {
		return null;
	}
}

/**
 * Remembers the newest row, which is on the disk already. Not synced: a power cut leaves an older note or a blank one,
 * never one of a row that is not there. Throws where the disk refuses.
 */
export function writeSeen(journalPath: string, head: JournalHead): void {
	const path = seenPath(journalPath);
	writeThenRename(`${path}.${randomUUID()}`, path, `${JSON.stringify(head)}\n`, 0o600);
}
