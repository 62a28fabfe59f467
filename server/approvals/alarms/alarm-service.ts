import type { AlarmBody } from '#lib/contract/approvals/approval-record.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import type { HandledAlarm, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { Outbox } from '../outbox.ts';

/** Where people say that they have seen an alarm, or want to be told of it later. */
export interface AlarmService {
	/** Resolves when it is durable in the journal. Throws AppError: 404 where the session has no such alarm. */
	handle(sessionId: string, body: AlarmBody, by: Decider): Promise<HandledAlarm>;
}

const MINUTE_MS = 60_000;

/** Writes what people say of alarms to the journal; timelines are told of it, so that it outlives every index. */
export function createAlarmService(options: {
	outbox: Pick<Outbox, 'write'>;
	viewOf: (sessionId: string) => Pick<SessionView, 'alarms' | 'lastAt'> | undefined;
	/** Milliseconds since the epoch. */
	now: () => number;
}): AlarmService {
	const { outbox, viewOf, now } = options;
	return {
		async handle(sessionId, { alarm, action, minutes }, by) {
			const view = viewOf(sessionId);
			if (!view) throw new AppError('session/not-found');
			const isThere = alarm === `silent:${view.lastAt}` || view.alarms?.some(({ key }) => key === alarm);
			if (!isThere) throw new AppError('alarm/not-found');
			const draft = { subject: `${sessionId} ${alarm}`, place: { sessionId } };
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
