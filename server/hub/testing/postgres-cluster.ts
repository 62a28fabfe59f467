import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { NOBODY } from '../../testing/other-user.ts';
import { migrateHub } from '../database/check-database.ts';

/** Debian has the programs of each version in a folder of its own, and none on the PATH. */
const DEBIAN = '/usr/lib/postgresql';
const MIN_POSTGRES = 15;
/** Only the test uses this server, so it does not wait for the disk; a crash of Postgres alone loses nothing by that. */
const QUICK = ['fsync=off', 'full_page_writes=off', 'autovacuum=off', 'shared_buffers=32MB'];

/** The folder of Postgres's programs, or undefined: then tests that need it are skipped, by name. */
export const postgresPrograms: string | undefined = (existsSync(DEBIAN) ? readdirSync(DEBIAN) : [])
	.map(Number)
	.filter((version) => version >= MIN_POSTGRES && existsSync(join(DEBIAN, String(version), 'bin/initdb')))
	.sort((a, b) => b - a)
	.map((version) => join(DEBIAN, String(version), 'bin'))[0];

/** A Postgres for one or several test files, on a unix socket in a temporary folder. */
export interface PostgresCluster {
	/** A new database with the hub's tables, as a connection URL. */
	database(): Promise<string>;
	/** Drops a database and ends its connections. */
	drop(url: string): Promise<void>;
	/** The main process, for measuring Postgres's own cost. */
	readonly pid: number;
	/** Stops it as a crash would (`immediate`): asynchronous commits may be lost. */
	crash(): Promise<void>;
	/** Its data folder. */
	readonly files: string;
	/** Stops it and keeps its files, so that others can be started with them. */
	stop(): Promise<void>;
	/** Starts it again after a crash; resolves when it accepts connections. */
	start(): Promise<void>;
	/** Stops it and removes its files. */
	remove(): Promise<void>;
}

interface ClusterOptions {
	connections?: number;
	/** `name=value`; by default as fast as possible. */
	settings?: readonly string[];
	/** Files of a stopped cluster, to be copied; `null` makes new ones. Defaults to those of this test run, if there is one. */
	prepared?: string | null;
}

const INITDB = [
	'-A',
	'trust',
	'-U',
	'signalbox',
	'-E',
	'UTF8',
	'--locale=C',
	'--no-sync',
	'--no-instructions',
	'--wal-segsize=1',
];

/** Those of this run of tests, see postgres-once.ts. */
async function preparedFiles(): Promise<string | null> {
	const folder = process.env.SIGNALBOX_TEST_DATABASES;
	return folder === undefined ? null : text(net.connect(join(folder, 'files')));
}

/** Creates a cluster and starts it. Postgres refuses to run as root, so root runs it as `nobody`. */
export async function startPostgres({
	connections = 40,
	settings: chosen = QUICK,
	prepared: given,
}: ClusterOptions = {}): Promise<PostgresCluster> {
	const programs = postgresPrograms;
	if (!programs) throw new Error('There is no Postgres on this machine.');
	const who = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
	const folder = mkdtempSync(join(tmpdir(), 'signalbox-pg-'));
	if (who.uid !== undefined) chownSync(folder, who.uid, who.gid);
	const data = join(folder, 'data');
	const prepared = given === undefined ? await preparedFiles() : given;
	if (prepared !== null) execFileSync('cp', ['-a', prepared, data]);
	else execFileSync(join(programs, 'initdb'), ['-D', data, ...INITDB], { ...who, cwd: folder, stdio: 'pipe' });
	const url = (name: string) => `postgres:///${name}?host=${folder}&user=signalbox`;
	let server: ChildProcess | undefined;
	let made = 0;

	async function start() {
		const connectionOptions = [
			'listen_addresses=',
			`unix_socket_directories=${folder}`,
			`max_connections=${connections}`,
		];
		const settings = [...chosen, ...connectionOptions].flatMap((set) => ['-c', set]);
		const started = spawn(join(programs ?? '', 'postgres'), ['-D', data, ...settings], {
			...who,
			cwd: folder,
			stdio: 'pipe',
		});
		server = started;
		let output = '';
		started.stdout.resume();
		await new Promise<void>((resolve, reject) => {
			started.stderr.setEncoding('utf8').on('data', (text: string) => {
				output = `${output}${text}`.slice(-4000);
				if (output.includes('ready to accept connections')) resolve();
			});
			started.once('exit', () => reject(new Error(`Postgres did not start:\n${output}`)));
		});
	}

	async function end(signal: NodeJS.Signals) {
		if (!server || server.exitCode !== null) return;
		const ended = once(server, 'exit');
		server.kill(signal);
		await ended;
	}

	const killAtExit = () => void server?.kill('SIGQUIT');
	process.once('exit', killAtExit);

	async function ask(name: string, statement: string) {
		const client = new pg.Client({ connectionString: url(name) });
		await client.connect();
		try {
			await client.query(statement);
		} finally {
			await client.end();
		}
	}

	await start();
	if (prepared === null) {
		await ask('postgres', 'CREATE DATABASE hub_template');
		await migrateHub(url('hub_template'));
	}

	return {
		get pid() {
			return server?.pid ?? 0;
		},
		async database() {
			made += 1;
			const name = `hub_${made}`;
			// Copying a prepared database is much faster than creating its tables, and by file takes half of what page by page does.
			await ask('postgres', `CREATE DATABASE ${name} TEMPLATE hub_template STRATEGY file_copy`);
			return url(name);
		},
		drop: (made) => ask('postgres', `DROP DATABASE ${new URL(made).pathname.slice(1)} WITH (FORCE)`),
		crash: () => end('SIGQUIT'),
		files: data,
		stop: () => end('SIGINT'),
		start,
		async remove() {
			process.removeListener('exit', killAtExit);
			await end('SIGINT');
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
