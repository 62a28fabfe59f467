import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { readBounded } from '#hooks-bridge/disk/bounded-read.ts';
import { writeThenRename } from '#hooks-bridge/disk/write-then-rename.ts';
import { JournalHead } from '#lib/contract/health/audit.ts';

/** The file beside the journal that remembers its newest row, so that the loss of the journal is noticed. */
export function seenPath(journalPath: string): string {
	return join(dirname(journalPath), 'journal.seen');
}

/** The newest row that this home remembers, at most a second old; null without one. */
export function readSeen(journalPath: string): JournalHead | null {
	const read = readBounded(seenPath(journalPath));
	try {
		return read.ok ? JournalHead.parse(JSON.parse(read.text)) : null;
	} catch {
		return null;
	}
}

/**
 * Remembers the newest row, which is already on the disk. Not synced: after a power cut the note is older or blank, but never
 * names a row that does not exist. Throws the disk's error.
 */
export function writeSeen(journalPath: string, head: JournalHead): void {
	const path = seenPath(journalPath);
	writeThenRename(`${path}.${randomUUID()}`, path, `${JSON.stringify(head)}\n`, 0o600);
}
