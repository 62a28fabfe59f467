import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import type { JournalBreak } from '#lib/contract/audit.ts';
import { openJournalFile } from '../store/journal-failure.ts';
import { type Chain, openChain } from '../store/journal-links.ts';
import { writeSeen } from '../store/journal-seen.ts';
import { type JournalSigner, openJournalSigner } from '../store/journal-signer.ts';
import { openSqlite } from '../store/sqlite-file.ts';
import { type FoundBreak, findBreak } from './find-break.ts';
import { lostEndings } from './lost-endings.ts';
import { keepFormerBook, putNewBook } from './new-book.ts';
import { readPlacedHeads } from './placed-heads.ts';

/**
 * Before a server opens its journal: one that is gone, emptied or damaged goes on in a new book with the rows that are
 * proven intact, and one that is not what this home remembers says so in a row of its own; the chain links both to what
 * was before, and nothing is deleted. Only whoever holds the home's lock may call it. Gives the row that tells of it,
 * null where all is well. Throws JournalFailure where the file cannot be used, `now` in milliseconds.
 */
export function mendJournal(path: string, now: number): ({ n: number } & JournalBreak) | null {
	const found = findBreak(path);
	if (found === null) return null;
	const signer = openJournalSigner(path);
	const told = isStillThere(found) ? goOnInside(path, signer, found, now) : goOnInNewBook(path, signer, found, now);
	if (told.head) writeSeen(path, told.head);
	return told;
}

const isStillThere = ({ reason }: FoundBreak) => reason === 'shorter' || reason === 'other' || reason === 'key';

/** Numbers that rows of the old book may have had are not given again. */
function numberAfter(path: string, found: FoundBreak, highest: number): number {
	const anchored = readPlacedHeads(dirname(path)).map(({ n }) => n);
	return Math.max(highest, found.after?.n ?? 0, found.known?.n ?? 0, ...anchored) + 1;
}

function tell(chain: Chain, at: number, told: JournalBreak, now: number) {
	const ts = new Date(now).toISOString();
	chain.add({ id: randomUUID(), ts, kind: 'journal:follow', subject: 'journal', payload: told }, at);
	return { ...told, n: at, head: chain.head() };
}

function goOnInside(path: string, signer: JournalSigner, found: FoundBreak, now: number) {
	const sqlite = openSqlite(path, 'FULL', 'journal');
	try {
		const chain = openChain(sqlite, signer);
		const at = found.reason === 'key' ? (found.after?.n ?? 0) + 1 : numberAfter(path, found, 0);
		return sqlite.transaction(() => tell(chain, at, { ...found, kept: null }, now)).immediate();
	} finally {
		sqlite.close();
	}
}

function goOnInNewBook(path: string, signer: JournalSigner, found: FoundBreak, now: number) {
	const kept = keepFormerBook(path, now);
	const keptPath = kept && join(dirname(path), kept);
	const former = found.reason === 'damaged' && keptPath ? openJournalFile(keptPath) : null;
	let told: ReturnType<typeof tell> | undefined;
	try {
		putNewBook(path, {
			former,
			signer,
			follow(chain, { after, highest }) {
				told = tell(chain, numberAfter(path, found, highest), { ...found, after, kept }, now);
				for (const row of endingsOf(former, after?.n ?? 0, signer)) chain.add(row);
				told.head = chain.head();
			},
		});
	} finally {
		former?.close();
		if (keptPath) rmSync(`${keptPath}-shm`, { force: true });
	}
	if (!told) throw new Error('The new book of the journal tells nothing of the old one.');
	return told;
}

function endingsOf(former: Database.Database | null, after: number, { name, publicKey }: JournalSigner) {
	return former ? lostEndings(former, after, new Map([[name, publicKey]])) : [];
}
