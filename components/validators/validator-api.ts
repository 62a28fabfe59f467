import type { CreatedSubtasks } from '#lib/contract/validators.ts';
import { type Answer, post } from '../live/api.ts';

/** Makes tasks of an assessment's suggestions; only an operator may. */
export function createSubtasks(sessionId: string, assessmentId: string): Promise<Answer<{ created: CreatedSubtasks }>> {
	return post(`/api/sessions/${encodeURIComponent(sessionId)}/subtasks`, { assessmentId });
}
