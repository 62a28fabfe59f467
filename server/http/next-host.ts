import { readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { format } from 'node:util';
import { findPackageRoot } from '../process/package-root.ts';
import type { RequestHandler } from './front-gate.ts';

/** Next, held behind the gate. */
export interface NextHost {
	/** Serves a page; the first requests wait until Next is loaded, which begins at `start`. */
	pages: RequestHandler;
	/** Never listens; Next hangs its upgrade listener here instead of on the real server. */
	upgrades: http.Server;
	/** Loads Next; called once the door is open, since loading takes a fifth of a second. Rejects when it cannot. */
	start(): Promise<void>;
	stop(): Promise<void>;
}

const PROGRESS = /^\s*[✓○▲]\s/;

/** Next tells its own progress ("✓ Running next.config.ts took 72ms") behind the line that a person is to open. */
function leaveOutProgress(): void {
	const { log } = console;
	console.log = (...words: unknown[]) => {
		if (!PROGRESS.test(format(...words))) log(...words);
	};
}

/**
 * Hands Next the settings that the build resolved, as its own standalone server does: next.config.ts need not be there,
 * nor what would compile it.
 */
function handOverBuiltSettings(): void {
	const built = JSON.parse(readFileSync(join(findPackageRoot(), '.next/required-server-files.json'), 'utf8'));
	process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(built.config);
}

/** `port` is the one people see; Next puts it into nothing but its own messages. */
export function createNextHost({ dev, port }: { dev: boolean; port: number }): NextHost {
	const upgrades = http.createServer();
	let loading: Promise<Awaited<ReturnType<typeof load>>> | undefined;

	async function load() {
		process.env.NEXT_TELEMETRY_DISABLED = '1';
		if (!dev) {
			leaveOutProgress();
			handOverBuiltSettings();
		}
		const { default: next } = await import('next');
		const app = next({ dev, dir: findPackageRoot(), hostname: 'localhost', port, httpServer: upgrades, quiet: true });
		await app.prepare();
		return { app, handle: app.getRequestHandler() };
	}

	const ready = () => (loading ??= load());

	return {
		upgrades,
		async pages(request, response) {
			await (await ready()).handle(request, response);
		},
		async start() {
			await ready();
		},
		async stop() {
			await (await loading?.catch(() => undefined))?.app.close();
		},
	};
}
