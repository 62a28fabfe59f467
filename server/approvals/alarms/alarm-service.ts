import type { AlarmBody } from '#lib/contract/approvals/approval-record.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import type { HandledAlarm, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { Outbox } from '../outbox.ts';

const MINUTE_MS = 60_000;

/** Acknowledges and postpones alarms: in the journal, and in the timeline, which outlives every index. */
export function createAlarmService(options: {
	outbox: Pick<Outbox, 'write'>;
	viewOf: (sessionId: string) => Pick<SessionView, 'alarms' | 'lastAt'> | undefined;
	now: () => number;
}) {
	const { outbox, viewOf, now } = options;
	return {
		async handleAlarm(sessionId: string, { alarm, action, minutes }: AlarmBody, by: Decider): Promise<HandledAlarm> {
			const view = viewOf(sessionId);
			if (!view) throw new AppError('session/not-found');
			const isThere = alarm === `silent:${view.lastAt}` || view.alarms?.some(({ key }) => key === alarm);
			if (!isThere) throw new AppError('alarm/not-found');
			const draft = { subject: `${sessionId} ${alarm}`, call: { sessionId } };
			if (action === 'acknowledge') {
				const row = await outbox.write('alarm:acknowledge', { ...draft, fields: { alarm, by } });
				return { key: alarm, at: row?.ts ?? '' };
			}
			const until = new Date(now() + minutes * MINUTE_MS).toISOString();
			const row = await outbox.write('alarm:snooze', { ...draft, fields: { alarm, until, by } });
			return { key: alarm, at: row?.ts ?? '', until };
		},
	};
}

export type AlarmService = ReturnType<typeof createAlarmService>;
