'use client';
import { useState } from 'react';
import type { RequestOf } from '#lib/contract/routes/route-table.ts';
import { callRoute } from '../../live/call-route.ts';

const ROUTE = 'POST /api/sessions/:id/alarms';
type AlarmBody = RequestOf<typeof ROUTE>['body'];

/** Says what a person thinks of an alarm, and keeps why it was refused. The list follows by the session's events. */
export function useAlarmAction(sessionId: string, alarm: string) {
	const [isBusy, setBusy] = useState(false);
	const [refusal, setRefusal] = useState<string | null>(null);

	async function act(wish: Omit<AlarmBody, 'alarm'>): Promise<void> {
		setBusy(true);
		setRefusal(null);
		const answer = await callRoute(ROUTE, { params: { id: sessionId }, body: { alarm, ...wish } });
		setBusy(false);
		if (!answer.ok) setRefusal(answer.message);
	}

	return { act, isBusy, refusal };
}
