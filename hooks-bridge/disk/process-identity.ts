import { closeSync, openSync, readSync } from 'node:fs';

/** Who a process is: pids are used again, but not with the same start time. */
export interface ProcessIdentity {
	pid: number;
	/** Clock ticks since boot at its start; null where the system does not tell. */
	start: string | null;
}

/**
 * The identity of a process now; null when there is none with this pid, when it has ended and nobody collected it, or
 * when it lives in a namespace that we cannot see.
 */
export function identityOf(pid: number): ProcessIdentity | null {
	// Zero and below would ask about groups of processes.
	if (pid < 1 || !exists(pid)) return null;
	const stat = readStat(pid);
	// A zombie answers signals but will never read an answer or give back a lock.
	if (stat?.state === 'Z' || stat?.state === 'X') return null;
	return { pid, start: stat?.start ?? null };
}

/** Whether the very process is still there, not only its pid. */
export function isAlive(identity: ProcessIdentity): boolean {
	const now = identityOf(identity.pid);
	return now !== null && (now.start === null || identity.start === null || now.start === identity.start);
}

/** Whether some process has this number, a zombie among them: a tenth of what it costs to know which one. */
export function exists(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}

/** Reused: a whole-file read would allocate 64 KiB each time. A line of /proc/PID/stat is far shorter. */
const STAT = Buffer.alloc(2048);

function readStatLine(pid: number): string {
	const fd = openSync(`/proc/${pid}/stat`, 'r');
	try {
		return STAT.toString('latin1', 0, readSync(fd, STAT, 0, STAT.length, 0));
	} finally {
		closeSync(fd);
	}
}

/** State and start time of a process from /proc, where the system has one. */
function readStat(pid: number): { state: string | undefined; start: string | undefined } | null {
	try {
		const stat = readStatLine(pid);
		// The command's name may hold spaces and parentheses: count fields after the last one.
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		return { state: fields[0], start: fields[19] };
	} catch {
		return null;
	}
}
