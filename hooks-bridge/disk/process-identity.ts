import { closeSync, openSync, readSync } from 'node:fs';
import { systemErrorCode } from './system-error-code.ts';

/** Identifies a process: pids are reused, but not with the same start time. */
export interface ProcessIdentity {
	pid: number;
	/** Clock ticks since boot at its start; null if the system does not report it. */
	start: string | null;
}

/** Null if there is no such process, if it is a zombie, or if its namespace cannot be seen from here. */
export function identityOf(pid: number): ProcessIdentity | null {
	// Zero and below would ask about groups of processes.
	if (pid < 1 || !exists(pid)) return null;
	const stat = readStat(pid);
	// A zombie answers signals but will never read an answer or release a lock.
	if (stat?.state === 'Z' || stat?.state === 'X') return null;
	return { pid, start: stat?.start ?? null };
}

/** Whether the same process still runs, and not another one with its pid. */
export function isAlive(identity: ProcessIdentity): boolean {
	const now = identityOf(identity.pid);
	return now !== null && (now.start === null || identity.start === null || now.start === identity.start);
}

/** Whether some process has this number, zombies included: ten times as fast as finding out which one. */
export function exists(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return systemErrorCode(error) === 'EPERM';
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
		// The command's name may contain spaces and parentheses: count fields after the last one.
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		return { state: fields[0], start: fields[19] };
	} catch {
		return null;
	}
}
