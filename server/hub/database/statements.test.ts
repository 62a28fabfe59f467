import { expect, test } from 'vitest';
import { first, isAny, literal, queryBy, sql } from './database.ts';

const HOSTILE = "'; DROP TABLE teams; --";

test('values of a statement and of its parts become parameters, in their order; a constant becomes part of its text', async () => {
	const queries: unknown[] = [];
	const query = queryBy(async (text, values) => {
		queries.push([text, values]);
		return { rows: [] };
	});
	const named = (name: string) => sql`(name = ${name} OR ${null}::text IS NULL)`;
	await query`SELECT 1 FROM teams WHERE id = ${7} AND ${named(HOSTILE)} AND ${sql``} x = ANY (${[1, 2]}) LIMIT ${literal(5)}`;
	await query`SELECT 1`;
	await query('SELECT $1', [HOSTILE]);
	await query('SELECT 2');
	expect(queries).toEqual([
		[
			'SELECT 1 FROM teams WHERE id = $1 AND (name = $2 OR $3::text IS NULL) AND  x = ANY ($4) LIMIT 5',
			[7, HOSTILE, null, [1, 2]],
		],
		['SELECT 1', []],
		['SELECT $1', [HOSTILE]],
		['SELECT 2', []],
	]);
});

test('the first row, and whether there is any', async () => {
	const rows = [{ n: 1 }, { n: 2 }];
	expect([await first(Promise.resolve(rows)), await first(Promise.resolve([]))]).toEqual([{ n: 1 }, undefined]);
	expect([await isAny(Promise.resolve(rows)), await isAny(Promise.resolve([]))]).toEqual([true, false]);
});
