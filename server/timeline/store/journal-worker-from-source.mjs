/*
 * Starts the journal's worker from its TypeScript source, for tests and `npm run dev`: on Node 20 a worker does not
 * use the --import loader for its first file. Many tests at once build it before, see server/testing/programs-once.ts.
 */
import { pathToFileURL } from 'node:url';

const built = process.env.SIGNALBOX_BUILT_JOURNAL_WORKER;
if (built) {
	await import(pathToFileURL(built).href);
} else {
	const { register } = await import('tsx/esm/api');
	register();
	await import('./journal-worker.ts');
}
