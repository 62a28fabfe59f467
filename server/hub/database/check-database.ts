import { type Ask, connectDatabase } from './database.ts';
import { hubMigrations } from './migrate.ts';

const OLDEST = 150_000;

/**
 * What keeps a database from carrying a hub, a line each, with what to do; none where all is well. `whose` is asked once the
 * tables are there: why this hub is not the one whose they are, as `strangerTo` says it.
 */
export async function checkDatabase(url: string, whose?: (ask: Ask) => Promise<string | undefined>): Promise<string[]> {
	const client = await connectDatabase(url).catch((error: Error) => error);
	if (client instanceof Error) return [client.message];
	try {
		const problems: string[] = [];
		const { rows: versions } = await client.query<{ number: string }>(
			"SELECT current_setting('server_version_num') AS number",
		);
		if (Number(versions[0]?.number) < OLDEST) problems.push('Postgres is older than 15. Use 15 or newer.');
		const { rows: there } = await client.query<{ is: boolean }>("SELECT to_regclass('migrations') IS NOT NULL AS is");
		const { rows: done } = there[0]?.is
			? await client.query<{ name: string }>('SELECT name FROM migrations')
			: { rows: [] };
		const names = new Set(done.map(({ name }) => name));
		const missing = hubMigrations().filter((name) => !names.has(name));
		if (missing.length > 0) problems.push(`The tables lack ${missing.join(', ')}. Run \`signalbox hub migrate\`.`);
		const ask = async <Row extends object>(text: string, values: readonly unknown[] = []) =>
			(await client.query<Row>(text, [...values])).rows;
		const stranger = missing.length === 0 ? await whose?.(ask) : undefined;
		if (stranger !== undefined) problems.push(stranger);
		return problems;
	} finally {
		await client.end();
	}
}
