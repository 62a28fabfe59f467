import { deciderOf } from '../../http/api-env.ts';
import type { SupervisorControl } from '../../reviewers/supervisor/supervisor-control.ts';
import { defineRoute } from './define-route.ts';

/** Seeing the supervisor of a session, switching it on and off, and counting its reviews anew. */
export function createSupervisorRoutes({ supervisors }: { supervisors: SupervisorControl }) {
	return [
		defineRoute('GET /api/sessions/:id/supervisor', ({ params }) => ({ supervisor: supervisors.status(params.id) })),
		defineRoute('POST /api/sessions/:id/supervisor', async ({ params, body, context }) => ({
			supervisor: await supervisors.act(params.id, body.action, deciderOf(context)),
		})),
	];
}
