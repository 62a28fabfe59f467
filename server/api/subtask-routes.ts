import { Hono } from 'hono';
import { SessionId } from '#lib/contract/ids.ts';
import { SubtasksBody } from '#lib/contract/validators.ts';
import type { SubtaskDesk } from '../validators/subtask-desk.ts';
import { type ApiEnv, deciderOf } from './api-env.ts';
import { demandId, readBody } from './read-request.ts';

/** Making tasks of what a validator suggests. */
export function createSubtaskRoutes({ subtasks }: { subtasks: SubtaskDesk }) {
	const routes = new Hono<ApiEnv>();

	routes.post('/api/sessions/:id/subtasks', async (context) => {
		const { assessmentId } = await readBody(context, SubtasksBody);
		const sessionId = demandId(context, SessionId, 'session/not-found');
		const by = deciderOf(context);
		return context.json({ created: await subtasks.create(sessionId, assessmentId, by) });
	});

	return routes;
}
