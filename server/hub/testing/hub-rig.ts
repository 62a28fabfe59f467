import { hash } from 'node:crypto';
import type { JournalRow } from '../../timeline/store/journal-store.ts';
import type { HubCore } from '../core/hub-core.ts';
import { createHubJournal } from '../core/hub-journal.ts';
import { type HubDatabase, openHubDatabase, type Query } from '../database/database.ts';
import type { HubIdentity } from '../database/hub-key.ts';
import { createLocalHints } from '../hints/hints.ts';
import { createPostgresStore } from '../timelines/postgres-store.ts';
import type { RangeJob } from '../timelines/range-fold.ts';

/** A store over a hub's database, and the errors that it reported. */
export function openStore(url: string) {
	const failures: unknown[] = [];
	const failed = (error: unknown) => void failures.push(error);
	const database = openHubDatabase(url, failed);
	return { database, failures, store: createPostgresStore(database, { now: Date.now, failed }) };
}

/** What the parts of a replica over this database work with. */
export function coreOf(query: Query, identity: HubIdentity, more: Partial<HubCore> = {}): HubCore {
	const { now = Date.now } = more;
	const journal = createHubJournal(query, identity.privateKey, now);
	return { query, identity, hints: createLocalHints(() => undefined), journal, now, ...more };
}

/** Adds a machine to a team; returns the number of each. */
export async function addEdge({ query }: HubDatabase, team = 'team'): Promise<{ edge: number; team: number }> {
	const [made] = await query<{ id: number }>(
		'INSERT INTO teams (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id',
		[team],
	);
	const [edge] = await query<{ id: number }>(
		'INSERT INTO edges (team, name, pubkey) VALUES ($1, $2, gen_random_uuid()) RETURNING id',
		[made?.id, 'machine'],
	);
	return { edge: edge?.id ?? 0, team: made?.id ?? 0 };
}

/** A hub without any journal of edges. */
export const noJournal = async (): Promise<ReadonlyMap<string, JournalRow>> => new Map();

/** A timeline in ranges of whole lines, cut near the fractions in `cuts` (0 to 1). */
export function rangesOf(key: number, bytes: Buffer, cuts: readonly number[], birth: string): RangeJob[] {
	const places = cuts.map((cut) => bytes.indexOf(10, Math.floor(cut * bytes.length)) + 1);
	const ends = [...new Set([...places, bytes.lastIndexOf(10) + 1])].filter((end) => end > 0).sort((a, b) => a - b);
	return ends.map((to, index) => {
		const from = ends[index - 1] ?? 0;
		const tailDigest = hash('sha256', bytes.subarray(Math.max(0, to - 256), to));
		return { key, from, to, bytes: bytes.subarray(from, to), tailDigest, birth };
	});
}

/** A session's timeline of `calls` calls, each with its result. */
export function storyOf(sessionId: string, calls: number): Buffer {
	const lines = Array.from({ length: calls * 2 }, (_, n) => {
		const ts = new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
		const of = { id: `${sessionId}-${n}`, ts, sessionId, category: 'tool', toolUseId: `call-${n >> 1}`, tool: 'Bash' };
		const fields = n % 2 === 0 ? { type: 'tool:call', input: { command: `ls ${n}` } } : { type: 'tool:result' };
		return `\n${JSON.stringify({ ...of, label: 'Call', ...fields })}\n`;
	});
	return Buffer.from(lines.join(''));
}

/** The next lines of a timeline after an offset: about `about` bytes, at least one line. */
export function nextRange(key: number, bytes: Buffer, from: number, about: number): RangeJob {
	const to = bytes.indexOf(10, Math.min(from + about, bytes.length - 1)) + 1;
	const tailDigest = hash('sha256', bytes.subarray(Math.max(0, to - 256), to));
	return { key, from, to, bytes: bytes.subarray(from, to), tailDigest, birth: '2026-01-01T00:00:00.000Z' };
}
