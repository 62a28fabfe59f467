import { Hono } from 'hono';
import { SessionId } from '#lib/contract/ids.ts';
import { WorkflowActionBody } from '#lib/contract/workflow-control.ts';
import type { WorkflowControl } from '../workflow/workflow-control.ts';
import { type ApiEnv, deciderOf } from './api-env.ts';
import { demandId, readBody } from './read-request.ts';

/** Starting, pausing, resuming and stopping the workflow of a session. */
export function createWorkflowRoutes({ workflows }: { workflows: WorkflowControl }) {
	const routes = new Hono<ApiEnv>();

	routes.post('/api/sessions/:id/workflow', async (context) => {
		const body = await readBody(context, WorkflowActionBody);
		const sessionId = demandId(context, SessionId, 'session/not-found');
		const workflow = await workflows.act(sessionId, body, deciderOf(context));
		return context.json({ workflow });
	});

	return routes;
}
