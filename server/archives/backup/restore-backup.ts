import {
	closeSync,
	existsSync,
	fsyncSync,
	openSync,
	readdirSync,
	renameSync,
	rmdirSync,
	rmSync,
	writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { systemErrorCode } from '#hooks-bridge/disk/system-error-code.ts';
import { syncFolder } from '#hooks-bridge/disk/write-durably.ts';
import { makeFolder } from '#hooks-bridge/disk/write-files.ts';
import { AppError } from '#lib/contract/errors.ts';
import { verifyJournal } from '../../journal/verify-journal.ts';
import { type BackupCounts, draftPath, JOURNAL, readBackup, removeDeadDrafts, wrongBackup } from './backup-file.ts';

export interface Restored extends BackupCounts {
	rows: number;
	/** Where the previous home is now. */
	before?: string;
}

/**
 * Replaces `home` by the checked backup, or changes nothing. A home with content needs `replace`, which moves it aside (else
 * `feature/exists`). No server may run there. Rejects with `request/invalid`, or the file system's or journal's error.
 */
export async function restoreBackup(file: string, home: string, replace: boolean, now: number): Promise<Restored> {
	const isFull = existsSync(home) && readdirSync(home).length > 0;
	if (isFull && !replace)
		throw new AppError('feature/exists', `${home} holds something already. With --replace it is moved aside first.`);
	removeDeadDrafts(`${home}.restore`);
	const draft = draftPath(`${home}.restore`);
	makeFolder(draft);
	try {
		const counts = await readBackup(file, writeInto(draft));
		const rows = checkJournal(join(draft, JOURNAL));
		const before = isFull ? `${home}.before-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}` : undefined;
		if (before !== undefined) renameSync(home, before);
		else if (existsSync(home)) rmdirSync(home);
		renameSync(draft, home);
		syncFolder(dirname(home));
		return { ...counts, rows, ...(before !== undefined && { before }) };
	} finally {
		rmSync(draft, { recursive: true, force: true });
	}
}

function checkJournal(path: string): number {
	if (!existsSync(path)) return 0;
	const { rows, bad } = verifyJournal(path);
	if (bad !== null)
		throw new AppError('request/invalid', `The backup's journal is wrong at row ${bad.n}. Nothing was restored.`);
	return rows;
}

function writeInto(folder: string) {
	let out: number | null = null;
	return {
		begin(path: string): void {
			out = createFile(folder, path);
		},
		piece(bytes: Buffer): void {
			if (out === null) return;
			for (let index = 0; index < bytes.length; ) index += writeSync(out, bytes, index);
		},
		end(): void {
			if (out === null) return;
			fsyncSync(out);
			closeSync(out);
			out = null;
		},
	};
}

/** Creates a file in the empty draft: an obstacle comes from the backup itself. */
function createFile(folder: string, path: string): number {
	try {
		makeFolder(dirname(join(folder, path)));
		return openSync(join(folder, path), 'wx', 0o600);
	} catch (error) {
		const code = systemErrorCode(error);
		if (code === 'ENAMETOOLONG') throw wrongBackup(`${path}: its name is too long`);
		if (code === 'EEXIST' || code === 'ENOTDIR') throw wrongBackup(`${path}: it stands twice`);
		throw error;
	}
}
