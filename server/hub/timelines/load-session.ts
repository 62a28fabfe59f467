import { HUB_WIRE } from '#lib/contract/hub/hub-wire.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { ledgerOf } from '#lib/ledger/ledger-of.ts';
import { SessionFold } from '#lib/session/session-fold.ts';
import { summarise } from '#lib/session/summarise.ts';
import type { HubCheckpoint } from '../../timeline/store/hub-store.ts';
import { INDEX_VERSION } from '../../timeline/store/sqlite-index.ts';
import { type HubDatabase, type Query, sql } from '../database/database.ts';
import { appendRanges } from './append-statement.ts';
import type { Archives } from './archives.ts';
import { openRoll } from './session-rolls.ts';
import { SESSION_COLUMNS, type SessionRow, type StoredSession, storedSession } from './session-row.ts';

/** Sessions of an older fold are folded again. */
export const FOLD = Number(INDEX_VERSION);

const PAGE = 500;
const ROLLS_OF = sql`SELECT ${SESSION_COLUMNS} FROM sessions k
	JOIN sessions s ON s.edge = k.edge AND s.session_id = k.session_id AND s.gen = k.gen WHERE k.key =`;

export async function loadSession(
	database: HubDatabase,
	key: number,
): Promise<(HubCheckpoint & { session: StoredSession }) | undefined> {
	return database.atOnce(async (query) => {
		const [line] = await query<SessionRow>`${ROLLS_OF} ${key} ORDER BY s.roll DESC LIMIT 1`;
		return line && loadStored(query, storedSession(line));
	});
}

/** `recent` is a view from an earlier read; the stored one is read only if it is newer. */
export async function loadStored(query: Query, session: StoredSession, recent?: SessionView) {
	const { part, key } = session;
	const known = recent && recent.seq <= session.seq ? recent : undefined;
	const [kept] = await query<{ json: string | null }>`SELECT CASE WHEN seq > ${known?.seq ?? -1} THEN json END AS json
		FROM views WHERE part = ${part} AND skey = ${key}`;
	const view = kept?.json ? (JSON.parse(kept.json) as SessionView) : known;
	const from = view?.seq ?? session.base;
	const events: IndexedEvent[] = [];
	let lastTs = session.baseTs;
	// One before it, for its time.
	for await (const page of pagesAfter(query, session, from - 1)) {
		lastTs = page.at(-1)?.ts ?? lastTs;
		for (const event of page) if (event.seq > from) events.push(event);
	}
	return { session, view, events, lastTs };
}

async function* pagesAfter(query: Query, { part, key }: StoredSession, from: number): AsyncGenerator<IndexedEvent[]> {
	for (let after = from; ; ) {
		const found = await query<{ json: string }>`SELECT json FROM events WHERE part = ${part} AND skey = ${key}
			AND seq > ${after} ORDER BY seq LIMIT ${PAGE}`;
		const page = found.map(({ json }) => JSON.parse(json) as IndexedEvent);
		yield page;
		after = page.at(-1)?.seq ?? after;
		if (page.length < PAGE) return;
	}
}

async function* pagesOfAll(query: Query, { key }: StoredSession, archives: Archives): AsyncGenerator<IndexedEvent[]> {
	const rolls = await query<SessionRow>`${ROLLS_OF} ${key} ORDER BY s.roll`;
	for (const roll of rolls.map(storedSession)) {
		const reads = await openRoll(query, roll, archives);
		for (let after = roll.base; after < roll.seq; ) {
			const page = await reads.events({ after, limit: PAGE });
			yield page;
			after = page.at(-1)?.seq ?? roll.seq;
		}
	}
}

/** Replaces rows, ledger and view of an older fold; changes nothing if somebody wrote meanwhile. */
export async function refoldSession(
	database: HubDatabase,
	session: StoredSession,
	archives: Archives,
	fold: number,
): Promise<void> {
	const whole = new SessionFold(session.sessionId);
	const ledger = new Map<string, ReturnType<typeof ledgerOf>[number]>();
	for await (const page of pagesOfAll(database.query, session, archives)) {
		for (const event of page) {
			for (const line of ledgerOf(event, whole.add(event))) ledger.set(line.rowKey, line);
		}
	}
	// Only the number of lost events is known.
	const view = { ...whole.view, seq: Math.max(whole.view.seq, session.seq) };
	const { key, offset, tailDigest } = session;
	const changed = { events: [], rows: whole.rows(), ledger: [...ledger.values()], view, reachedBack: false };
	const summary = summarise(view, Date.parse(view.lastAt ?? '') || 0);
	const range = { key, from: offset, to: offset, tailDigest, ...changed, summary, checkpoint: true };
	await appendRanges(database.query, [range], [{ key, summary }], { fold, durably: false });
}

export interface HubVersions {
	wire: number;
	fold: number;
}

export const HUB_VERSIONS: HubVersions = { wire: HUB_WIRE, fold: FOLD };

/** Hubs are upgraded first, so a hub understands its own wire version and the one before. */
export function whyNotSpoken(edge: number, hub: number): string | undefined {
	if (edge > hub) return `it speaks wire ${edge}, and this hub ${hub}: upgrade the hub`;
	if (edge < hub - 1) return `it speaks wire ${edge}, and this hub ${hub}: upgrade Signalbox on the machine`;
	return undefined;
}
