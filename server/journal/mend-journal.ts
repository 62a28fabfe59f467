import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JournalBreak } from '#lib/contract/health/audit.ts';
import { openJournalFile } from '../timeline/store/journal-failure.ts';
import { type Chain, openChain } from '../timeline/store/journal-links.ts';
import { writeSeen } from '../timeline/store/journal-seen.ts';
import { type JournalSigner, openJournalSigner } from '../timeline/store/journal-signer.ts';
import type { Database } from '../timeline/store/open-database.ts';
import { openSqlite } from '../timeline/store/sqlite-file.ts';
import { type FoundBreak, findBreak } from './find-break.ts';
import { lostEndings } from './lost-endings.ts';
import { readPlacedHeads } from './placed-heads.ts';
import { keepFormerJournal, replaceJournal } from './replace-journal.ts';

/**
 * Before a server opens its journal: one that is gone, emptied or damaged goes on in a new journal with the rows that are
 * proven intact, and one that is not what this home remembers says so in a row of its own; the chain links both to what
 * was before, and nothing is deleted. Only whoever holds the home's lock may call it. Gives the row that tells of it,
 * null where all is well. Throws JournalFailure where the file cannot be used, `now` in milliseconds.
 */
export function mendJournal(path: string, now: number): ({ n: number } & JournalBreak) | null {
	const damage = findBreak(path);
	if (damage === null) return null;
	const signer = openJournalSigner(path);
	const notice = isStillThere(damage)
		? goOnInside(path, signer, damage, now)
		: continueInNewJournal(path, signer, damage, now);
	if (notice.head) writeSeen(path, notice.head);
	return notice;
}

const isStillThere = ({ reason }: FoundBreak) => reason === 'shorter' || reason === 'other' || reason === 'key';

/** Numbers that rows of the former journal may have had are not given again. */
function numberAfter(path: string, damage: FoundBreak, highest: number): number {
	const anchored = readPlacedHeads(dirname(path)).map(({ n }) => n);
	return Math.max(highest, damage.after?.n ?? 0, damage.known?.n ?? 0, ...anchored) + 1;
}

function tell(chain: Chain, at: number, notice: JournalBreak, now: number) {
	const ts = new Date(now).toISOString();
	chain.add({ id: randomUUID(), ts, kind: 'journal:follow', subject: 'journal', payload: notice }, at);
	return { ...notice, n: at, head: chain.head() };
}

function goOnInside(path: string, signer: JournalSigner, damage: FoundBreak, now: number) {
	const sqlite = openSqlite(path, 'FULL', 'journal');
	try {
		const chain = openChain(sqlite, signer);
		const at = damage.reason === 'key' ? (damage.after?.n ?? 0) + 1 : numberAfter(path, damage, 0);
		return sqlite.transaction(() => tell(chain, at, { ...damage, kept: null }, now)).immediate();
	} finally {
		sqlite.close();
	}
}

function continueInNewJournal(path: string, signer: JournalSigner, damage: FoundBreak, now: number) {
	const kept = keepFormerJournal(path, now);
	const keptPath = kept && join(dirname(path), kept);
	const former = damage.reason === 'damaged' && keptPath ? openJournalFile(keptPath) : null;
	let notice: ReturnType<typeof tell> | undefined;
	try {
		replaceJournal(path, {
			former,
			signer,
			follow(chain, { after, highest }) {
				notice = tell(chain, numberAfter(path, damage, highest), { ...damage, after, kept }, now);
				for (const row of endingsOf(former, after?.n ?? 0, signer)) chain.add(row);
				notice.head = chain.head();
			},
		});
	} finally {
		former?.close();
		if (keptPath) rmSync(`${keptPath}-shm`, { force: true });
	}
	if (!notice) throw new Error('The new journal tells nothing of the former one.');
	return notice;
}

function endingsOf(former: Database | null, after: number, { name, publicKey }: JournalSigner) {
	return former ? lostEndings(former, after, new Map([[name, publicKey]])) : [];
}
