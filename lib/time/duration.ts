import type { Language } from '../messages/language.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** English uses unit symbols, so that a length never looks like a time of day: `2m 11s`. Intl would write `2 min 11 sec`. */
const symbols = { day: 'd', hour: 'h', minute: 'm', second: 's', millisecond: 'ms' } as const;
type Unit = keyof typeof symbols;

const formats = new Map<string, Intl.NumberFormat>();

/** A number with its unit, `3h` or `3小时`. */
function inUnit(value: number, unit: Unit, language: Language, decimals = 0): string {
	if (language === 'en') return `${value.toFixed(decimals)}${symbols[unit]}`;
	const key = `${unit} ${decimals} ${language}`;
	let format = formats.get(key);
	if (!format) {
		const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
		format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short', ...digits });
		formats.set(key, format);
	}
	return format.format(value);
}

/** Longer times are written in two units, each with its length in ms. */
const steps = [
	['day', DAY, 'hour', HOUR],
	['hour', HOUR, 'minute', MINUTE],
	['minute', MINUTE, 'second', SECOND],
] as const;

/** A running time or countdown from milliseconds: `7s`, `12m 40s`, `1h 2m`, `3d 4h`. Below zero counts as zero. */
export function runningDuration(ms: number, language: Language = 'en'): string {
	const total = Math.max(0, Math.floor(ms / SECOND) * SECOND);
	const step = steps.find(([, length]) => total >= length);
	if (!step) return inUnit(total / SECOND, 'second', language);
	const [unit, length, smaller, smallerLength] = step;
	const rest = inUnit(Math.floor((total % length) / smallerLength), smaller, language);
	return [inUnit(Math.floor(total / length), unit, language), rest].join(language === 'en' ? ' ' : '');
}

/** How long a finished thing took, from milliseconds: `2ms`, `0.2s`, `58s`, `2m 11s`. */
export function spanDuration(ms: number, language: Language = 'en'): string {
	if (!Number.isFinite(ms) || ms < 0) return inUnit(0, 'millisecond', language);
	if (ms < 100) return inUnit(Math.round(ms), 'millisecond', language);
	if (ms < 10 * SECOND) return inUnit(Math.floor(ms / 100) / 10, 'second', language, 1);
	return runningDuration(ms, language);
}

/** A length in one rough word, from milliseconds: `40s`, `11m`, `21h`, `3d`. */
export function roughDuration(ms: number, language: Language = 'en'): string {
	if (ms < MINUTE) return inUnit(Math.max(0, Math.floor(ms / SECOND)), 'second', language);
	if (ms < HOUR) return inUnit(Math.floor(ms / MINUTE), 'minute', language);
	if (ms < 2 * DAY) return inUnit(Math.floor(ms / HOUR), 'hour', language);
	return inUnit(Math.floor(ms / DAY), 'day', language);
}

/** The rest of a duration that was given in whole units, rounded: eight hours less a moment is `8h`. */
export function roundDuration(ms: number, language: Language = 'en'): string {
	if (ms < MINUTE) return roughDuration(ms, language);
	return roughDuration(ms + (ms < HOUR ? MINUTE : ms < 2 * DAY ? HOUR : DAY) / 2, language);
}

/** How long a workflow ran, from milliseconds, as seed 001 writes it: `12m 3s`. Anything but a number counts as zero. */
export function minutesAndSeconds(ms: number): string {
	const seconds = Number.isFinite(ms) ? Math.max(0, Math.floor(ms / SECOND)) : 0;
	return `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
}

/** Milliseconds between two ISO instants; undefined if either is missing or not a date. */
export function msBetween(from: string | undefined, to: string | undefined): number | undefined {
	if (!from || !to) return undefined;
	const ms = Date.parse(to) - Date.parse(from);
	return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
