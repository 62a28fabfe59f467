import type { Log } from '../log.ts';

const PERIOD_MS = 1000;

/** Looks once a second, never twice at a time; a look that fails is logged and the next one comes. Gives how to end it. */
export function everySecond(log: Log, what: string, look: () => Promise<void> | void): () => void {
	let looking = false;
	/** What fails every second is said once. */
	let said = '';
	const run = async () => {
		if (looking) return;
		looking = true;
		try {
			await look();
			said = '';
		} catch (error) {
			if (String(error) !== said) log.error(`alarms: ${what} could not be looked at`, error);
			said = String(error);
		} finally {
			looking = false;
		}
	};
	const timer = setInterval(() => void run(), PERIOD_MS).unref();
	return () => clearInterval(timer);
}
