import { copyFileSync, existsSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { emptyView } from '#lib/session/fold.ts';
import { describeIndexLedger, describeSearch, type SearchedStore } from '../../testing/index-finds.contract.ts';
import { describeIndexStore, sampleBatch } from '../../testing/index-store.contract.ts';
import { sessionReadsOf } from './index-store.ts';
import { openDatabase } from './open-database.ts';
import { openSqliteIndex } from './sqlite-index.ts';

const newPath = () => join(mkdtempSync(join(tmpdir(), 'signalbox-index-')), 'home', 'index.db');

async function openNew() {
	const path = newPath();
	const store = openSqliteIndex(path);
	return {
		store,
		reopen: async () => {
			store.close();
			return openSqliteIndex(path);
		},
	};
}

describeIndexStore('SQLite', openNew);
describeIndexLedger('SQLite', openNew);
describeSearch('SQLite', async () => searchedIndex(await openNew()));

function searchedIndex({ store, reopen }: Awaited<ReturnType<typeof openNew>>): SearchedStore {
	return {
		async say(sessionId, texts) {
			const batch = sampleBatch(store, emptyView(sessionId), texts.length);
			const events = batch.events.map(({ event: { id, ts, seq }, rowKey }, index) => {
				const fields = {
					type: 'prompt:submit',
					category: 'prompt',
					label: 'Prompt',
					source: 'user',
					prompt: texts[index],
				};
				return { event: { id, ts, seq, sessionId, ...fields } as IndexedEvent, rowKey };
			});
			store.write({ ...batch, events });
		},
		find: sessionReadsOf(store).find,
		reopen: async () => searchedIndex({ store: await reopen(), reopen }),
		forget: async (sessionId) => store.forget(sessionId),
		close: async () => store.close(),
	};
}

test.each([
	['is no database', (path: string) => writeFileSync(path, 'these are not the pages you are looking for'.repeat(100))],
	[
		'is damaged inside',
		(path: string) => writeFileSync(path, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(8000, 7)])),
	],
	[
		'lacks its tables',
		(path: string) => {
			const sqlite = openDatabase(path);
			sqlite.exec('DROP TABLE events; DROP TABLE meta');
			sqlite.close();
		},
	],
	[
		'is of another version',
		(path: string) => {
			const sqlite = openDatabase(path);
			sqlite.exec("UPDATE meta SET value = 'from the future' WHERE key = 'version'");
			sqlite.close();
		},
	],
])('an index that %s is started again with a new epoch and a warning', (_how, damage) => {
	const path = newPath();
	const store = openSqliteIndex(path);
	store.write(sampleBatch(store, emptyView('s1'), 3));
	const { epoch } = store;
	store.close();
	damage(path);
	const warnings: string[] = [];
	const again = openSqliteIndex(path, { warn: (message) => warnings.push(message) });
	expect(again.cursors()).toEqual([]);
	expect(again.epoch).not.toBe(epoch);
	expect(warnings).toHaveLength(1);
	expect(warnings[0]).toContain(path);
	again.write(sampleBatch(again, emptyView('s1'), 3));
	again.close();
});

test('after a crash the view is what its events fold to, and what they say is found', () => {
	const path = newPath();
	let store = openSqliteIndex(path);
	let view = emptyView('s1');
	for (const count of [3, 1, 4]) {
		const batch = sampleBatch(store, view, count);
		store.write(batch);
		view = batch.view;
		if (count !== 3) continue;
		// Only an end writes the view for sure; what follows stays in memory.
		store.close();
		store = openSqliteIndex(path);
	}
	const crashed = newPath();
	openSqliteIndex(crashed).close();
	for (const suffix of ['', '-wal']) copyFileSync(`${path}${suffix}`, `${crashed}${suffix}`);
	const stale = openDatabase(crashed, { readonly: true });
	expect(stale.prepare('SELECT seq FROM views').pluck().get()).toBe(3);
	stale.close();
	const again = openSqliteIndex(crashed);
	expect(again.view('s1')).toEqual(view);
	const found: number[] = [];
	again.find(['ls'], undefined, ({ event }) => found.push(event.seq) === 0);
	expect(found).toEqual([7, 5, 3, 1]);
	again.close();
	store.close();
});

test('every reader sees what a checkpoint moves, also if the end interrupted it', async () => {
	const path = newPath();
	const store = openSqliteIndex(path);
	let view = emptyView('s1');
	while (statSync(path).size < 500_000) {
		const batch = sampleBatch(store, view, 50);
		store.write(batch);
		view = batch.view;
		await new Promise((resolve) => setImmediate(resolve));
	}
	store.close();
	const again = openSqliteIndex(path);
	expect(again.events('s1', { after: 0, limit: 1_000_000 }).map((event) => event.seq)).toEqual(
		Array.from({ length: view.seq }, (_, n) => n + 1),
	);
	expect(again.view('s1')).toEqual(view);
	again.close();
});

test('the files of a store are for their owner alone', () => {
	const path = newPath();
	const store = openSqliteIndex(path);
	store.write(sampleBatch(store, emptyView('s1'), 3));
	expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
	for (const file of [path, `${path}-wal`, `${path}-shm`]) {
		expect(existsSync(file)).toBe(true);
		expect(statSync(file).mode & 0o777).toBe(0o600);
	}
	store.close();
});

test('a view that nothing was added to is the same object however often all views are asked for', () => {
	const store = openSqliteIndex(newPath());
	for (const id of ['quiet', 'busy']) store.write(sampleBatch(store, emptyView(id), 3));
	const before = store.views();
	expect(store.views()).toEqual(before);
	const viewOf = (of: typeof before, id: string) => of.find(({ sessionId }) => sessionId === id);
	store.write(sampleBatch(store, viewOf(before, 'busy') ?? emptyView('busy'), 2));
	expect(viewOf(store.views(), 'quiet')).toBe(viewOf(before, 'quiet'));
	expect(viewOf(store.views(), 'busy')).not.toEqual(viewOf(before, 'busy'));
	store.close();
});
