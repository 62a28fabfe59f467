const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const two = (value: number) => String(value).padStart(2, '0');

/** A running time or countdown from milliseconds: `0:07`, `12:40`, `1:02:03`, `3d 4h`. Below zero counts as zero. */
export function clockDuration(ms: number): string {
	const total = Math.max(0, Math.floor(ms / SECOND) * SECOND);
	if (total >= DAY) return `${Math.floor(total / DAY)}d ${Math.floor((total % DAY) / HOUR)}h`;
	const seconds = two(Math.floor((total % MINUTE) / SECOND));
	const minutes = Math.floor((total % HOUR) / MINUTE);
	const hours = Math.floor(total / HOUR);
	return hours > 0 ? `${hours}:${two(minutes)}:${seconds}` : `${minutes}:${seconds}`;
}

/** How long a finished thing took, from milliseconds: `2 ms`, `0.2 s`, `58 s`, `2:11`. */
export function spanDuration(ms: number): string {
	if (!Number.isFinite(ms) || ms < 0) return '0 ms';
	if (ms < 100) return `${Math.round(ms)} ms`;
	if (ms < 10 * SECOND) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
	if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
	return clockDuration(ms);
}

/** A length in one rough word, from milliseconds: `40 s`, `11 min`, `21 h`, `3 d`. */
export function roughDuration(ms: number): string {
	if (ms < MINUTE) return `${Math.max(0, Math.floor(ms / SECOND))} s`;
	if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
	return ms < 2 * DAY ? `${Math.floor(ms / HOUR)} h` : `${Math.floor(ms / DAY)} d`;
}

/** What is left of a length that was given in whole units, to the nearest one: eight hours less a moment is `8 h`. */
export function roundDuration(ms: number): string {
	if (ms < MINUTE) return roughDuration(ms);
	return roughDuration(ms + (ms < HOUR ? MINUTE : ms < 2 * DAY ? HOUR : DAY) / 2);
}

/** How long a workflow ran, from milliseconds, as seed 001 writes it: `12m 3s`. What is no number counts as zero. */
export function minutesAndSeconds(ms: number): string {
	const seconds = Number.isFinite(ms) ? Math.max(0, Math.floor(ms / SECOND)) : 0;
	return `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
}

/** Milliseconds between two ISO instants, or undefined when either is missing or no date. */
export function msBetween(from: string | undefined, to: string | undefined): number | undefined {
	if (!from || !to) return undefined;
	const ms = Date.parse(to) - Date.parse(from);
	return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
