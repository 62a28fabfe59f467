import { readFileSync } from 'node:fs';

/** A process, safe against reuse of its number: `start` is its start time in clock ticks since boot, where known. */
export interface ProcessIdentity {
	pid: number;
	start: string | null;
}

/** How the server looks at other processes of this machine. */
export interface ProcessProbe {
	/** Null when there is no such process (any more), or it lives in a namespace that we cannot see. */
	identify(pid: number): ProcessIdentity | null;
	isAlive(process: ProcessIdentity): boolean;
	/** When it was started, in milliseconds since the epoch, to within seconds; null where that is unknown. */
	startedAt(process: ProcessIdentity): number | null;
}

/** State and start time of a process from /proc, where the system has one. */
function readStat(pid: number): { state: string; start: string } | null {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
		// The second field is the program's name in brackets and may itself hold spaces and brackets.
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		const [state] = fields;
		const start = fields[19];
		return state !== undefined && start !== undefined ? { state, start } : null;
	} catch {
		return null;
	}
}

const TICKS_PER_SECOND = 100;

function bootSeconds(): number | null {
	try {
		const [, seconds] = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'latin1')) ?? [];
		return seconds === undefined ? null : Number(seconds);
	} catch {
		return null;
	}
}

function exists(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}

function identify(pid: number): ProcessIdentity | null {
	if (!exists(pid)) return null;
	const stat = readStat(pid);
	// A zombie answers signals but will never read an answer.
	if (stat && (stat.state === 'Z' || stat.state === 'X')) return null;
	return { pid, start: stat?.start ?? null };
}

/** The probe of this machine: signal 0, and start time from field 22 of /proc/PID/stat. */
export const processProbe: ProcessProbe = {
	identify,
	isAlive: (known) => {
		const now = identify(known.pid);
		return now !== null && now.start === known.start;
	},
	startedAt: ({ start }) => {
		const boot = bootSeconds();
		return boot === null || start === null ? null : (boot + Number(start) / TICKS_PER_SECOND) * 1000;
	},
};
