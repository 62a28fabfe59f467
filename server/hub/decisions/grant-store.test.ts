import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { describeGrants, ORIGIN } from '../../testing/grants.contract.ts';
import { sealPayload } from '../../timeline/store/journal-chain.ts';
import { openHubIdentity } from '../database/hub-key.ts';
import { addEdge, openStore } from '../testing/hub-rig.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';
import { createEdgeJournalStore } from '../timelines/edge-journal-store.ts';
import { createGrantStore } from './grant-store.ts';
import { createHubGrants } from './hub-grants.ts';

describe.runIf(postgresPrograms !== undefined)('what a hub was told of grants', () => {
	const newDatabase = sharedDatabases();
	const home = mkdtempSync(join(tmpdir(), 'signalbox-hub-'));
	const identity = openHubIdentity({ home, path: undefined, origin: ORIGIN, name: 'hub' });

	describeGrants('a hub', async (rows) => {
		const { database, store } = openStore(await newDatabase());
		const { ask } = database;
		const { edge } = await addEdge(database);
		await ask(
			`INSERT INTO edge_journal (edge, n, id, ts, kind, subject, session_id, payload, payload_hash, signer, prev, hash)
			SELECT $1, nth, 'r' || nth, $2, kind, subject, 's1', payload, '', '', '', 'h' || nth
			FROM unnest($3::text[], $4::text[], $5::text[]) WITH ORDINALITY u (kind, subject, payload, nth)`,
			[
				...[edge, new Date().toISOString()],
				...[rows.map(({ kind }) => kind), rows.map(({ subject }) => subject)],
				rows.map(({ payload }) => JSON.stringify(sealPayload(payload))),
			],
		);
		const none = () => Promise.reject(new Error('No machine is there.'));
		const grants = createHubGrants({
			...{ ask, identity, now: Date.now, tickets: { find: async () => undefined } },
			grantStore: createGrantStore(ask, createEdgeJournalStore(ask).histories, Date.now),
			machines: { whoIs: none, send: none, answer: none },
		});
		const may = () => true;
		const reader = { teams: null, sees: may, decides: may, grants: may, person: 1, answer: null };
		return { grants: grants.forReader(reader, { events: async () => [] }), close: () => store.close() };
	});
});
