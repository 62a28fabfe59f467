import type { WorkflowActionBody } from '#lib/contract/sessions/session-actions.ts';
import { callRoute } from '../../live/call-route.ts';
import { useAction } from '../../live/use-action.ts';

/** The resulting events update the header. */
export function useWorkflowAction(sessionId: string) {
	const { isBusy, refusal, setRefusal, run } = useAction();
	const act = async (body: WorkflowActionBody) =>
		(await run(callRoute('POST /api/sessions/:id/workflow', { params: { id: sessionId }, body }))).ok;
	return { act, isBusy, refusal, forget: () => setRefusal(null) };
}
