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

/** `12:31:05` in the reader's time zone (or the given one); a dash for what is no date. */
export function clockTime(at: string | number, timeZone?: string): string {
	const date = new Date(at);
	return Number.isNaN(date.getTime()) ? '–' : format(true, timeZone).format(date);
}

/** `12:31` in the reader's time zone (or the given one). */
export function hourMinute(at: string | number, timeZone?: string): string {
	const date = new Date(at);
	return Number.isNaN(date.getTime()) ? '–' : format(false, timeZone).format(date);
}

/** Whether two instants (ms) fall on the same calendar day of the reader. */
export function isSameDay(a: number, b: number): boolean {
	return new Date(a).toDateString() === new Date(b).toDateString();
}
