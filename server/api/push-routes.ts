import { Hono } from 'hono';
import { PushBody } from '#lib/contract/push.ts';
import type { PushDesk } from '../notify/push-desk.ts';
import { type ApiEnv, demandPrincipal } from './api-env.ts';
import { readBody } from './read-request.ts';

/** Which browsers are told while no page is open. */
export function createPushRoutes({ push }: { push: PushDesk }) {
	const routes = new Hono<ApiEnv>();

	routes.get('/api/push', (context) => context.json(push.state()));

	routes.post('/api/push', async (context) => {
		const principal = demandPrincipal(context);
		const body = await readBody(context, PushBody);
		if (body.action === 'subscribe') await push.subscribe(body.subscription, principal);
		else await push.remove(body.id, principal);
		return context.json(push.state());
	});

	return routes;
}
