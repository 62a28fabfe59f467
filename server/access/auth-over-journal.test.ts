import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { describeAuth } from '../testing/auth.contract.ts';
import type { JournalStore } from '../timeline/store/journal-store.ts';
import { openSqliteJournal } from '../timeline/store/sqlite-journal.ts';
import { createAuth } from './auth.ts';

let folder: string;
let journal: JournalStore;
beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'signalbox-auth-'));
	journal = await openSqliteJournal(join(folder, 'journal.db'));
});
afterAll(async () => {
	await journal.close();
	rmSync(folder, { recursive: true });
});

describeAuth('the journal of a machine', async () => {
	const auth = createAuth({ journal, host: 'home.signalbox.localhost', now: Date.now });
	const mintToken = () => auth.mintToken('viewer');
	return { auth, host: 'home.signalbox.localhost:7777', port: 7777, mintLink: () => auth.mintLink(), mintToken };
});
