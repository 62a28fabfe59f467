import { deciderOf } from '../../http/api-env.ts';
import type { SubtaskService } from '../../reviewers/validators/subtask-service.ts';
import { defineRoute } from './define-route.ts';

/** Making tasks of what a validator suggests. */
export function createSubtaskRoutes({ subtasks }: { subtasks: SubtaskService }) {
	return [
		defineRoute('POST /api/sessions/:id/subtasks', async ({ params, body, context }) => ({
			created: await subtasks.create(params.id, body.assessmentId, deciderOf(context)),
		})),
	];
}
