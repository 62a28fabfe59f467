import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { type ApprovalRow, describeApprovals } from '../../testing/approvals.contract.ts';
import { describeGrants, type GrantRow, ORIGIN } from '../../testing/grants.contract.ts';
import { sealPayload } from '../../timeline/store/journal-chain.ts';
import { openHubIdentity } from '../database/hub-key.ts';
import { createCommandStore } from '../edges/command-store.ts';
import { createHubMeters } from '../metrics/hub-meters.ts';
import { addEdge, coreOf, openStore } from '../testing/hub-rig.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';
import { createEdgeJournalStore } from '../timelines/edge-journal-store.ts';
import { createGrantStore } from './grant-store.ts';
import { createHubApprovals } from './hub-approvals.ts';
import { createHubGrants } from './hub-grants.ts';
import { createTicketStore } from './ticket-store.ts';

describe.runIf(postgresPrograms !== undefined)('approvals and grants that a hub received', () => {
	const newDatabase = sharedDatabases();
	const home = mkdtempSync(join(tmpdir(), 'signalbox-hub-'));
	const identity = openHubIdentity({ home, path: undefined, origin: ORIGIN, name: 'hub' });

	/** A machine that has told of these rows, one a second. */
	async function hubWith(rows: readonly (ApprovalRow | GrantRow)[]) {
		const { database, store } = openStore(await newDatabase());
		const { query } = database;
		const { edge } = await addEdge(database);
		await query(
			`INSERT INTO edge_journal (edge, n, id, ts, kind, subject, session_id, payload, payload_hash, signer, prev, hash)
			SELECT $1, nth, 'r' || nth, ts, kind, subject, 's1', payload, '', '', '', 'h' || nth
			FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) WITH ORDINALITY u (ts, kind, subject, payload, nth)`,
			[
				...[edge, rows.map((_, index) => new Date(Date.now() - 600_000 + index * 1000).toISOString())],
				...[rows.map(({ kind }) => kind), rows.map(({ subject }) => subject)],
				rows.map(({ payload }) => JSON.stringify(sealPayload(payload))),
			],
		);
		const { histories } = createEdgeJournalStore(query);
		const tickets = createTicketStore(query, histories, Date.now);
		return {
			edge,
			tickets,
			histories,
			close: () => store.close(),
			hub: coreOf(query, identity),
			parts: { tickets, edgeCommands },
		};
	}
	const none = () => Promise.reject(new Error('No machine is there.'));
	const edgeCommands = { demandPerson: none, askPasskey: none, prove: none, send: none, ask: none };
	const may = () => true;
	const access = { teams: null, mayRead: may, mayDecide: may, mayGrant: may, person: 1, passkeyAnswer: null };

	describeGrants('a hub', async (rows) => {
		const { hub, parts, histories, close } = await hubWith(rows);
		const grants = createHubGrants(hub, { ...parts, grantStore: createGrantStore(hub.query, histories, Date.now) });
		return { grants: grants.forPerson(access, { events: async () => [] }), close };
	});

	describeApprovals('a hub', async (rows) => {
		const { hub, edge, parts, tickets, close } = await hubWith(rows);
		const subjects = [...new Set(rows.map(({ subject }) => subject))];
		const open = subjects.map((id) => ({ id, digest: 'd', nonce: id, leftMs: 60_000 }));
		// They waited, and wait no longer.
		await tickets.recordOpen(edge, open);
		await tickets.recordOpen(edge, []);
		const meters = createHubMeters(Date.now);
		const commands = createCommandStore(hub.query, identity);
		return { approvals: createHubApprovals(hub, { ...parts, commands, meters }).forPerson(access), close };
	});
});
