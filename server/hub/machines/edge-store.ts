import { randomBytes } from 'node:crypto';
import DataLoader from 'dataloader';
import type { EdgeLevel } from '#lib/contract/approvals/approval-record.ts';
import type { EdgeState } from '#lib/contract/hub/edges.ts';
import type { ChainHead, Hello, JoinRequest } from '#lib/contract/hub/hub-wire.ts';
import { tell } from '#lib/messages/tell.ts';
import { digestOf } from '../../access/principal.ts';
import type { Ask } from '../database/database.ts';
import { takeInByRules } from './fleet-rules.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** Each letter is five bits. */
const CODE_LETTERS = 26;

/** The machine of a job is gone after so long. */
const SILENT_HOURS = 24;

/** Keys that are asked for within this are one question. */
const KEYS_TOGETHER_MS = 20;

/** A pending counter that every next one is. */
const ANY = -1;

/** A line of the list of edges. */
export interface EdgeLine {
	id: number;
	team: string;
	name: string;
	status: EdgeState;
	reason: string | null;
	labels: string[];
	seen_at: Date | null;
}

/** What a code says of the machines that join by it. */
export interface CodeTerms {
	/** What they are found by. */
	labels?: readonly string[];
	/** They are many: each is pending until somebody takes it in. */
	fleet?: boolean;
}

/** A machine that has just joined. */
export interface JoinedEdge {
	edge: number;
	team: string;
	pending: boolean;
}

/** An edge at its hello; the last two are null unless it is let in. */
interface GreetedEdge {
	status: EdgeState;
	reason: string | null;
	counter: number;
	team_id: number;
	team: string;
	conn_epoch: number | null;
	ephemeral: boolean | null;
}

/** What the hub makes of a hello that was really said by its edge. */
export type Greeting =
	| { welcome: true; team: string; teamId: number; counter: number; connEpoch: number; ephemeral: boolean }
	| { welcome: false; status: Exclude<EdgeState, 'joined'>; reason: string };

