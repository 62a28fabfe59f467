'use client';
import { useEffect, useState } from 'react';
import type { SupervisorActionBody, SupervisorRecord } from '#lib/contract/supervisor.ts';
import { type Answer, post, request } from '../live/api.ts';

type Told = Answer<{ supervisor: SupervisorRecord }>;

/** How the supervisor of a live session stands, asked again at each change of `version`, and how to switch it. */
export function useSupervisor(sessionId: string, version: unknown) {
	const [record, setRecord] = useState<SupervisorRecord | null>(null);
	const [refusal, setRefusal] = useState<string | null>(null);
	const [isBusy, setBusy] = useState(false);
	const path = `/api/sessions/${encodeURIComponent(sessionId)}/supervisor`;

	function take(answer: Told): void {
		if (answer.ok) setRecord(answer.data.supervisor);
		setRefusal(answer.ok ? null : answer.message);
	}

	// biome-ignore lint/correctness/useExhaustiveDependencies: a new version means that it may stand otherwise now.
	useEffect(() => {
		let current = true;
		void request<{ supervisor: SupervisorRecord }>(path).then((answer) => {
			if (current) take(answer);
		});
		return () => {
			current = false;
		};
	}, [path, version]);

	async function act(action: SupervisorActionBody['action']): Promise<void> {
		setBusy(true);
		take(await post(path, { action }));
		setBusy(false);
	}
	return { record, refusal, isBusy, act };
}
