import type { PushService } from '../../connect/notify/push-service.ts';
import { demandPrincipal } from '../../http/api-env.ts';
import { defineRoute } from './define-route.ts';

/** Which browsers are told while no page is open. */
export function createPushRoutes({ push }: { push: PushService }) {
	return [
		defineRoute('GET /api/push', () => push.state()),
		defineRoute('POST /api/push', async ({ body, context }) => {
			const principal = demandPrincipal(context);
			if (body.action === 'subscribe') await push.subscribe(body.subscription, principal);
			else await push.remove(body.id, principal);
			return push.state();
		}),
	];
}
