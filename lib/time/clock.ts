import type { Language } from '../messages/language.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** A formatter is expensive to make and a story has thousands of rows. */
function format(seconds: boolean, timeZone: string | undefined): Intl.DateTimeFormat {
	const key = `${seconds} ${timeZone}`;
	let made = formats.get(key);
	if (!made) {
		const options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone } as const;
		made = new Intl.DateTimeFormat('en-GB', seconds ? { ...options, second: '2-digit' } : options);
		formats.set(key, made);
	}
	return made;
}

/** `12:31:05` in the reader's time zone (or the given one); a dash for anything but a date. */
export function clockTime(at: string | number, timeZone?: string): string {
	const date = new Date(at);
	return Number.isNaN(date.getTime()) ? '–' : format(true, timeZone).format(date);
}

/** `2026-11-13 12:31:05` in the reader's time zone (or the given one), for times of any day; a dash for anything but a date. */
export function dayAndTime(at: string | number, timeZone?: string): string {
	const date = new Date(at);
	if (Number.isNaN(date.getTime())) return '–';
	return `${date.toLocaleDateString('en-CA', { timeZone })} ${clockTime(at, timeZone)}`;
}

/** `12:31` in the reader's time zone (or the given one). */
export function hourMinute(at: string | number, timeZone?: string): string {
	const date = new Date(at);
	return Number.isNaN(date.getTime()) ? '–' : format(false, timeZone).format(date);
}

/**
 * `12:31` for an instant of the day of `now` (ms), else `21 Nov` or `11月21日`, with the year if it is another one; by the reader's
 * zone.
 */
export function clockOrDate(at: string | number, now: number, language: Language = 'en'): string {
	const date = new Date(at);
	if (Number.isNaN(date.getTime()) || isSameDay(date.getTime(), now)) return hourMinute(at);
	return dayWords(at, now, language);
}

/** `21 Nov` or `11月21日`, with the year if it is not that of `now` (ms); by the reader's zone. */
export function dayWords(at: string | number, now: number, language: Language = 'en'): string {
	const date = new Date(at);
	const year = date.getFullYear() === new Date(now).getFullYear() ? {} : ({ year: 'numeric' } as const);
	return date.toLocaleDateString(language === 'en' ? 'en-GB' : language, { month: 'short', day: 'numeric', ...year });
}

/** When something ends: `12:31` today, else `23 Nov 12:31`, so that a time tomorrow does not look like one today. */
export function endTime(at: string | number, now: number, language: Language = 'en'): string {
	const time = hourMinute(at);
	return isSameDay(new Date(at).getTime(), now) ? time : `${clockOrDate(at, now, language)} ${time}`;
}

/** Whether two instants (ms) fall on the same calendar day of the reader. */
export function isSameDay(a: number, b: number): boolean {
	return new Date(a).toDateString() === new Date(b).toDateString();
}
