import type { Log } from '../log.ts';
import { repeat } from '../repeat.ts';

const PERIOD_MS = 1000;

/** Looks once a second; a look that fails is logged and the next one comes. Gives how to end it. */
export function everySecond(log: Log, what: string, look: () => Promise<void> | void): () => void {
	/** What fails every second is said once. */
	let lastError = '';
	const lookOnce = async () => {
		await look();
		lastError = '';
	};
	return repeat(PERIOD_MS, lookOnce, (error) => {
		if (String(error) !== lastError) log.error(`incidents: ${what} could not be looked at`, error);
		lastError = String(error);
	});
}
