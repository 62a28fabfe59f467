import type { FoldBase } from '#lib/ingest/fold-lines.ts';
import type { Row } from '#lib/session/row.ts';
import type { HubStore } from '../../timeline/store/hub-store.ts';
import type { Ask } from '../database/database.ts';
import type { PackedIds } from './packed-ids.ts';

type Asks = Parameters<HubStore['fetch']>[0];

/**
 * Which ids are taken (their json is null), and rows. Each part of it finds its partition by `$1`, and LATERAL with LIMIT
 * looks each one up in the index: whatever Postgres knows of the tables, it never reads a partition from end to end.
 */
const FETCH = `
WITH w AS (SELECT * FROM unnest($2::int[], $3::bigint[], $4::text[], $5::bool[]) AS w (at, skey, name, is_row))
SELECT w.at, w.skey, w.name, NULL AS json FROM w CROSS JOIN LATERAL (
	SELECT 1 FROM events e WHERE e.part = $1 AND e.skey = w.skey AND e.id = w.name LIMIT 1) AS e
WHERE NOT w.is_row
UNION ALL
SELECT w.at, w.skey, w.name, r.json FROM w CROSS JOIN LATERAL (
	SELECT json FROM rows r WHERE r.part = $1 AND r.skey = w.skey AND r.key = w.name LIMIT 1) AS r
WHERE w.is_row`;

/** One roll of a session: the number under which its events lie in a partition. */
export interface SessionRoll {
	key: number;
	part: number;
	/** They are not in the database any more. */
	packed: boolean;
}

/** Where to look. */
export interface FetchScope {
	/** The rolls of a session, of any order. */
	placesOf: (key: number) => Promise<readonly SessionRoll[]>;
	packed: PackedIds;
}

/**
 * What a fold needs to have of many sessions, by one question for each partition that they lie in. Rows of a roll that is
 * packed are not found: what is told of them so much later stands in a row of its own (0034).
 */
export async function fetchFoldBase(ask: Ask, { placesOf, packed }: FetchScope, asks: Asks): Promise<FoldBase[]> {
	const grounds = asks.map(({ rowKeys }) => ({
		known: new Set<string>(),
		rows: new Map<string, Row | undefined>(rowKeys.map((name) => [name, undefined])),
	}));
	const parts = new Map<number, Want[]>();
	for (const [at, wish] of asks.entries()) {
		if (wish.ids.length + wish.rowKeys.length === 0) continue;
		for (const place of await placesOf(wish.key)) {
			if (place.packed) for (const id of await packed.known(place.key, wish.ids)) grounds[at]?.known.add(id);
			else parts.set(place.part, [...(parts.get(place.part) ?? []), ...wantsOf(at, place.key, wish)]);
		}
	}
	const found: Found[] = [];
	for (const [part, wants] of parts) {
		const columns = (['at', 'key', 'name', 'isRow'] as const).map((column) => wants.map((want) => want[column]));
		found.push(...(await ask<Found>(FETCH, [part, ...columns])));
	}
	// The newest roll last: a row that went on there is as it is there.
	for (const { at, name, json } of found.sort((one, other) => one.skey - other.skey)) {
		if (json === null) grounds[at]?.known.add(name);
		else grounds[at]?.rows.set(name, JSON.parse(json) as Row);
	}
	return grounds;
}

const wantsOf = (at: number, key: number, { ids, rowKeys }: Asks[number]): Want[] => [
	...ids.map((name) => ({ at, key, name, isRow: false })),
	...rowKeys.map((name) => ({ at, key, name, isRow: true })),
];

interface Want {
	/** The place of its session in what was asked. */
	at: number;
	key: number;
	name: string;
	isRow: boolean;
}

interface Found {
	at: number;
	skey: number;
	name: string;
	json: string | null;
}
