import { repeat } from '../../process/repeat.ts';
import type { EdgeConnection } from '../connections/hub-parts.ts';

/** Revocations and replacements are looked for this often (HUB 5). */
const CHECK_MS = 30_000;
/** Whether a database that may have crashed has all that was acknowledged. */
const CRASH_MS = 1000;

/** Has all connections look again and again whether they may stay, and whether the database has what was acknowledged. */
export function watchConnections(connections: ReadonlySet<EdgeConnection>, failed: (error: unknown) => void) {
	let mayHaveLost = false;

	/** After a crash at once; else with the others, since a proxy of the database may hide one. */
	async function lookBack(isDue: boolean) {
		if (!isDue) return;
		mayHaveLost = false;
		try {
			await Promise.all([...connections].map((connection) => connection.lookBack()));
		} catch (error) {
			mayHaveLost = true;
			throw error;
		}
	}
	const check = async () => void (await Promise.all([...connections].map((connection) => connection.check())));
	const stops = [
		repeat(CHECK_MS, check, failed),
		repeat(CRASH_MS, () => lookBack(mayHaveLost), failed),
		repeat(CHECK_MS, () => lookBack(true), failed),
	];

	return {
		/** A database whose connections broke may have crashed, and lost the last it had acknowledged (HUB 2). */
		mayHaveLost() {
			mayHaveLost = true;
		},
		stop: () => stops.forEach((stop) => void stop()),
	};
}
