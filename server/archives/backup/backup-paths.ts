import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Made again by themselves, of this machine alone, or copied by other means. */
const LEFT_OUT = /^(?:index\.db.*|journal\.db(?:-wal|-shm|-journal)?|bridge\.sock|server\.lock.*|bin)$/;
/** Drafts of processes at work; a name that appears when they are done is copied then. */
const DRAFT = /^\.(?:claim|import)-|\.half$|\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** No deeper does anything of a home lie. */
const DEEPEST = 12;

/** The name of the journal in a backup, which is a copy that SQLite made. */
export const JOURNAL = 'journal.db';

/** Whether a backup may hold a file of this path below the home: nothing else is ever written. */
export function isBackupPath(path: string): boolean {
	const parts = path.split('/');
	const isPlain = parts.every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\\0]/.test(part));
	return (
		isPlain && parts.length <= DEEPEST && path.length <= 2000 && (path === JOURNAL || !LEFT_OUT.test(parts[0] ?? ''))
	);
}

/**
 * The plain files of a home in the order in which they are copied while others write: a session's state before its
 * timeline, which it must not be ahead of; the timeline before the large values that it names; all before the journal,
 * which has whatever a timeline tells. Links and pipes are left out.
 */
export function* backupPaths(home: string, below = ''): Generator<string> {
	const entries = readdirSync(join(home, below), { withFileTypes: true }).sort(
		(one, other) => rankOf(one.name) - rankOf(other.name) || (one.name < other.name ? -1 : 1),
	);
	for (const entry of entries) {
		const path = below === '' ? entry.name : `${below}/${entry.name}`;
		if (DRAFT.test(entry.name) || !isBackupPath(path) || path === JOURNAL) continue;
		if (entry.isDirectory()) {
			// It may be gone since: a draft that became an archive.
			if (lstatSync(join(home, path), { throwIfNoEntry: false })?.isDirectory()) yield* backupPaths(home, path);
		} else if (entry.isFile()) yield path;
	}
}

function rankOf(name: string): number {
	if (name === 'sessions') return 0;
	if (name === 'archive') return 1;
	if (name === 'timeline.jsonl') return 3;
	return name === 'blobs' || name === 'handoffs' ? 4 : 2;
}
