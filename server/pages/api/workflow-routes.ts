import type { WorkflowControl } from '../../approvals/workflow/workflow-control.ts';
import { deciderOf } from '../../http/api-env.ts';
import { defineRoute } from './define-route.ts';

/** Starting, pausing, resuming and stopping the workflow of a session. */
export function createWorkflowRoutes({ workflows }: { workflows: WorkflowControl }) {
	return [
		defineRoute('POST /api/sessions/:id/workflow', async ({ params, body, context }) => ({
			workflow: await workflows.act(params.id, body, deciderOf(context)),
		})),
	];
}
