import type http from 'node:http';
import { join } from 'node:path';
import { HUB_HEADER } from '#lib/contract/hub-header.ts';
import { createHubApi } from './api/hub-api.ts';
import { createAuth } from './auth/auth.ts';
import { createHttpServer } from './http/http-server.ts';
import { createNextHost } from './http/next-host.ts';
import { createEdgeDesk } from './hub/edge-desk.ts';
import { createHubFeed } from './hub/hub-feed.ts';
import { readPlaces } from './hub/hub-places.ts';
import type { HubBase } from './hub/hub-server.ts';
import type { Log } from './log.ts';
import { openName, programName, withHome } from './program-name.ts';
import { createRealtime } from './realtime/create-realtime.ts';
import { createGateway } from './realtime/gateway.ts';
import { repeat } from './repeat.ts';
import type { HubScope } from './store/hub-store.ts';
import { openSqliteJournal } from './store/sqlite-journal.ts';

/** A sign-in ends to the minute. */
const ENDED_LOOK_MS = 60_000;

/** Whoever is let in by a link of the hub itself sees all of it. */
const EVERYTHING: HubScope = { teams: 'all' };

/** What people see of a hub. */
export interface HubPages {
	/** Never listens: it is handed each request and upgrade that is no edge's. */
	server: http.Server;
	stop(): Promise<void>;
}

/**
 * The pages of a machine's own server, over a hub's database instead of its timelines. Who may watch stands in the journal
 * of `home`; `url` is where browsers find the hub.
 */
export async function openHubPages(
	{ database, store, identity, edges, onBatch, hints }: HubBase,
	options: { home: string; url: URL; log: Log },
): Promise<HubPages> {
	const { home, url, log } = options;
	const now = Date.now;
	const journal = await openSqliteJournal(join(home, 'journal.db'));
	const auth = createAuth({ journal, host: url.hostname, origin: url.origin, now });
	const failed = (error: unknown) => log.warn('hub: what is new could not be looked for', { reason: String(error) });
	const feed = createHubFeed({ ask: database.ask, store, onBatch, hints, scope: EVERYTHING, now, failed });
	const reads = store.reads(EVERYTHING);
	const { io, upgrades: ioUpgrades } = createRealtime();
	const gateway = createGateway({ io, feed, reads, log });
	auth.onLoginClosed(gateway.dropLogin);
	const stopLooking = repeat(
		ENDED_LOOK_MS,
		() => gateway.dropEnded(auth.stands),
		(error) => log.error('realtime: ended sign-ins could not be looked for', error),
	);
	const program = `${withHome(programName(process.env.PATH ?? ''), home, process.env)} hub`;
	const own = openName(process.env.PATH ?? '', home, process.env);
	const openly = { ...own, name: `${own.name} hub` };
	const places = () => readPlaces(database.ask, EVERYTHING);
	const machines = createEdgeDesk({ ask: database.ask, edges, identity, hints, now });
	const api = createHubApi({ auth, reads, feed, places, edges: machines, home, program, openly, now, log });
	const nextHost = createNextHost({ dev: false, port: Number(url.port) });
	const server = createHttpServer({
		...{ auth, api, ioUpgrades, log },
		pages(request, response) {
			request.headers[HUB_HEADER] = '1';
			return nextHost.pages(request, response);
		},
		nextUpgrades: nextHost.upgrades,
		// Clients tell their own machine.
		telemetry: { handles: () => false, receive: () => undefined },
		program: openly.name,
		dev: false,
	});
	return {
		server,
		async stop() {
			stopLooking();
			gateway.stop();
			feed.stop();
			io.disconnectSockets(true);
			await nextHost.stop();
			await journal.close();
		},
	};
}
