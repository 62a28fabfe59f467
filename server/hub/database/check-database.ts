import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RootDocument } from '#lib/contract/hub/hub-wire.ts';
import { connectDatabase, type Query, queryBy } from './database.ts';

const MIN_POSTGRES = 150_000;

/** Problems that make a database unusable for a hub, each with what to do. */
export async function checkDatabase(
	url: string,
	whose?: (query: Query) => Promise<string | undefined>,
): Promise<string[]> {
	const client = await connectDatabase(url).catch((error: Error) => error);
	if (client instanceof Error) return [client.message];
	try {
		const problems: string[] = [];
		const { rows: versions } = await client.query<{ number: string }>(
			"SELECT current_setting('server_version_num') AS number",
		);
		if (Number(versions[0]?.number) < MIN_POSTGRES) problems.push('Postgres is older than 15. Use 15 or newer.');
		const { rows: there } = await client.query<{ is: boolean }>("SELECT to_regclass('migrations') IS NOT NULL AS is");
		const { rows: done } = there[0]?.is
			? await client.query<{ name: string }>('SELECT name FROM migrations')
			: { rows: [] };
		const names = new Set(done.map(({ name }) => name));
		const missing = hubMigrations().filter((name) => !names.has(name));
		if (missing.length > 0) problems.push(`The tables lack ${missing.join(', ')}. Run \`signalbox hub migrate\`.`);
		const query = queryBy((text, values) => client.query(text, values));
		const problem = missing.length === 0 ? await whose?.(query) : undefined;
		if (problem !== undefined) problems.push(problem);
		return problems;
	} finally {
		await client.end();
	}
}

type HubKey = Pick<RootDocument, 'key'> & Partial<Pick<RootDocument, 'origin'>>;

/** Why the database belongs to another hub, with what to do. */
export async function otherOwner(query: Query, { key, origin }: HubKey): Promise<string | undefined> {
	const [owner] = await query<{ key: string; origin: string }>`SELECT key, origin FROM hub_owner`;
	if (!owner) return;
	const whose = `This database is that of the hub at ${owner.origin}`;
	if (owner.key !== key)
		return `${whose}, which has another key than this home. Copy that hub's hub.key and name it by SIGNALBOX_HUB_KEY, or name a database of this hub's own by SIGNALBOX_DATABASE_URL.`;
	if (origin !== undefined && owner.origin !== origin)
		return `${whose}, not at ${origin}. Say --url ${owner.origin}, or, where the hub has moved for good, run DELETE FROM hub_owner in the database.`;
}

/** The first hub that serves from a database owns it. */
export async function ownDatabase(query: Query, { key, origin }: Required<HubKey>): Promise<string | undefined> {
	await query`INSERT INTO hub_owner (key, origin) VALUES (${key}, ${origin}) ON CONFLICT DO NOTHING`;
	return otherOwner(query, { key, origin });
}

const FOLDER = fileURLToPath(new URL('./migrations/hub/', import.meta.url));
const LOCK = 7400;

export function hubMigrations(): string[] {
	return readdirSync(FOLDER)
		.filter((name) => name.endsWith('.sql'))
		.sort();
}

/** Each file is one transaction; concurrent processes wait for each other. */
export async function migrateHub(url: string): Promise<string[]> {
	const client = await connectDatabase(url);
	try {
		await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
		await client.query('CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, at timestamptz DEFAULT now())');
		const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations');
		const done = new Set(rows.map(({ name }) => name));
		const missing = hubMigrations().filter((name) => !done.has(name));
		for (const name of missing) {
			await client.query('BEGIN');
			await client.query(readFileSync(`${FOLDER}${name}`, 'utf8'));
			await client.query('INSERT INTO migrations (name) VALUES ($1)', [name]);
			await client.query('COMMIT');
		}
		return missing;
	} finally {
		await client.end();
	}
}
