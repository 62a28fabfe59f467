import { afterEach } from 'vitest';
import { sharedDatabases } from '../hub/testing/shared-databases.ts';
import { startHubRig } from './hub-rig.ts';

/** Hubs for the tests around it: what a test has started or put into `open` ends behind it, the last first. */
export function hubsOfTests() {
	const newDatabase = sharedDatabases();
	const open: (() => Promise<unknown>)[] = [];
	afterEach(async () => {
		for (const stop of open.splice(0).reverse()) await stop();
	});
	return {
		newDatabase,
		open,
		async start(...options: Parameters<typeof startHubRig>) {
			const hub = await startHubRig(...options);
			open.push(hub.stop);
			return hub;
		},
	};
}
