import type { Log } from '../log.ts';

const PERIOD_MS = 1000;

/** Looks once a second, never twice at a time; a look that fails is logged and the next one comes. Gives how to end it. */
export function everySecond(log: Log, what: string, look: () => Promise<void> | void): () => void {
	let looking = false;
	const run = async () => {
		if (looking) return;
		looking = true;
		try {
			await look();
		} catch (error) {
			log.error(`alarms: ${what} could not be looked at`, error);
		} finally {
			looking = false;
		}
	};
	const timer = setInterval(() => void run(), PERIOD_MS).unref();
	return () => clearInterval(timer);
}
