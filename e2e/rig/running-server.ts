import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shellWord } from '#server/process/program-name.ts';
import { bareEnvironment } from './bare-environment.ts';
import { SIGNALBOX } from './repository.ts';

/** A built server with a home of its own. */
export interface RunningServer {
	home: string;
	port: number;
	/** Where browsers go, as the printed link says; tools go to 127.0.0.1. */
	url: string;
	/** The process that runs now. */
	pid(): number;
	socketPath: string;
	/** Everything the server wrote, of all its runs. */
	output(): string;
	/** kill -9: nothing is said to anybody. */
	kill(): Promise<void>;
	/** SIGTERM; resolves when the process is gone. */
	stop(): Promise<void>;
	/** Starts it again on the same home and port. */
	start(): Promise<void>;
	/** Stops it, removes its home and throws when it crashed, hung or logged an error. */
	dispose(): Promise<void>;
}

export interface ServerOptions {
	/** What the server shows on a terminal alone is to be seen. */
	terminal?: boolean;
	program?: string;
}

/** The last login link that a server has printed. Throws without one. */
export function linkOf(output: string): URL {
	const link = [...output.matchAll(/^Open (http:\S+\/login#\S+)$/gm)].at(-1)?.[1];
	if (link === undefined) throw new Error(`No login link was printed:\n${output}`);
	return new URL(link);
}

/** A port nobody listens on at this moment. */
export async function freePort(): Promise<number> {
	const probe = createServer();
	await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
	const address = probe.address();
	await new Promise((resolve) => probe.close(resolve));
	if (address === null || typeof address === 'string') throw new Error('No port was given.');
	return address.port;
}

/**
 * Starts `signalbox start` and resolves once it printed its link, which it does when door, API and pages are open.
 * `env` adds to the bare environment, e.g. SIGNALBOX_HOLD_SECONDS. With `terminal` it runs in one, whose text is its output.
 * `program` is the `signalbox` of another build.
 */
export async function startServer(
	env: Readonly<Record<string, string>> = {},
	{ terminal = false, program = SIGNALBOX }: ServerOptions = {},
): Promise<RunningServer> {
	const home = realpathSync(mkdtempSync(join(tmpdir(), 'sbx-home-')));
	const port = await freePort();
	const written: string[] = [];
	let child: ChildProcess | undefined;
	let ended: Promise<string> = Promise.resolve('');
	/** How the process may end: anything else is a crash. */
	let wanted = true;
	let crash: string | undefined;

	async function start(): Promise<void> {
		const server = [process.execPath, program, 'start', '--port', String(port)];
		const words = terminal ? ['script', '-qec', server.map(shellWord).join(' '), '/dev/null'] : server;
		const mine = spawn(words[0] ?? '', words.slice(1), {
			cwd: home,
			env: bareEnvironment({ OVERTONE_HOME: home, HOME: home, ...env }),
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		child = mine;
		wanted = false;
		ended = new Promise((resolve) => {
			mine.on('close', (code, signal) => {
				const how = `code ${code}, signal ${signal}`;
				if (!wanted) crash = how;
				resolve(how);
			});
		});
		const open = new Promise<void>((resolve) => {
			const read = (text: string) => {
				written.push(text);
				if (text.includes('/login#')) resolve();
			};
			mine.stdout.setEncoding('utf8').on('data', read);
			mine.stderr.setEncoding('utf8').on('data', read);
		});
		const failed = ended.then((how) => {
			throw new Error(`The server ended before it was open (${how}):\n${written.join('')}`);
		});
		failed.catch(() => {});
		await Promise.race([open, failed]);
	}

	/** In a terminal the child is what keeps the terminal. */
	function serverPid(): number {
		if (!terminal) return child?.pid ?? 0;
		return JSON.parse(readFileSync(join(home, 'server.lock.json'), 'utf8')).pid;
	}

	async function end(signal: NodeJS.Signals): Promise<void> {
		wanted = true;
		const isOver = child?.exitCode !== null || child.signalCode !== null;
		if (!isOver) process.kill(serverPid(), signal);
		await ended;
	}

	async function dispose(): Promise<void> {
		const hung = setTimeout(() => child?.kill('SIGKILL'), 15_000);
		const alive = child?.exitCode === null && child.signalCode === null;
		await end('SIGTERM');
		clearTimeout(hung);
		rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
		if (crash !== undefined) throw new Error(`The server crashed (${crash}):\n${written.join('')}`);
		if (alive && child?.exitCode !== 0) throw new Error(`The server did not stop: ${await ended}\n${written.join('')}`);
		const errors = written.join('').match(/^\S+ error .*(?:\n {4}.*)*/gm);
		if (errors) throw new Error(`The server logged errors:\n${errors.join('\n')}`);
	}

	await start();
	return {
		home,
		port,
		url: linkOf(written.join('')).origin,
		pid: serverPid,
		socketPath: join(home, 'bridge.sock'),
		output: () => written.join(''),
		kill: () => end('SIGKILL'),
		stop: () => end('SIGTERM'),
		start,
		dispose,
	};
}
