import { readFileSync } from 'node:fs';
import http, { type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { format } from 'node:util';
import type { Log } from '../process/log.ts';
import { findPackageRoot } from '../process/package-root.ts';
import { repeat } from '../process/repeat.ts';
import type { RequestHandler } from './front-gate.ts';

/** How soon an upgrade by npm is noticed if nobody opens a page. */
const BUILD_LOOK_MS = 60_000;

const PROGRESS = /^\s*[✓○▲]\s/;

function leaveOutProgress(): void {
	const { log } = console;
	console.log = (...words: unknown[]) => {
		if (!PROGRESS.test(format(...words))) log(...words);
	};
}

/** Hands Next the settings of the build, as its standalone server does: next.config.ts is not shipped. */
function handOverBuiltSettings(): void {
	const built = JSON.parse(readFileSync(join(findPackageRoot(), '.next/required-server-files.json'), 'utf8'));
	process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(built.config);
}

/** Answers with a page that needs no file, since the built pages are gone. */
function refusePage(response: ServerResponse, words: string): void {
	const text = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
	response.writeHead(503, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
	response.end(
		`<!doctype html><meta charset="utf-8"><title>Signalbox</title><h1>Signalbox has to be restarted</h1><p>${text}`,
	);
}

/** Next behind the gate. `restart` says in a sentence how a person restarts this server. */
export function createNextHost(options: { dev: boolean; port: number; restart: string; log: Log }) {
	const { dev, port, restart, log } = options;
	const upgrades = http.createServer();
	const stateOf = dev ? () => 'same' as const : watchBuild(findPackageRoot());
	let isLogged = false;
	let stopLooking = () => {};
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

	/** Why no page can be served; null if they can be. */
	function whyNoPages(): string | null {
		const words = buildWords(stateOf(), restart);
		if (words !== null && !isLogged) log.warn(words);
		isLogged = words !== null;
		return words;
	}

	return {
		/** Never listens; Next attaches its upgrade listener here instead of to the real server. */
		upgrades,
		async pages(...[request, response]: Parameters<RequestHandler>): Promise<void> {
			const words = whyNoPages();
			if (words !== null) refusePage(response, words);
			else await (await ready()).handle(request, response);
		},
		/** Loads Next once the door is open, since loading takes a fifth of a second. */
		async start(): Promise<void> {
			stopLooking = repeat(
				BUILD_LOOK_MS,
				() => void whyNoPages(),
				(error) => log.error('The pages could not be looked at', error),
			);
			await ready();
		},
		async stop(): Promise<void> {
			stopLooking();
			await (await loading?.catch(() => undefined))?.app.close();
		},
	};
}

/** State of the built pages under a running server. */
type BuildState = 'same' | 'replaced' | 'removed';

/** Checks whether the built pages of a package are unchanged since the start: npm may replace them under a server. */
export function watchBuild(root: string): () => BuildState {
	const first = readBuild(root);
	return () => {
		const now = readBuild(root);
		if (now === first) return 'same';
		return now === undefined ? 'removed' : 'replaced';
	};
}

/** Version and build id of the pages. */
function readBuild(root: string): string | undefined {
	try {
		const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
		return `${version} ${readFileSync(join(root, '.next/BUILD_ID'), 'utf8')}`;
	} catch {
		return undefined;
	}
}

/** What to report about it, for a person; null if the pages can be served. `restart` says how to restart this server. */
export function buildWords(state: BuildState, restart: string): string | null {
	if (state === 'same') return null;
	const install = state === 'removed' ? 'Install Signalbox again. ' : '';
	return `The program of this server was ${state} while it ran, so its pages cannot be shown. Hooks are answered and recorded as before. ${install}${restart}`;
}
