import { readFileSync } from 'node:fs';

/** Who a process is: pids are used again, but not with the same start time. */
export interface ProcessIdentity {
	pid: number;
	/** Clock ticks since boot at its start; null where the system does not tell. */
	start: string | null;
}

/** The identity of a process now; null when there is none with this pid. */
export function identityOf(pid: number): ProcessIdentity | null {
	// Zero and below would ask about groups of processes.
	if (pid < 1) return null;
	try {
		process.kill(pid, 0);
	} catch (error) {
		const alive = error instanceof Error && 'code' in error && error.code === 'EPERM';
		if (!alive) return null;
	}
	return { pid, start: startOf(pid) };
}

/** Whether the very process is still there, not only its pid. */
export function isAlive(identity: ProcessIdentity): boolean {
	const now = identityOf(identity.pid);
	return now !== null && (now.start === null || identity.start === null || now.start === identity.start);
}

function startOf(pid: number): string | null {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
		// The command's name may hold spaces and parentheses: count fields after the last one.
		return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
	} catch {
		return null;
	}
}
