import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { appendToJournal, openSqliteJournal } from './sqlite-journal.ts';

test('R70 walk', async () => {
	const path = join(mkdtempSync(join(tmpdir(), 'journal-')), 'journal.db');
	const store = await openSqliteJournal(path);
	const row = await store.append({ id: 'a', kind: 'approval:request', subject: 's', payload: { x: 1 } });
	expect(row).toMatchObject({ n: 1, id: 'a' });
	expect(await store.append({ id: 'b', kind: 'link:use', subject: 's', payload: {} }, ['approval:request'])).toBeNull();
	appendToJournal(path, { id: 'c', kind: 'token:mint', subject: 't', payload: {} });
	expect(store.has('c')).toBe(true);
	expect(store.unpublished(10)).toEqual([row]);
	await store.markPublished(1);
	expect(store.unpublished(10)).toEqual([]);
	await store.close();
});
