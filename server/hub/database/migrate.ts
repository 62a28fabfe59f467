import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { connectDatabase } from './database.ts';

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
