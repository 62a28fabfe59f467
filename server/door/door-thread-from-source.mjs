/* Starts the door's thread from its TypeScript source, for the reason given in journal-worker-from-source.mjs. */
import { pathToFileURL } from 'node:url';

const built = process.env.SIGNALBOX_BUILT_DOOR_THREAD;
if (built) {
	await import(pathToFileURL(built).href);
} else {
	const { register } = await import('tsx/esm/api');
	register();
	await import('./door-thread.ts');
}
