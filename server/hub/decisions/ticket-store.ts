import { approvalFromRows } from '#lib/approvals/approval-from-rows.ts';
import type { ApprovalRecord, ApprovalState, EdgeLevel } from '#lib/contract/approvals/approval-record.ts';
import type { GrantReach } from '#lib/contract/approvals/grant-reach.ts';
import type { AnnouncedTicket } from '#lib/contract/hub/hub-wire.ts';
import { hubNameOf } from '#lib/ids/session-name.ts';
import { literal, type Query, sql } from '../database/database.ts';
import type { EdgeJournalStore } from '../timelines/edge-journal-store.ts';

export interface HubTicket {
	edge: number;
	machine: string;
	level: EdgeLevel;
	grants: GrantReach;
	team: number;
	teamName: string;
	project: string | null;
	digest: string;
	nonce: string;
	record: ApprovalRecord;
}

interface TicketLine extends Omit<HubTicket, 'record' | 'teamName'> {
	team_name: string;
	session_id: string;
	deadline: Date;
	json: string;
}

const FIELDS = sql`t.edge, e.name AS machine, e.level, e.grants, t.team, m.name AS team_name, s.project, t.digest, t.nonce, t.session_id,
	t.deadline, t.json`;
const FROM = sql`FROM tickets t JOIN edges e ON e.id = t.edge JOIN teams m ON m.id = t.team
	LEFT JOIN LATERAL (SELECT project FROM sessions WHERE edge = t.edge AND session_id = t.session_id
		ORDER BY gen DESC, roll DESC LIMIT 1) s ON true`;

/** Each machine may list so many tickets, and bytes, before those of others come first. */
const MAX_PER_MACHINE = 20;
const BYTES_OF_ONE = 1024 * 1024;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_WAITING = 20_000;

interface TicketQuery {
	teams: readonly number[] | null;
	states: readonly string[] | null;
	/** How many of the newest are searched, and how many returned. */
	reach: number;
	limit: number;
	/** No machine hides the tickets of others by number or size. */
	fairly: boolean;
}

const listOf = ({ teams, states, reach, limit, fairly }: TicketQuery) => sql`
WITH last AS (
	SELECT t.ticket, t.edge, t.asked_at, octet_length(t.json) AS bytes FROM tickets t
	WHERE (${teams}::int[] IS NULL OR t.team = ANY (${teams})) AND (${states}::text[] IS NULL OR t.state = ANY (${states}))
	ORDER BY t.asked_at DESC LIMIT ${reach}
), own AS (
	SELECT *, row_number() OVER one AS nth, sum(bytes) OVER one AS own_bytes FROM last
	WINDOW one AS (PARTITION BY edge ORDER BY asked_at DESC, ticket)
), fair AS (
	SELECT ticket, row_number() OVER shared AS place, sum(bytes) OVER shared AS total FROM own WINDOW shared AS (
		ORDER BY ${fairly} AND nth > 1 AND (nth > ${literal(MAX_PER_MACHINE)} OR own_bytes > ${literal(BYTES_OF_ONE)}), asked_at DESC, ticket)
) SELECT ${FIELDS} ${FROM} JOIN fair f ON f.ticket = t.ticket
WHERE f.place = 1 OR (f.place <= ${limit} AND f.total <= ${literal(MAX_BYTES)}) ORDER BY f.place`;

export function createTicketStore(query: Query, histories: EdgeJournalStore['histories'], now: () => number) {
	const ticketOf = ({ team_name, session_id, deadline, json, ...line }: TicketLine): HubTicket => {
		const record = JSON.parse(json) as ApprovalRecord;
		const { edge, machine, level } = line;
		const isLate = record.state === 'waiting' && deadline.getTime() <= now();
		return {
			...line,
			teamName: team_name,
			record: {
				...record,
				sessionId: hubNameOf({ edge, sessionId: session_id }),
				machine: { name: machine, team: team_name, level },
				// Clocks of edges may differ.
				...(record.state === 'waiting' && { deadline: deadline.toISOString() }),
				...(isLate && { state: 'expired' as const }),
			},
		};
	};

	return {
		/** Records the open tickets of an edge; those not listed any more are over. */
		async recordOpen(edge: number, open: readonly AnnouncedTicket[], grants: GrantReach = 'never'): Promise<void> {
			await query`UPDATE edges SET grants = ${grants} WHERE id = ${edge} AND grants <> ${grants}`;
			const ids = open.map(({ id }) => id);
			const known = await query<{
				ticket: string;
				nonce: string;
			}>`SELECT ticket, nonce FROM tickets WHERE edge = ${edge}
				AND (state = 'waiting' OR ticket = ANY (${ids}))`;
			const nonces = new Map(known.map(({ ticket, nonce }) => [ticket, nonce]));
			const fresh = open.filter(({ id, nonce }) => nonces.get(id) !== nonce);
			const over = known.filter(({ ticket }) => !ids.includes(ticket)).map(({ ticket }) => ticket);
			const rows = await histories(edge, [...fresh.map(({ id }) => id), ...over]);
			const tickets = [...fresh, ...over.map((id) => ({ id, digest: '', nonce: '', leftMs: 0 }))].flatMap((ticket) => {
				const record = approvalFromRows(rows.get(ticket.id) ?? []);
				return record?.id === ticket.id ? [{ ...ticket, record }] : [];
			});
			if (tickets.length === 0) return;
			// An edge cannot overwrite a ticket of another.
			await query`INSERT INTO tickets (edge, team, ticket, session_id, state, asked_at, deadline, digest, nonce, json)
				SELECT e.id, e.team, u.ticket, u.session_id, u.state, least(u.asked_at, now()), u.deadline, u.digest, u.nonce, u.json
				FROM edges e, unnest(${tickets.map(({ id }) => id)}::text[],
					${tickets.map(({ record }) => record.sessionId)}::text[], ${tickets.map(({ record }) => record.state)}::text[],
					${tickets.map(({ record }) => record.requestedAt)}::timestamptz[],
					${tickets.map(({ leftMs }) => new Date(now() + leftMs).toISOString())}::timestamptz[],
					${tickets.map(({ digest }) => digest)}::text[], ${tickets.map(({ nonce }) => nonce)}::text[],
					${tickets.map(({ record }) => JSON.stringify(record))}::text[]
				) u (ticket, session_id, state, asked_at, deadline, digest, nonce, json)
				WHERE e.id = ${edge} ON CONFLICT (ticket) DO UPDATE SET state = excluded.state, digest = excluded.digest,
					nonce = excluded.nonce, json = excluded.json,
					deadline = CASE WHEN excluded.nonce = '' THEN least(tickets.deadline, excluded.deadline) ELSE excluded.deadline END
				WHERE tickets.edge = excluded.edge`;
		},
		async find(id: string): Promise<HubTicket | undefined> {
			const [line] = await query<TicketLine>`SELECT ${FIELDS} ${FROM} WHERE t.ticket = ${id}`;
			return line && ticketOf(line);
		},
		async list(teams: readonly number[] | null, state: ApprovalState | undefined, limit: number): Promise<HubTicket[]> {
			// An undecided ticket may not have been reported since.
			const states = state === 'expired' ? ['expired', 'waiting'] : state ? [state] : null;
			const fairly = state === 'waiting';
			const filter = { teams, states, reach: fairly ? MAX_WAITING : limit, limit, fairly };
			const lines = await query<TicketLine>`${listOf(filter)}`;
			const tickets = lines.map(ticketOf);
			return state === undefined ? tickets : tickets.filter(({ record }) => record.state === state);
		},
	};
}

export type TicketStore = ReturnType<typeof createTicketStore>;
