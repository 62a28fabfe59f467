import { once } from 'node:events';
import net from 'node:net';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/**
 * Returns a function that creates databases with the hub's tables, and drops them after the last test of its block. They are in
 * the one Postgres of this run: a test that crashes Postgres starts its own.
 */
export function sharedDatabases(): () => Promise<string> {
	const leases: net.Socket[] = [];
	afterAll(() => {
		for (const lease of leases.splice(0)) lease.destroy();
	});
	return async () => {
		const lease = net.connect(join(process.env.SIGNALBOX_TEST_DATABASES ?? '', 'databases'));
		leases.push(lease);
		const [url] = await once(lease, 'data');
		return String(url);
	};
}
