import { readFileSync } from 'node:fs';
import { exists, identityOf, isAlive, type ProcessIdentity } from '#hooks-bridge/disk/process-identity.ts';
import { tryTo } from '#hooks-bridge/disk/try-to.ts';

export interface ProcessProbe {
	/** Null if there is no such process, or it is in a namespace that we cannot see. */
	identify(pid: number): ProcessIdentity | null;
	isAlive(process: ProcessIdentity): boolean;
	/** Whether any process has the number; ten times as fast as `isAlive`. */
	exists(pid: number): boolean;
	/** When it was started, in milliseconds since the epoch, to within seconds; null if that is unknown. */
	startedAt(process: ProcessIdentity): number | null;
}

const TICKS_PER_SECOND = 100;

function bootSeconds(): number | null {
	const stat = tryTo(() => readFileSync('/proc/stat', 'latin1'));
	const [, seconds] = /^btime (\d+)$/m.exec(stat ?? '') ?? [];
	return seconds === undefined ? null : Number(seconds);
}

export const processProbe: ProcessProbe = {
	identify: identityOf,
	isAlive,
	exists,
	startedAt: ({ start }) => {
		const boot = bootSeconds();
		return boot === null || start === null ? null : (boot + Number(start) / TICKS_PER_SECOND) * 1000;
	},
};
