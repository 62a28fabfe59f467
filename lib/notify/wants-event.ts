import { categoryOf } from '../contract/events/event-labels.ts';
import type { QuietHours } from './notify-settings.ts';

/** Whether a list of `noun:verb` and `noun:*` names a type. */
export function wantsEvent(events: readonly string[], type: string): boolean {
	return events.includes(type) || events.includes(`${categoryOf(type)}:*`);
}

/** Whether a time of day, in minutes since midnight, lies in quiet hours. `from` counts, `to` no longer. */
export function isQuiet(quiet: QuietHours | undefined, minute: number): boolean {
	if (!quiet) return false;
	const [from, to] = [minuteOf(quiet.from), minuteOf(quiet.to)];
	return from <= to ? minute >= from && minute < to : minute >= from || minute < to;
}

function minuteOf(time: string): number {
	const [hours = 0, minutes = 0] = time.split(':').map(Number);
	return hours * 60 + minutes;
}
