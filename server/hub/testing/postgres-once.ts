import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresCluster, startPostgres } from './postgres-cluster.ts';

/** For all test files that run at once, and the replicas that they start. */
const CONNECTIONS = 400;

let folder: string | undefined;
let server: net.Server | undefined;
let cluster: Promise<PostgresCluster> | undefined;
const dropping = new Set<Promise<void>>();

/**
 * Before all tests: sets the socket that `sharedDatabases` connects to. Each connection receives the URL of a new database, which
 * exists as long as the connection. The first one starts their common Postgres.
 */
export async function setup(): Promise<void> {
	folder = mkdtempSync(join(tmpdir(), 'signalbox-databases-'));
	const path = join(folder, 'ask');
	const made = net.createServer(lend);
	server = made;
	await new Promise<void>((resolve) => made.listen(path, resolve));
	process.env.SIGNALBOX_TEST_DATABASES = path;
}

function lend(borrower: net.Socket) {
	cluster ??= startPostgres({ connections: CONNECTIONS });
	const made = cluster.then(async (postgres) => ({ postgres, url: await postgres.database() }));
	made.then(
		({ url }) => borrower.write(url),
		(error: Error) => borrower.destroy(error),
	);
	borrower.on('error', () => undefined).resume();
	borrower.once('close', () => {
		const dropped = made.then(({ postgres, url }) => postgres.drop(url)).catch(() => undefined);
		dropping.add(dropped);
		void dropped.finally(() => dropping.delete(dropped));
	});
}

/** After all tests. */
export async function teardown(): Promise<void> {
	server?.close();
	await Promise.all(dropping);
	await (await cluster)?.remove();
	if (folder) rmSync(folder, { recursive: true, force: true });
}
