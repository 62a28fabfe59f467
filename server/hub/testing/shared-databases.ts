import { once } from 'node:events';
import net from 'node:net';
import { afterAll } from 'vitest';

/**
 * What makes databases with the hub's tables for the tests around it, and drops them behind the last of them. They are in
 * the one Postgres of this run: who crashes it starts one of its own.
 */
export function sharedDatabases(): () => Promise<string> {
	const leases: net.Socket[] = [];
	afterAll(() => {
		for (const lease of leases.splice(0)) lease.destroy();
	});
	return async () => {
		const lease = net.connect(process.env.SIGNALBOX_TEST_DATABASES ?? '');
		leases.push(lease);
		const [url] = await once(lease, 'data');
		return String(url);
	};
}
