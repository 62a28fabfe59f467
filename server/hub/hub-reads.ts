import type { LedgerEntry } from '#lib/contract/decisions.ts';
import type { Machine } from '#lib/contract/read-model/session-view.ts';
import { hubNameOf, readHubName } from '#lib/ids/session-name.ts';
import { foldAgain } from '#lib/ingest/fold-lines.ts';
import type { Row } from '#lib/session/row.ts';
import { emptyView, type IndexedEvent } from '#lib/session/view.ts';
import type { HubScope } from '../store/hub-store.ts';
import type { SessionReads } from '../store/session-reads.ts';
import type { Ask, HubDatabase } from './database.ts';
import { loadPlaced } from './load-session.ts';
import { type PlacedSession, SESSION, type SessionLine, sessionOf } from './session-place.ts';

/** In which sessions somebody may read: `$1` are the teams (null is all of them), `$2` projects as '<team>/<project>'. */
export const IN_SCOPE = "($1::int[] IS NULL OR s.team = ANY ($1) OR s.team || '/' || s.project = ANY ($2::text[]))";
export const scopeValues = ({ teams, projects = [] }: HubScope) => [
	teams === 'all' ? null : [...teams],
	projects.map(({ team, project }) => `${team}/${project}`),
];

const NEWEST = 2_147_483_647;

