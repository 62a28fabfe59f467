import { createPrivateKey, hash, randomUUID, sign } from 'node:crypto';
import { canonicalJson } from '#lib/json/json.ts';
import { GENESIS } from '../../timeline/store/journal-chain.ts';
import type { Ask } from '../database/database.ts';

/** What somebody did at a hub. */
export type HubJournalKind =
	| 'hub:decide'
	/** A decision is not sent: whoever made it may not decide there any more. */
	| 'hub:withdraw'
	/** A machine is to take back what was allowed there from here. */
	| 'hub:revoke'
	| `policy:${'set' | 'sign' | 'remove'}`
	| `edge:${'code' | 'accept' | 'revoke'}`
	| `rule:${'add' | 'remove'}`
	| 'team:keep'
	| `${'root' | 'ci'}:${'add' | 'remove'}`
	| `person:${'give' | 'take' | 'disable' | 'enable' | 'sign'}`;

/** Who does something at a hub: a person, or whoever has its own machine. */
export type HubActor = { person: number; name: string } | 'machine';

/** A row of a team's journal at the hub; its hash covers the one before, and the hub's key signs that. */
export interface HubJournalRow {
	team: number;
	n: number;
	id: string;
	ts: string;
	kind: HubJournalKind;
	subject: string;
	/** JSON. */
	payload: string;
	prev: string;
	hash: string;
	sig: string;
}

/** Replicas that write at the same time take turns; so many at once are more than a team has people. */
const MOST_TRIES = 50;

/** What people did at the hub, a chain of hashes for each team. `privateKey` is the hub's, as PEM. */
export function createHubJournal(ask: Ask, privateKey: string, now: () => number) {
	const key = createPrivateKey(privateKey);
	/** Adds a row behind the newest one; resolves when it is durable. */
	async function append(
		team: number,
		draft: Pick<HubJournalRow, 'kind' | 'subject'> & { payload: object },
	): Promise<HubJournalRow> {
		for (let tries = 0; tries < MOST_TRIES; tries += 1) {
			const [last] = await ask<{ n: number; hash: string }>(
				'SELECT n, hash FROM hub_journal WHERE team = $1 ORDER BY n DESC LIMIT 1',
				[team],
			);
			const { kind, subject } = draft;
			const said = {
				team,
				n: (last?.n ?? 0) + 1,
				id: randomUUID(),
				ts: new Date(now()).toISOString(),
				kind,
				subject,
			};
			const prev = last?.hash ?? GENESIS;
			const payload = JSON.stringify(draft.payload);
			const own = hash('sha256', `${prev}\n${canonicalJson({ ...said, payload })}`);
			const sig = sign(null, Buffer.from(`signalbox hub journal\n${own}`), key).toString('base64url');
			const row = { ...said, payload, prev, hash: own, sig };
			const written = await ask(
				`INSERT INTO hub_journal (team, n, id, ts, kind, subject, payload, prev, hash, sig)
				VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING RETURNING n`,
				[team, row.n, row.id, row.ts, kind, subject, payload, prev, own, sig],
			);
			if (written.length > 0) return row;
		}
		throw new Error('Too many write to the journal of this team at once.');
	}

	return {
		append,
		/** What holds everywhere, in the journal of each team. */
		async appendToAll(draft: Parameters<typeof append>[1]): Promise<void> {
			for (const { id } of await ask<{ id: number }>('SELECT id FROM teams ORDER BY id')) await append(id, draft);
		},
	};
}

export type HubJournal = ReturnType<typeof createHubJournal>;
