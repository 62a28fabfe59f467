import { useState } from 'react';
import { callRoute } from '../../live/call-route.ts';
import type { WorkflowActionBody } from '#lib/contract/sessions/session-actions.ts';

/** Sends a person's wish about a session's workflow and keeps why it was refused. The header follows by its events. */
export function useWorkflowAction(sessionId: string) {
	const [isBusy, setBusy] = useState(false);
	const [refusal, setRefusal] = useState<string | null>(null);

	/** True once it is done. */
	async function act(body: WorkflowActionBody): Promise<boolean> {
		setBusy(true);
		setRefusal(null);
		const answer = await callRoute('POST /api/sessions/:id/workflow', { params: { id: sessionId }, body });
		setBusy(false);
		if (!answer.ok) setRefusal(answer.message);
		return answer.ok;
	}

	return { act, isBusy, refusal, forget: () => setRefusal(null) };
}
