/* The door's thread as `trip.ts` starts it: counts what it runs, and tells that whenever it is asked. */
import { Session } from 'node:inspector/promises';
import { BroadcastChannel } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

register();
await import('../server/door/door-thread.ts');
const inspector = new Session();
inspector.connect();
await inspector.post('Profiler.enable');
await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
const channel = new BroadcastChannel('trip');
channel.onmessage = async ({ data }) => {
	if (data === 'take') channel.postMessage(await inspector.post('Profiler.takePreciseCoverage'));
};
channel.unref();
