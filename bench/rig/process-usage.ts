import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** Processor time that a process and its threads have used, in ms. */
export function cpuMs(pid: number): number {
	return usedMs(`/proc/${pid}/stat`);
}

/** The same of each of its threads, by the thread's number; the main thread has that of the process. */
export function threadCpuMs(pid: number): Map<number, number> {
	const threads = readdirSync(`/proc/${pid}/task`);
	return new Map(threads.map((thread) => [Number(thread), usedMs(`/proc/${pid}/task/${thread}/stat`)]));
}

function usedMs(path: string): number {
	const fields = readFileSync(path, 'utf8').split(') ')[1]?.split(' ') ?? [];
	return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Memory of a process in bytes: now, and the most it ever had. */
export function memoryOf(pid: number): { now: number; peak: number } {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
	return { now: read('VmRSS'), peak: read('VmHWM') };
}

/** Processor time (ms) that the process and those it has started have taken. */
export function familyCpuMs(root: number): number {
	const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
	const stats = all.flatMap((pid) => {
		try {
			const [, parent, ...rest] = (readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1] ?? '').split(' ');
			return [{ pid: Number(pid), parent: Number(parent), ticks: [9, 10, 11, 12].map((at) => Number(rest[at])) }];
		} catch {
			return [];
		}
	});
	// Of those that have ended the parent has the sum.
	return stats
		.filter(({ pid, parent }) => pid === root || parent === root)
		.reduce((sum, { pid, ticks: [user = 0, system = 0, childUser = 0, childSystem = 0] }) => {
			return sum + (user + system + (pid === root ? childUser + childSystem : 0)) * TICK_MS;
		}, 0);
}