/** Everything that pages read of a hub's sessions. Each question names its partition: without that it costs a hundred times more. */
export function createHubReads(database: HubDatabase, scope: HubScope): SessionReads {
	const { ask } = database;

	async function find(name: string, by: Ask = ask): Promise<PlacedSession | undefined> {
		const wanted = readHubName(name);
		if (!wanted) return;
		const [line] = await by<SessionLine>(
			`SELECT ${SESSION} FROM sessions s WHERE ${IN_SCOPE} AND s.edge = $3 AND s.session_id = $4
			ORDER BY s.gen DESC, s.roll DESC LIMIT 1`,
			[...scopeValues(scope), wanted.edge, wanted.sessionId],
		);
		return line && sessionOf(line);
	}

	async function readRows(
		{ part, key }: PlacedSession,
		{ before, after, limit }: { before?: number; after?: number; limit: number },
		by: Ask = ask,
	): Promise<Row[]> {
		const forward = after !== undefined && before === undefined;
		const found = await by<{ json: string }>(
			`SELECT json FROM rows WHERE part = $1 AND skey = $2 AND seq > $3 AND seq < $4
			ORDER BY seq ${forward ? 'ASC' : 'DESC'} LIMIT $5`,
			[part, key, after ?? -1, before ?? NEWEST, limit],
		);
		const rows = found.map(({ json }) => JSON.parse(json) as Row);
		return forward ? rows : rows.reverse();
	}

	async function readEvents(
		{ part, key, ...session }: PlacedSession,
		{ after, limit, row }: { after: number; limit: number; row?: string },
	): Promise<IndexedEvent[]> {
		const start = 'SELECT json FROM events WHERE part = $1 AND skey = $2 AND seq > $3';
		const found =
			row === undefined
				? await ask<{ json: string }>(`${start} ORDER BY seq LIMIT $4`, [part, key, after, limit])
				: await ask<{ json: string }>(`${start} AND row_key = $5 ORDER BY seq LIMIT $4`, [
						part,
						key,
						after,
						limit,
						row,
					]);
		return found.map(({ json }) => named(json, hubNameOf(session)));
	}

	async function viewAtOnce(session: PlacedSession, by: Ask) {
		const { view = emptyView(session.sessionId), events } = await loadPlaced(by, session);
		const [machine] = await by<Machine>(
			'SELECT e.name, t.name AS team FROM edges e JOIN teams t ON t.id = e.team WHERE e.id = $1',
			[session.edge],
		);
		return { ...foldAgain(view, events), sessionId: hubNameOf(session), ...(machine && { machine }) };
	}

	return {
		async headOf(name) {
			const session = await find(name);
			return session && { epoch: session.epoch, seq: session.seq };
		},
		snapshot: (name, limit) =>
			database.atOnce(async (by) => {
				const session = await find(name, by);
				if (!session) return;
				const view = await viewAtOnce(session, by);
				return { epoch: session.epoch, view, rows: await readRows(session, { limit }, by) };
			}),
		async eventsSince(name, { epoch, after, limit }) {
			const session = await find(name);
			return session?.epoch === epoch ? readEvents(session, { after, limit }) : null;
		},
		view: (name) =>
			database.atOnce(async (by) => {
				const session = await find(name, by);
				return session && viewAtOnce(session, by);
			}),
		async row(name, rowKey) {
			const session = await find(name);
			if (!session) return;
			const [found] = await ask<{ json: string }>('SELECT json FROM rows WHERE part = $1 AND skey = $2 AND key = $3', [
				session.part,
				session.key,
				rowKey,
			]);
			return found && (JSON.parse(found.json) as Row);
		},
		async rows(name, range) {
			const session = await find(name);
			return session ? readRows(session, range) : [];
		},
		async timesOf(name, seqs) {
			const session = await find(name);
			if (!session) return seqs.map(() => undefined);
			const found = await ask<{ seq: number; json: string }>(
				'SELECT seq, json FROM events WHERE part = $1 AND skey = $2 AND seq = ANY ($3)',
				[session.part, session.key, seqs],
			);
			const times = new Map(found.map(({ seq, json }) => [seq, Date.parse((JSON.parse(json) as IndexedEvent).ts)]));
			return seqs.map((seq) => times.get(seq));
		},
		async events(name, range) {
			const session = await find(name);
			return session ? readEvents(session, range) : [];
		},
		async knownIds(name, ids) {
			const session = await find(name);
			if (!session) return new Set();
			const found = await ask<{ id: string }>('SELECT id FROM events WHERE part = $1 AND skey = $2 AND id = ANY ($3)', [
				session.part,
				session.key,
				ids,
			]);
			return new Set(found.map(({ id }) => id));
		},
		async denials(limit) {
			const found = await ask<{ edge: number; session_id: string; json: string }>(
				`SELECT s.edge, s.session_id, e.json FROM events e JOIN sessions s ON s.key = e.skey
				WHERE e.denied AND ${IN_SCOPE} ORDER BY e.at DESC, e.seq DESC LIMIT $3`,
				[...scopeValues(scope), limit],
			);
			return found.map(({ edge, session_id, json }) => named(json, hubNameOf({ edge, sessionId: session_id })));
		},
		// What was said stays at the edges (HUB 12).
		find: async () => null,
		async ledger({ since, until, before, limit }) {
			const [at, key, row] = readPlace(before);
			const found = await ask<{
				at: number;
				skey: number;
				key: string;
				json: string;
				edge: number;
				session_id: string;
			}>(
				`SELECT l.at, l.skey, l.key, l.json, s.edge, s.session_id FROM ledger l JOIN sessions s ON s.key = l.skey
				WHERE ${IN_SCOPE} AND l.at >= $3 AND l.at < $4 AND ($5::bigint IS NULL OR (l.at, l.skey, l.key) < ($5, $6, $7))
				ORDER BY l.at DESC, l.skey DESC, l.key DESC LIMIT $8`,
				[
					...scopeValues(scope),
					since ? Date.parse(since) : 0,
					until ? Date.parse(until) : 8.64e15,
					at,
					key,
					row,
					limit,
				],
			);
			return found.map((line) => ({
				line: {
					...(JSON.parse(line.json) as LedgerEntry),
					sessionId: hubNameOf({ edge: line.edge, sessionId: line.session_id }),
				},
				place: `${line.at}-${line.skey}-${line.key}`,
			}));
		},
	};
}

const named = (json: string, sessionId: string): IndexedEvent => ({ ...(JSON.parse(json) as IndexedEvent), sessionId });

function readPlace(place: string | undefined): [number, number, string] | [null, null, null] {
	const [, at, key, row] = /^(\d{1,16})-(\d{1,15})-(.*)$/s.exec(place ?? '') ?? [];
	return at === undefined ? [null, null, null] : [Number(at), Number(key), row ?? ''];
}
