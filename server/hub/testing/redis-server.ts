import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chownSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '../../process/free-port.ts';
import { NOBODY } from '../../testing/other-user.ts';

/** The program of Redis, or undefined: then tests that need it are skipped, by name. */
export const redisProgram: string | undefined = (process.env.PATH ?? '')
	.split(delimiter)
	.map((folder) => join(folder, 'redis-server'))
	.find((path) => {
		try {
			accessSync(path, constants.X_OK);
			return true;
		} catch {
			return false;
		}
	});

/** A Redis of one test file, on loopback, without storage. */
export interface RedisServer {
	/** The same after a crash. */
	url: string;
	port: number;
	/** Kills it with SIGKILL. */
	crash(): Promise<void>;
	/** Stops answering, with its connections open, until `goOn`. */
	halt(): void;
	goOn(): void;
	/** Starts it again; resolves when it accepts connections. */
	start(): Promise<void>;
	/** Stops it and removes its files. */
	remove(): Promise<void>;
}

/** Starts a Redis; root runs it as `nobody`. */
export async function startRedis(): Promise<RedisServer> {
	const program = redisProgram;
	if (program === undefined) throw new Error('There is no Redis on this machine.');
	const who = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
	const folder = mkdtempSync(join(tmpdir(), 'signalbox-redis-'));
	if (who.uid !== undefined) chownSync(folder, who.uid, who.gid);
	const port = await freePort();
	let server: ChildProcess | undefined;

	async function start() {
		const options = [
			'--port',
			String(port),
			'--bind',
			'127.0.0.1',
			'--save',
			'',
			'--appendonly',
			'no',
			'--dir',
			folder,
		];
		const started = spawn(program ?? '', options, { ...who, cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
		server = started;
		let output = '';
		await new Promise<void>((resolve, reject) => {
			started.stdout.setEncoding('utf8').on('data', (text: string) => {
				output = `${output}${text}`.slice(-4000);
				if (output.includes('Ready to accept connections')) resolve();
			});
			started.once('error', reject);
			started.once('exit', () => reject(new Error(`Redis did not start:\n${output}`)));
		});
	}

	async function end() {
		if (!server || server.exitCode !== null || server.signalCode !== null) return;
		const ended = once(server, 'exit');
		server.kill('SIGKILL');
		await ended;
	}

	const killAtExit = () => void server?.kill('SIGKILL');
	process.once('exit', killAtExit);
	await start();
	return {
		url: `redis://127.0.0.1:${port}`,
		port,
		crash: end,
		halt: () => void server?.kill('SIGSTOP'),
		goOn: () => void server?.kill('SIGCONT'),
		start,
		async remove() {
			process.removeListener('exit', killAtExit);
			await end();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
