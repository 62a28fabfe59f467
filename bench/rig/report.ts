import { cpus, loadavg } from 'node:os';

/** One measured figure: what it is, the figure with its unit, and what it should be. */
export function report(what: string, figure: string, goal?: string): void {
	console.log(`${what.padEnd(62)} ${figure.padStart(16)}${goal ? `   goal ${goal}` : ''}`);
}

/** Names the benchmark and how busy the machine is: figures of a busy machine are for the waste-paper basket. */
export function begin(title: string): void {
	const [oneMinute = 0] = loadavg();
	console.log(`\n# ${title} (${cpus().length} cores, load ${oneMinute.toFixed(1)})`);
}

export const ms = (value: number): string => `${value.toFixed(2)} ms`;
export const times = (value: number): string => `${value.toFixed(2)} x`;
export const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`;
export const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;
