import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../process/free-port.ts';
import { createLog } from '../../process/log.ts';
import { openHubIdentity } from '../database/hub-key.ts';
import { createEdgeStore } from '../edges/edge-store.ts';
import { type HubServerOptions, startHub } from '../replica/hub-server.ts';
import { openStore } from './hub-rig.ts';

/**
 * A replica without pages, its database, and codes for machines. `origin` defaults to its own address. With the `identity` of
 * another replica it belongs to the same hub.
 */
export async function startReplica(
	databaseUrl: string,
	{ origin, port: wanted, identity: given, ...options }: { origin?: string } & Partial<HubServerOptions> = {},
) {
	const home = mkdtempSync(join(tmpdir(), 'signalbox-hub-'));
	const port = wanted ?? (await freePort());
	const url = `http://127.0.0.1:${port}`;
	const identity = given ?? openHubIdentity({ home, path: undefined, origin: origin ?? url, name: 'hub' });
	const log = createLog(() => undefined);
	const hub = await startHub({ databaseUrl, identity, host: '127.0.0.1', port, log, ...options });
	const seen = openStore(databaseUrl);
	const edges = createEdgeStore(seen.database.query);
	async function end() {
		await hub.drain();
		await seen.store.close();
		rmSync(home, { recursive: true, force: true });
	}
	let ended: Promise<void> | undefined;
	return {
		...{ hub, url, seen, edges, identity },
		newCode: () => edges.mintCode('team', 1, 10),
		/** Stops once, however often it is called. */
		stop() {
			ended ??= end();
			return ended;
		},
	};
}
