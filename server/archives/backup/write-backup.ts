import { createHash, type Hash } from 'node:crypto';
import { closeSync, constants, fstatSync, fsyncSync, linkSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemErrorCode } from '#hooks-bridge/disk/system-error-code.ts';
import { tryTo } from '#hooks-bridge/disk/try-to.ts';
import { syncFolder } from '#hooks-bridge/disk/write-durably.ts';
import { AppError } from '#lib/contract/errors.ts';
import { verifyJournal } from '../../journal/verify-journal.ts';
import { openDatabase } from '../../timeline/store/open-database.ts';
import { type BackupCounts, backupPaths, draftPath, JOURNAL, readBackup, removeDeadDrafts } from './backup-file.ts';

const PIECE_BYTES = 4 * 1024 * 1024;
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Copies a whole home into one file while others write to it, then checks digests, count and the journal's chain. Only then the
 * file gets its name; it never overwrites. Rejects with the file system's or journal's error, and leaves nothing.
 */
export async function writeBackup(home: string, target: string, now: number): Promise<BackupCounts & { rows: number }> {
	removeDeadDrafts(`${target}.draft`);
	const draft = draftPath(`${target}.draft`);
	const out = openSync(draft, 'wx', 0o600);
	try {
		const lines = createHash('sha256');
		const line = (value: object) => {
			const text = `${JSON.stringify(value)}\n`;
			lines.update(text);
			writeSync(out, text);
		};
		line({ signalbox: 'backup', version: 1, createdAt: new Date(now).toISOString() });
		let [files, bytes] = [0, 0];
		const add = (path: string, from: string) => {
			const size = addFile(out, path, from, line);
			if (size === null) return;
			files += 1;
			bytes += size;
		};
		for (const path of backupPaths(home)) add(path, join(home, path));
		const rows = await withJournalCopy(home, draft, (copy) => add(JOURNAL, copy));
		writeSync(out, `${JSON.stringify({ end: { files, bytes, sha256: lines.digest('hex') } })}\n`);
		fsyncSync(out);
		const counts = await readBackup(draft);
		if (counts.files !== files || counts.bytes !== bytes) throw new Error('The copy does not hold what was written.');
		// Never overwrites a file that somebody created meanwhile.
		linkSync(draft, target);
		syncFolder(dirname(target));
		return { ...counts, rows };
	} finally {
		closeSync(out);
		rmSync(draft, { force: true });
	}
}

/** A file up to its length when opened, since timelines only grow. Null if it is gone or not a regular file. */
function addFile(out: number, path: string, from: string, line: (value: object) => void): number | null {
	const file = openOrNull(from);
	if (file === null) return null;
	try {
		const stat = fstatSync(file);
		if (!stat.isFile()) return null;
		line({ path, bytes: stat.size });
		const digest = createHash('sha256');
		copyBytes(file, out, stat.size, digest, path);
		writeSync(out, '\n');
		line({ sha256: digest.digest('hex') });
		return stat.size;
	} finally {
		closeSync(file);
	}
}

function openOrNull(path: string): number | null {
	try {
		return openSync(path, READ_FLAGS);
	} catch (error) {
		const code = systemErrorCode(error);
		if (code === 'ENOENT' || code === 'ELOOP' || code === 'ENXIO') return null;
		throw error;
	}
}

function copyBytes(from: number, to: number, size: number, digest: Hash, path: string): void {
	const buffer = Buffer.allocUnsafe(Math.min(PIECE_BYTES, Math.max(1, size)));
	for (let left = size; left > 0; ) {
		const count = readSync(from, buffer, 0, Math.min(left, buffer.length), null);
		if (count === 0) throw new AppError('file/changed', `${path} became shorter while it was copied. Run it again.`);
		const piece = buffer.subarray(0, count);
		digest.update(piece);
		for (let index = 0; index < count; ) index += writeSync(to, piece, index);
		left -= count;
	}
}

/** A consistent copy of the journal with its chain checked; returns the number of its rows. */
async function withJournalCopy(home: string, draft: string, take: (copy: string) => void): Promise<number> {
	const copy = `${draft}.journal`;
	const options = { readonly: true, fileMustExist: true, timeout: 10_000 };
	const source = tryTo(() => openDatabase(join(home, JOURNAL), options));
	if (!source) return 0;
	try {
		await source.backup(copy);
		const { rows, bad } = verifyJournal(copy);
		if (bad !== null)
			throw new Error(`The journal is damaged at row ${bad.n}: ${bad.what}. Run \`signalbox audit verify\`.`);
		take(copy);
		return rows;
	} finally {
		source.close();
		for (const name of [copy, `${copy}-wal`, `${copy}-shm`]) rmSync(name, { force: true });
	}
}
