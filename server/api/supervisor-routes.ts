import { type Context, Hono } from 'hono';
import { AppError } from '#lib/contract/errors.ts';
import { SessionId } from '#lib/contract/ids.ts';
import { SupervisorActionBody } from '#lib/contract/supervisor.ts';
import type { SupervisorControl } from '../supervisor/supervisor-control.ts';
import { type ApiEnv, deciderOf } from './api-env.ts';
import { readBody, readParam } from './read-request.ts';

/** Seeing the supervisor of a session, switching it on and off, and counting its reviews anew. */
export function createSupervisorRoutes({ supervisors }: { supervisors: SupervisorControl }) {
	const routes = new Hono<ApiEnv>();

	function demandSession(context: Context): string {
		const sessionId = readParam(context, SessionId);
		if (sessionId === undefined) throw new AppError('session/not-found');
		return sessionId;
	}

	routes.get('/api/sessions/:id/supervisor', (context) =>
		context.json({ supervisor: supervisors.status(demandSession(context)) }),
	);

	routes.post('/api/sessions/:id/supervisor', async (context) => {
		const { action } = await readBody(context, SupervisorActionBody);
		const by = deciderOf(context);
		return context.json({ supervisor: await supervisors.act(demandSession(context), action, by) });
	});

	return routes;
}
