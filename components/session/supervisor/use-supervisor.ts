'use client';
import { useEffect, useState } from 'react';
import type { SupervisorActionBody, SupervisorRecord } from '#lib/contract/sessions/session-actions.ts';
import { callRoute, type RouteAnswer } from '../../live/call-route.ts';

/** How the supervisor of a live session stands, asked again at each change of `version`, and how to switch it. */
export function useSupervisor(sessionId: string, version: unknown) {
	const [record, setRecord] = useState<SupervisorRecord | null>(null);
	const [refusal, setRefusal] = useState<string | null>(null);
	const [isBusy, setBusy] = useState(false);

	function take(answer: RouteAnswer<'GET /api/sessions/:id/supervisor'>): void {
		if (answer.ok) setRecord(answer.data.supervisor);
		setRefusal(answer.ok ? null : answer.message);
	}

	// biome-ignore lint/correctness/useExhaustiveDependencies: a new version means that it may stand otherwise now.
	useEffect(() => {
		let current = true;
		void callRoute('GET /api/sessions/:id/supervisor', { params: { id: sessionId } }).then((answer) => {
			if (current) take(answer);
		});
		return () => {
			current = false;
		};
	}, [sessionId, version]);

	async function act(action: SupervisorActionBody['action']): Promise<void> {
		setBusy(true);
		take(await callRoute('POST /api/sessions/:id/supervisor', { params: { id: sessionId }, body: { action } }));
		setBusy(false);
	}
	return { record, refusal, isBusy, act };
}
