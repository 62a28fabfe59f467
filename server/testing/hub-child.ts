import { openHubIdentity } from '../hub/database/hub-key.ts';
import { holdLessMemory, startHub } from '../hub/replica/hub-server.ts';
import { openObjectStore } from '../hub/timelines/object-store.ts';
import { openHubPages } from '../main/open-hub-pages.ts';
import { createLog } from '../process/log.ts';
import { readObjectsUrl } from '../process/objects-url.ts';

/* A replica to be killed: `DATABASE_URL HOME PORT [REDIS_URL URL]`; with the URL of all replicas it has pages. Prints its port when it listens, and each message that it receives. */
const [databaseUrl = '', home = '', port = '0', redisUrl, shared] = process.argv.slice(2);
holdLessMemory();
const url = new URL(shared ?? `http://127.0.0.1:${port}`);
const identity = openHubIdentity({ home, path: undefined, origin: url.origin, name: 'test hub' });
const log = createLog((line) => void process.stderr.write(`${line}\n`));
const objects = readObjectsUrl(process.env.SIGNALBOX_OBJECTS_URL ?? '');
const hub = await startHub({
	...{ databaseUrl, redisUrl, identity, host: '127.0.0.1', port: Number(port), log },
	metricsToken: process.env.SIGNALBOX_METRICS_TOKEN,
	...(objects && { objects: openObjectStore(objects) }),
	...(shared !== undefined && { pages: (base) => openHubPages(base, { home, url, log }) }),
});
process.send?.(hub.port);
process.on('message', (word) => process.send?.(word));
process.on('SIGTERM', () => {
	void hub.drain().then(() => process.exit(0));
});
