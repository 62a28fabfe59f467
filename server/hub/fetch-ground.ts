import type { FoldGround } from '#lib/ingest/fold-lines.ts';
import type { Row } from '#lib/session/row.ts';
import type { HubStore } from '../store/hub-store.ts';
import type { Ask } from './database.ts';

type Asks = Parameters<HubStore['fetch']>[0];

/**
 * Which ids are taken (their json is null), and rows. Each part of it finds its partition by `$1`, and LATERAL with LIMIT
 * looks each one up in the index: whatever Postgres knows of the tables, it never reads a partition from end to end.
 */
const FETCH = `
WITH w AS (SELECT * FROM unnest($2::int[], $3::bigint[], $4::text[], $5::bool[]) AS w (at, skey, name, is_row))
SELECT w.at, w.name, NULL AS json FROM w CROSS JOIN LATERAL (
	SELECT 1 FROM events e WHERE e.part = $1 AND e.skey = w.skey AND e.id = w.name LIMIT 1) AS e
WHERE NOT w.is_row
UNION ALL
SELECT w.at, w.name, r.json FROM w CROSS JOIN LATERAL (
	SELECT json FROM rows r WHERE r.part = $1 AND r.skey = w.skey AND r.key = w.name LIMIT 1) AS r
WHERE w.is_row`;

/** What a fold needs to have of many sessions, by one question for each partition that they lie in. */
export async function fetchGround(
	ask: Ask,
	partOf: (key: number) => Promise<number | undefined>,
	asks: Asks,
): Promise<FoldGround[]> {
	const grounds = asks.map(({ rowKeys }) => ({
		known: new Set<string>(),
		rows: new Map<string, Row | undefined>(rowKeys.map((name) => [name, undefined])),
	}));
	for (const [part, wants] of await byPart(partOf, asks)) {
		const columns = (['at', 'key', 'name', 'isRow'] as const).map((column) => wants.map((want) => want[column]));
		const found = await ask<{ at: number; name: string; json: string | null }>(FETCH, [part, ...columns]);
		for (const { at, name, json } of found) {
			if (json === null) grounds[at]?.known.add(name);
			else grounds[at]?.rows.set(name, JSON.parse(json) as Row);
		}
	}
	return grounds;
}

interface Want {
	/** The place of its session in what was asked. */
	at: number;
	key: number;
	name: string;
	isRow: boolean;
}

async function byPart(partOf: (key: number) => Promise<number | undefined>, asks: Asks): Promise<Map<number, Want[]>> {
	const parts = new Map<number, Want[]>();
	for (const [at, { key, ids, rowKeys }] of asks.entries()) {
		if (ids.length + rowKeys.length === 0) continue;
		const part = await partOf(key);
		if (part === undefined) continue;
		const wants = parts.get(part) ?? [];
		for (const name of ids) wants.push({ at, key, name, isRow: false });
		for (const name of rowKeys) wants.push({ at, key, name, isRow: true });
		parts.set(part, wants);
	}
	return parts;
}
