import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../free-port.ts';
import { createLog } from '../../log.ts';
import { createEdgeBook } from '../edge-book.ts';
import { openHubIdentity } from '../hub-key.ts';
import { type HubServerOptions, startHub } from '../hub-server.ts';
import { openStore } from './hub-rig.ts';

/** A replica without pages, what stands in its database, and codes for machines; `origin` is its own address, if none is given. */
export async function startReplica(
	databaseUrl: string,
	{ origin, ...options }: { origin?: string } & Partial<HubServerOptions> = {},
) {
	const home = mkdtempSync(join(tmpdir(), 'signalbox-hub-'));
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	const identity = openHubIdentity({ home, path: undefined, origin: origin ?? url, name: 'hub' });
	const log = createLog(() => undefined);
	const hub = await startHub({ databaseUrl, identity, host: '127.0.0.1', port, log, ...options });
	const seen = openStore(databaseUrl);
	const edges = createEdgeBook(seen.database.ask);
	return {
		...{ hub, url, seen, edges, identity },
		newCode: () => edges.mintCode('team', 1, 10),
		async stop() {
			await hub.drain();
			await seen.store.close();
			rmSync(home, { recursive: true, force: true });
		},
	};
}