/** The edges of a hub, and the codes with which machines become one. */
export function createEdgeStore(ask: Ask) {
	const keys = new DataLoader<number, string | undefined>(
		async (edges) => {
			const found = await ask<{ id: number; pubkey: string }>('SELECT id, pubkey FROM edges WHERE id = ANY ($1)', [
				edges,
			]);
			const byEdge = new Map(found.map(({ id, pubkey }) => [id, pubkey]));
			return edges.map((edge) => byEdge.get(edge));
		},
		{ cache: false, maxBatchSize: 1000, batchScheduleFn: (load) => setTimeout(load, KEYS_TOGETHER_MS) },
	);
	async function quarantine(edge: number, reason: string): Promise<Greeting> {
		await ask("UPDATE edges SET status = 'quarantined', reason = $2 WHERE id = $1 AND status = 'joined'", [
			edge,
			reason,
		]);
		return { welcome: false, status: 'quarantined', reason };
	}

	/** How each stands that is still connected; in one order, so that replicas never wait for each other in a circle. */
	const seen = new DataLoader<number, { status: EdgeState; conn_epoch: number } | undefined>(
		async (ids) => {
			const found = await ask<{ id: number; status: EdgeState; conn_epoch: number }>(
				`WITH w AS MATERIALIZED (SELECT id FROM edges WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE)
				UPDATE edges e SET seen_at = now() FROM w WHERE e.id = w.id RETURNING e.id, e.status, e.conn_epoch`,
				[ids],
			);
			const byId = new Map(found.map((one) => [one.id, one]));
			return ids.map((id) => byId.get(id));
		},
		{ cache: false, maxBatchSize: 500 },
	);

	return {
		quarantine,
		/** Makes a code, good for so many joins and minutes; only its digest is kept. The team is made where it is not there. */
		async mintCode(
			team: string,
			uses: number,
			minutes: number,
			{ labels = [], fleet = false }: CodeTerms = {},
		): Promise<string> {
			const code = [...randomBytes(CODE_LETTERS)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
			await ask(
				`WITH t AS (INSERT INTO teams (name) VALUES ($2) ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id)
				INSERT INTO join_codes (hash, team, uses_left, until, labels, fleet)
				SELECT $1, t.id, $3, now() + make_interval(mins => $4), $5, $6 FROM t`,
				[digestOf(code), team, uses, minutes, labels, fleet],
			);
			return code;
		},
		/**
		 * Has a machine join; of a fleet it is pending, unless one of its team's rules fits. Undefined where the code is used up,
		 * too old, or none.
		 */
		async join({ code, key, name }: JoinRequest): Promise<JoinedEdge | undefined> {
			const [made] = await ask<JoinedEdge>(
				`WITH c AS (
					UPDATE join_codes SET uses_left = uses_left - 1 WHERE hash = $1 AND uses_left > 0 AND until > now()
					RETURNING team, labels, fleet
				), e AS (
					INSERT INTO edges (team, name, pubkey, labels, status)
					SELECT team, $3, $2, labels, CASE WHEN fleet THEN 'pending' ELSE 'joined' END FROM c RETURNING id, team, status
				) SELECT e.id AS edge, t.name AS team, e.status = 'pending' AS pending FROM e JOIN teams t ON t.id = e.team`,
				[digestOf(code), key, name],
			);
			if (!made?.pending) return made;
			return { ...made, pending: (await takeInByRules(ask, made.edge)) === 0 };
		},
		/** The public key of an edge; undefined where there is none. A flood of hellos is a few questions. */
		keyOf: (edge: number): Promise<string | undefined> => keys.load(edge),
		/**
		 * Lets an edge in, or not. Its counter is raised in two steps: what it says now becomes the current one, and the next
		 * is pending until it has been said, so that a crash on either side between the two costs nothing. A lower one was said
		 * before: by a copy of the edge, or by itself before it was restored from a backup. A higher one only the hub itself has
		 * forgotten, such as with a database that was restored.
		 */
		async greet({ edge, counter, version, wire, level = 'watch' }: Hello): Promise<Greeting> {
			// One statement reads and raises: an admin may accept a pending machine at the same time, and that is no copy.
			const [found] = await ask<GreetedEdge>(
				`WITH found AS MATERIALIZED (
					SELECT id, team, status, reason, counter, pending_counter FROM edges WHERE id = $1 FOR NO KEY UPDATE
				), raised AS (
					UPDATE edges e SET counter = $2, pending_counter = $2 + 1, conn_epoch = conn_epoch + 1, seen_at = now(),
						version = $3, wire = $5, level = $4, left_at = NULL, behind_bytes = NULL, late_ms = NULL
					FROM found f WHERE e.id = f.id AND f.status = 'joined' AND (f.counter <= $2 OR f.pending_counter = ${ANY})
					RETURNING e.conn_epoch, e.ephemeral
				) SELECT f.status, f.reason, f.counter, t.id AS team_id, t.name AS team, r.conn_epoch, r.ephemeral
				FROM found f JOIN teams t ON t.id = f.team LEFT JOIN raised r ON true`,
				[edge, counter, version, level, wire],
			);
			if (!found) return { welcome: false, status: 'revoked', reason: 'this hub does not know it' };
			const { status, team, team_id: teamId, conn_epoch: connEpoch, ephemeral } = found;
			if (connEpoch !== null)
				return { welcome: true, team, teamId, counter: counter + 1, connEpoch, ephemeral: ephemeral ?? false };
			if (status === 'pending') {
				await ask('UPDATE edges SET seen_at = now(), version = $2, level = $3 WHERE id = $1', [edge, version, level]);
				return { welcome: false, status, reason: 'no admin of the hub has taken it in yet' };
			}
			if (status !== 'joined') return { welcome: false, status, reason: found.reason ?? '' };
			return quarantine(
				edge,
				tell('It says that this is its connection {count}, and it has made {total} before.', {
					count: counter,
					total: found.counter,
				}),
			);
		},
		/** Sends machines of CI jobs away of which nothing was heard for a day; what they have sent stays. In the order of `seen`. */
		async endSilent(): Promise<void> {
			await ask(
				`WITH w AS MATERIALIZED (SELECT id FROM edges WHERE ephemeral AND status = 'joined'
					AND coalesce(seen_at, joined_at) < now() - interval '${SILENT_HOURS} hours' ORDER BY id FOR NO KEY UPDATE)
				UPDATE edges e SET status = 'revoked', reason = $1 FROM w WHERE e.id = w.id`,
				[tell('It was the machine of a CI job, and nothing was heard of it for a day.')],
			);
		},
		/** Whether the connection is still the edge's newest, and the edge still joined. Asked of many at once, it is one question. */
		async stands(edge: number, connEpoch: number): Promise<EdgeState | 'replaced'> {
			const found = await seen.load(edge);
			if (!found) return 'revoked';
			return found.status === 'joined' && found.conn_epoch !== connEpoch ? 'replaced' : found.status;
		},
		/** Keeps what an edge said of itself over a connection that is still its newest. */
		async tell(
			edge: number,
			connEpoch: number,
			{ behindBytes, lateMs, skewMs }: ConnectedEdgeStatus,
			level: EdgeLevel = 'watch',
		): Promise<void> {
			await ask(
				`UPDATE edges SET seen_at = now(), behind_bytes = $3, late_ms = $4, skew_ms = $5, level = $6
				WHERE id = $1 AND conn_epoch = $2`,
				[edge, connEpoch, behindBytes, lateMs, skewMs, level],
			);
		},
		/** The connection ended, unless another one took its place. */
		async leave(edge: number, connEpoch: number): Promise<void> {
			await ask('UPDATE edges SET left_at = now() WHERE id = $1 AND conn_epoch = $2', [edge, connEpoch]);
		},
		list: () =>
			ask<EdgeLine>(
				'SELECT e.id, t.name AS team, e.name, e.status, e.reason, e.labels, e.seen_at FROM edges e JOIN teams t ON t.id = e.team ORDER BY e.id',
			),
		/**
		 * An admin's word; gives how the edge stands then, undefined where there is none. Who is taken in or back counts on from what
		 * it says next; who was sent away stays so, since somebody else may have its key.
		 */
		async setStatus(edge: number, status: 'joined' | 'revoked'): Promise<EdgeState | undefined> {
			const [changed] = await ask<{ status: EdgeState }>(
				`UPDATE edges SET status = $2, reason = NULL, pending_counter = ${ANY}
				WHERE id = $1 AND status <> 'revoked' RETURNING status`,
				[edge, status],
			);
			const [found] = changed
				? [changed]
				: await ask<{ status: EdgeState }>('SELECT status FROM edges WHERE id = $1', [edge]);
			return found?.status;
		},
	};
}

export type EdgeStore = ReturnType<typeof createEdgeStore>;

/** Whether an edge's journal goes on from what the hub has of it: the same row, or later ones. */
export function goesOn(head: ChainHead | null, kept: ChainHead | null): boolean {
	if (kept === null) return true;
	return head !== null && (head.n > kept.n || (head.n === kept.n && head.hash === kept.hash));
}

/** What a connected machine last reported of itself. */
export interface ConnectedEdgeStatus {
	behindBytes: number;
	lateMs: number;
	/** Of its clock, from ours. */
	skewMs: number;
}
