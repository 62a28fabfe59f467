import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresCluster, startPostgres } from './postgres-cluster.ts';

/** For all test files that run at once, and the replicas that they start. */
const CONNECTIONS = 400;

let folder: string | undefined;
const servers: net.Server[] = [];
let prepared: Promise<PostgresCluster> | undefined;
let cluster: Promise<PostgresCluster> | undefined;
const dropping = new Set<Promise<void>>();

/**
 * Before all tests: sets the folder of two sockets. Each connection to `databases` receives the URL of a new database, which
 * exists as long as the connection; the first one starts their common Postgres. A connection to `files` receives the files that a
 * Postgres is started with.
 */
export async function setup(): Promise<void> {
	const sockets = mkdtempSync(join(tmpdir(), 'signalbox-databases-'));
	folder = sockets;
	for (const [name, serve] of Object.entries({ databases: lend, files: sendFiles })) {
		const server = net.createServer(serve);
		servers.push(server);
		await new Promise<void>((resolve) => server.listen(join(sockets, name), resolve));
	}
	process.env.SIGNALBOX_TEST_DATABASES = sockets;
}

async function prepare(): Promise<PostgresCluster> {
	const made = await startPostgres({ prepared: null });
	await made.stop();
	return made;
}

function sendFiles(asking: net.Socket) {
	prepared ??= prepare();
	asking.on('error', () => undefined);
	prepared.then(
		({ files }) => asking.end(files),
		(error: Error) => asking.destroy(error),
	);
}

function lend(borrower: net.Socket) {
	prepared ??= prepare();
	cluster ??= prepared.then(({ files }) => startPostgres({ connections: CONNECTIONS, prepared: files }));
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
	for (const server of servers.splice(0)) server.close();
	await Promise.all(dropping);
	await (await cluster)?.remove();
	await (await prepared)?.remove();
	if (folder) rmSync(folder, { recursive: true, force: true });
}
