import { openHubIdentity } from '../hub/hub-key.ts';
import { startHub } from '../hub/hub-server.ts';
import { createLog } from '../log.ts';

/* A replica to be killed: `DATABASE_URL HOME PORT [REDIS_URL]`. Says its port when it listens. */
const [databaseUrl = '', home = '', port = '0', redisUrl] = process.argv.slice(2);
const origin = `http://127.0.0.1:${port}`;
const identity = openHubIdentity({ home, path: undefined, origin, name: 'test hub' });
const log = createLog((line) => void process.stderr.write(`${line}\n`));
const hub = await startHub({ databaseUrl, redisUrl, identity, host: '127.0.0.1', port: Number(port), log });
process.send?.(hub.port);
process.on('SIGTERM', () => {
	void hub.drain().then(() => process.exit(0));
});
