import { readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** Processor time that a process and its threads have used, in ms. */
export function cpuMs(pid: number): number {
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
	return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Memory of a process in bytes: now, and the most it ever had. */
export function memoryOf(pid: number): { now: number; peak: number } {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
	return { now: read('VmRSS'), peak: read('VmHWM') };
}
