import { hash } from 'node:crypto';
import pg from 'pg';
import { DatabaseAway } from '../../timeline/store/database-away.ts';

/** Connections of one replica at most (HUB 3). */
const MOST_CONNECTIONS = 8;
/** A statement that waits longer is given up, and what it would have written is sent again. */
const STATEMENT_MS = 30_000;
/** A person waits at a terminal. */
const CONNECT_MS = 10_000;

const types = { ...pg.types, getTypeParser: typeParser as typeof pg.types.getTypeParser };

/**
 * Runs a statement with its values. Its text is its name, so that it is parsed and planned once a connection. Throws
 * `DatabaseAway`, and what Postgres refuses as it says it.
 */
export type Ask = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** The hub's database: a pool of few connections. */
export interface HubDatabase {
	ask: Ask;
	/** Only reads, and sees everything as it is at one moment. */
	atOnce<T>(work: (ask: Ask) => Promise<T>): Promise<T>;
	close(): Promise<void>;
}

/** Opens a pool at a `postgres://` address; connects with the first statement. `failed` hears of idle connections that broke. */
export function openHubDatabase(url: string, failed: (error: Error) => void): HubDatabase {
	const pool = new pg.Pool({
		connectionString: url,
		max: MOST_CONNECTIONS,
		types,
		connectionTimeoutMillis: STATEMENT_MS,
		query_timeout: STATEMENT_MS,
		application_name: 'signalbox hub',
	});
	// Of idle connections, and of those that are in use: without a listener the process would end.
	pool.on('error', failed);
	pool.on('connect', (client) => void client.on('error', failed));
	const names = new Map<string, string>();
	const askBy = (client: Pick<pg.ClientBase, 'query'>): Ask => {
		return async <Row extends object>(text: string, values: readonly unknown[] = []) => {
			const name = names.get(text) ?? hash('sha256', text).slice(0, 32);
			names.set(text, name);
			return (await client.query<Row>({ name, text, values: [...values] }).catch(throwAway)).rows;
		};
	};

	return {
		ask: askBy(pool as Pick<pg.ClientBase, 'query'>),
		async atOnce(work) {
			const client = await pool.connect().catch(throwAway);
			let broken: Error | undefined;
			try {
				await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
				return await work(askBy(client));
			} finally {
				broken = await client.query('COMMIT').then(() => undefined, asError);
				client.release(broken);
			}
		},
		close: () => pool.end(),
	};
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

/** Of connections and of the server's own end; how many connections there may be is the server's, too. */
const AWAY = /^(?:08|57|53300)/;

function throwAway(error: unknown): never {
	const code = databaseCode(error);
	const isAway = code === undefined ? !isOurs(error) : AWAY.test(code);
	throw isAway ? new DatabaseAway(asError(error)) : error;
}

/** Whether it is a mistake of this program, which no other try would mend. */
export const isOurs = (error: unknown): error is Error =>
	error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;

/** One connection, without a pool. Rejects where there is none, and says where to look without repeating the address or password. */
export async function connectDatabase(url: string): Promise<pg.Client> {
	try {
		const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
		await client.connect();
		return client;
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
		throw new Error(`The database does not answer${code}. Look at SIGNALBOX_DATABASE_URL, and whether Postgres runs.`, {
			cause: error,
		});
	}
}

/** Numbers of 64 bits are offsets and keys here: far below where a number is no longer exact. */
function typeParser(oid: number, format?: 'text' | 'binary') {
	if (oid === pg.types.builtins.INT8) return Number;
	return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
}

/** The code with which Postgres itself answered; undefined where it was not reached. */
export const databaseCode = (error: unknown): string | undefined =>
	error instanceof pg.DatabaseError ? error.code : undefined;

/** Whether a text could not be asked for or kept, since there is a NUL in it: Postgres has none. */
export const isForNul = (error: unknown): boolean => databaseCode(error) === '22021';

/** What Postgres itself refused, by its code; undefined where it was not reached or stopped in the middle. */
export function refusalOf(error: unknown): string | undefined {
	const code = databaseCode(error);
	// Connections, resources, operators and the system: trying again is right. All else is wrong for good.
	return code === undefined || /^(?:08|40|53|55|57|58|XX)/.test(code) ? undefined : code;
}
