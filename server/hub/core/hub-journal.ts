import { createPrivateKey, hash, randomUUID, sign } from 'node:crypto';
import { canonicalJson } from '#lib/json/json.ts';
import { GENESIS } from '../../timeline/store/journal-chain.ts';
import type { Query } from '../database/database.ts';

export type HubJournalKind =
	| 'hub:decide'
	| 'hub:withdraw'
	| 'hub:grant'
	| 'hub:revoke'
	| `policy:${'set' | 'sign' | 'remove'}`
	| `edge:${'code' | 'accept' | 'revoke'}`
	| `rule:${'add' | 'remove'}`
	| 'team:keep'
	| `${'root' | 'ci'}:${'add' | 'remove'}`
	| `person:${'give' | 'take' | 'disable' | 'enable' | 'sign'}`;

export type HubActor = { person: number; name: string } | 'machine';

/** Concurrent replicas take turns by number. */
const MAX_TRIES = 50;

/** Who decided what at the hub: one chain of signed rows for each team. */
export function createHubJournal(query: Query, privateKey: string, now: () => number) {
	const key = createPrivateKey(privateKey);
	/** Adds a row whose hash covers the row before; the hub's key signs it. */
	async function append(team: number, draft: { kind: HubJournalKind; subject: string; payload: object }) {
		for (let tries = 0; tries < MAX_TRIES; tries += 1) {
			const [last] = await query<{ n: number; hash: string }>`SELECT n, hash FROM hub_journal WHERE team = ${team}
				ORDER BY n DESC LIMIT 1`;
			const { kind, subject } = draft;
			const n = (last?.n ?? 0) + 1;
			const entry = { team, n, id: randomUUID(), ts: new Date(now()).toISOString(), kind, subject };
			const prev = last?.hash ?? GENESIS;
			const payload = JSON.stringify(draft.payload);
			const own = hash('sha256', `${prev}\n${canonicalJson({ ...entry, payload })}`);
			const sig = sign(null, Buffer.from(`signalbox hub journal\n${own}`), key).toString('base64url');
			const written = await query`INSERT INTO hub_journal (team, n, id, ts, kind, subject, payload, prev, hash, sig)
				VALUES (${team}, ${n}, ${entry.id}, ${entry.ts}, ${kind}, ${subject}, ${payload}, ${prev}, ${own}, ${sig})
				ON CONFLICT DO NOTHING RETURNING n`;
			if (written.length > 0) return { n, hash: own };
		}
		throw new Error('Too many write to the journal of this team at once.');
	}

	return {
		append,
		async appendToAll(draft: Parameters<typeof append>[1]): Promise<void> {
			for (const { id } of await query<{ id: number }>`SELECT id FROM teams ORDER BY id`) await append(id, draft);
		},
	};
}

export type HubJournal = ReturnType<typeof createHubJournal>;
