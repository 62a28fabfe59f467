import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bareEnvironment } from '#e2e/rig/bare-environment.ts';
import { freePort, type RunningServer, startServer } from '#e2e/rig/running-server.ts';
import { bashCall } from './bash-call.ts';

/** When a marked line was on its timeline, in ms: monotonic for other processes, wall for browsers. */
export interface AppendMoment {
	mono: number;
	wall: number;
}

/** A server that notes when it appended. */
export interface ClockedServer extends RunningServer {
	/** Stops the server and gives the moment of every marked line. */
	moments(): Promise<Map<number, AppendMoment>>;
}

/** A hook input whose line the clock finds again by `mark`. */
export function markedCall(sessionId: string, mark: number): string {
	return bashCall(sessionId, `bench-mark-${mark}-`);
}

/** The same with the mark in the command, where the page shows it. */
export function shownCall(sessionId: string, mark: number): string {
	return bashCall(sessionId, `toolu_${mark}`, `echo bench-mark-${mark}-`);
}

/** The mark of an event that came of `markedCall`, or of text that shows it. */
export function markOf(text: string | undefined): number | undefined {
	const found = /bench-mark-(\d+)-/.exec(text ?? '');
	return found ? Number(found[1]) : undefined;
}

/** What a process is started with so that it notes when it appended; `read` once it has ended. */
function createAppendClock() {
	const folder = mkdtempSync(join(tmpdir(), 'sbx-clock-'));
	const file = join(folder, 'moments.json');
	const clock = pathToFileURL(join(import.meta.dirname, 'append-clock.mjs')).href;
	return {
		folder,
		env: { NODE_OPTIONS: `--import ${clock}`, APPEND_CLOCK_FILE: file },
		read(): Map<number, AppendMoment> {
			const files = readdirSync(folder).filter((name) => name.startsWith('moments.json'));
			const noted = files.flatMap(
				(name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as [number, number, number][],
			);
			rmSync(folder, { recursive: true });
			return new Map(noted.map(([mark, mono, wall]) => [mark, { mono, wall }]));
		},
	};
}

export async function startClockedServer(): Promise<ClockedServer> {
	const clock = createAppendClock();
	const server = await startServer(clock.env);
	return {
		...server,
		async moments() {
			await server.stop();
			return clock.read();
		},
	};
}

/** The program of `bare-delivery.mjs`, clocked in the same way. */
export async function startBareDelivery(): Promise<Pick<ClockedServer, 'port' | 'socketPath' | 'moments' | 'dispose'>> {
	const clock = createAppendClock();
	const port = await freePort();
	const socketPath = join(clock.folder, 'bare.sock');
	const program = join(import.meta.dirname, 'bare-delivery.mjs');
	const child = spawn(process.execPath, [program, socketPath, join(clock.folder, 'lines'), String(port)], {
		env: bareEnvironment(clock.env),
	});
	await once(child.stdout, 'data');
	const stop = async () => {
		if (child.exitCode !== null || !child.kill()) return;
		await once(child, 'exit');
	};
	return {
		port,
		socketPath,
		async moments() {
			await stop();
			return clock.read();
		},
		dispose: stop,
	};
}
