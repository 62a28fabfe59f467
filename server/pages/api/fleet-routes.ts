import { fleetOf } from '#lib/fleet/fleet-of.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { defineRoute } from './define-route.ts';
import type { SessionViews } from './session-routes.ts';

/** What all sessions did lately. */
export function createFleetRoutes({ tail, now }: { tail: Pick<SessionViews, 'views'>; now: () => number }) {
	return [
		defineRoute('GET /api/fleet', ({ query: { minutes } }) => {
			const views = tail.views().filter(({ sessionId }) => sessionId !== HOME_SESSION);
			return fleetOf(views, { now: now(), minutes });
		}),
	];
}
