import type { AlarmService } from '../../approvals/alarms/alarm-service.ts';
import { deciderOf } from '../../http/api-env.ts';
import { defineRoute } from './define-route.ts';

/** Acknowledging alarms of a session, and putting them off. */
export function createAlarmRoutes({ alarms }: { alarms: AlarmService }) {
	return [
		defineRoute('POST /api/sessions/:id/alarms', async ({ params, body, context }) => ({
			alarm: await alarms.handle(params.id, body, deciderOf(context)),
		})),
	];
}
