import * as z from 'zod';
import { AlarmKey, Timestamp } from '../ids.ts';

/** `POST /api/sessions/:id/alarms`: that an alarm was seen, or is to be told again after so many minutes. */
export const AlarmBody = z.strictObject({
	alarm: AlarmKey,
	action: z.enum(['acknowledge', 'snooze']),
	/** With `snooze`: up to a week. */
	minutes: z
		.int()
		.min(1)
		.max(7 * 24 * 60)
		.default(60),
});
export type AlarmBody = z.infer<typeof AlarmBody>;

/** What was said of an alarm. */
export const HandledAlarm = z.object({ key: AlarmKey, at: Timestamp, until: Timestamp.optional() });
