import { type Context, Hono } from 'hono';
import { SessionId } from '#lib/contract/ids.ts';
import { SupervisorActionBody } from '#lib/contract/supervisor.ts';
import type { SupervisorControl } from '../supervisor/supervisor-control.ts';
import { type ApiEnv, deciderOf } from './api-env.ts';
import { demandId, readBody } from './read-request.ts';

/** Seeing the supervisor of a session, switching it on and off, and counting its reviews anew. */
export function createSupervisorRoutes({ supervisors }: { supervisors: SupervisorControl }) {
	const routes = new Hono<ApiEnv>();

	const sessionOf = (context: Context) => demandId(context, SessionId, 'session/not-found');

	routes.get('/api/sessions/:id/supervisor', (context) =>
		context.json({ supervisor: supervisors.status(sessionOf(context)) }),
	);

	routes.post('/api/sessions/:id/supervisor', async (context) => {
		const { action } = await readBody(context, SupervisorActionBody);
		const by = deciderOf(context);
		return context.json({ supervisor: await supervisors.act(sessionOf(context), action, by) });
	});

	return routes;
}
