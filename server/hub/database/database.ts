import { hash } from 'node:crypto';
import pg from 'pg';
import { DatabaseAway } from '../../timeline/store/hub-store.ts';

const MAX_CONNECTIONS = 8;
const STATEMENT_MS = 30_000;
const CONNECT_MS = 10_000;

const types = { ...pg.types, getTypeParser: typeParser as typeof pg.types.getTypeParser };

/** Runs a template, whose values become parameters, or a text, which each connection plans once. Throws `DatabaseAway`. */
export interface Query {
	<Row extends object>(text: TemplateStringsArray, ...values: readonly unknown[]): Promise<Row[]>;
	<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** A part of a statement, with its own values. */
class Fragment {
	readonly strings: readonly string[];
	readonly values: readonly unknown[];
	constructor(strings: readonly string[], values: readonly unknown[]) {
		this.strings = strings;
		this.values = values;
	}
}

export const sql = (strings: TemplateStringsArray, ...values: readonly unknown[]): Fragment =>
	new Fragment(strings, values);

/** A constant that the planner is to know. */
export const literal = (number: number): Fragment => new Fragment([String(number)], []);

function appendTo(given: unknown[], { strings, values }: Fragment): string {
	const parts = values.map((value) => (value instanceof Fragment ? appendTo(given, value) : `$${given.push(value)}`));
	return strings.map((text, index) => text + (parts[index] ?? '')).join('');
}

export const first = async <Row>(rows: Promise<Row[]>): Promise<Row | undefined> => (await rows)[0];

export const isAny = async (rows: Promise<readonly object[]>): Promise<boolean> => (await rows).length > 0;

export function queryBy(query: (text: string, values: unknown[]) => Promise<{ rows: object[] }>): Query {
	return async <Row extends object>(text: string | TemplateStringsArray, ...rest: readonly unknown[]) => {
		const values: unknown[] = [];
		if (typeof text !== 'string') text = appendTo(values, new Fragment(text, rest));
		else if (Array.isArray(rest[0])) values.push(...rest[0]);
		return (await query(text, values)).rows as Row[];
	};
}

/** `failed` receives errors of idle connections, which would otherwise end the process. */
export function openHubDatabase(url: string, failed: (error: Error) => void) {
	const pool = new pg.Pool({
		connectionString: url,
		max: MAX_CONNECTIONS,
		types,
		connectionTimeoutMillis: STATEMENT_MS,
		query_timeout: STATEMENT_MS,
		application_name: 'signalbox hub',
	});
	// Without a listener a broken connection would end the process.
	pool.on('error', failed);
	pool.on('connect', (client) => void client.on('error', failed));
	const names = new Map<string, string>();
	const queryOver = (client: Pick<pg.ClientBase, 'query'>): Query =>
		queryBy((text, values) => {
			const name = names.get(text) ?? hash('sha256', text).slice(0, 32);
			names.set(text, name);
			return client.query({ name, text, values }).catch(throwKnown);
		});

	return {
		query: queryOver(pool as Pick<pg.ClientBase, 'query'>),
		/** Read only, at one snapshot. */
		async atOnce<T>(work: (query: Query) => Promise<T>) {
			const client = await pool.connect().catch(throwKnown);
			let broken: Error | undefined;
			try {
				await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
				return await work(queryOver(client));
			} finally {
				broken = await client.query('COMMIT').then(() => undefined, asError);
				client.release(broken);
			}
		},
		close: () => pool.end(),
	};
}

export type HubDatabase = ReturnType<typeof openHubDatabase>;

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

/** Connection errors, shutdown, too many connections. */
const AWAY = /^(?:08|57|53300)/;

function throwKnown(error: unknown): never {
	const code = databaseCode(error);
	const isAway = code === undefined ? !isOurs(error) : AWAY.test(code);
	throw isAway ? new DatabaseAway(asError(error)) : error;
}

/** A mistake of this program: retrying does not help. */
export const isOurs = (error: unknown): error is Error =>
	error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;

/** Errors never repeat the address or the password. */
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

/** 64-bit integers are offsets and keys here, far below the limit of exact numbers. */
function typeParser(oid: number, format?: 'text' | 'binary') {
	if (oid === pg.types.builtins.INT8) return Number;
	return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
}

export const databaseCode = (error: unknown): string | undefined =>
	error instanceof pg.DatabaseError ? error.code : undefined;

/** Postgres stores no NUL, and says so only when a text has one. */
export const isForNul = (error: unknown): boolean => databaseCode(error) === '22021';

export function refusalOf(error: unknown): string | undefined {
	const code = databaseCode(error);
	// Errors of connections, resources, operators and the system are retried; all others are permanent.
	return code === undefined || /^(?:08|40|53|55|57|58|XX)/.test(code) ? undefined : code;
}
