import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, SqliteError } from './open-database.ts';

let path: string;

beforeEach(() => {
	path = join(mkdtempSync(join(tmpdir(), 'signalbox-database-')), 'a.db');
});

afterEach(() => {
	rmSync(join(path, '..'), { recursive: true });
});

test('a closed database leaves no log beside it and no lock, whatever statements it had', () => {
	const database = openDatabase(path);
	database.pragma('journal_mode = WAL');
	database.exec('CREATE TABLE t (a)');
	const rows = database.prepare<[], { a: number }>('SELECT a FROM t');
	database.prepare('INSERT INTO t VALUES (?), (?)').run(1, 2);
	expect(rows.iterate().next().value).toEqual({ a: 1 });
	database.close();
	database.close();
	expect(existsSync(`${path}-wal`)).toBe(false);
	const other = openDatabase(path, { timeout: 0 });
	other.exec('BEGIN EXCLUSIVE');
	other.close();
});

test('a transaction within another one fails alone; a failed one leaves nothing', () => {
	const database = openDatabase(path);
	database.exec('CREATE TABLE t (a UNIQUE)');
	const insert = database.prepare<[number]>('INSERT INTO t VALUES (?)');
	const put = database.transaction((...values: number[]) => {
		for (const value of values) insert.run(value);
	});
	const outer = database.transaction(() => {
		put(1);
		expect(() => put(2, 1)).toThrow(SqliteError);
		put(3);
	});
	outer.immediate();
	expect(() => put(4, 4)).toThrow(/UNIQUE/);
	expect(database.prepare('SELECT a FROM t').pluck().all()).toEqual([1, 3]);
	database.close();
});

test('a row with a number beyond 2^53 is written; a lock of another process is named', () => {
	const database = openDatabase(path, { timeout: 0 });
	database.exec('CREATE TABLE t (n INTEGER PRIMARY KEY)');
	expect(database.prepare('INSERT INTO t VALUES (9007199254740993)').run().changes).toBe(1);
	const other = openDatabase(path);
	other.exec('BEGIN EXCLUSIVE');
	expect(() => database.exec('BEGIN IMMEDIATE')).toThrow(expect.objectContaining({ code: 'SQLITE_BUSY' }));
	other.close();
	database.exec('BEGIN IMMEDIATE; ROLLBACK');
	expect(() => openDatabase(`${path}.none`, { fileMustExist: true })).toThrow(
		expect.objectContaining({ code: 'SQLITE_CANTOPEN' }),
	);
	database.close();
});
