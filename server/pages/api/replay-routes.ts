import type { ReplayService } from '../../archives/replay/replay-service.ts';
import { defineRoute } from './define-route.ts';

/** Archived sessions at any instant. */
export function createReplayRoutes({ replay }: { replay: ReplayService }) {
	return [
		defineRoute('GET /api/features/:id/recording', ({ params }) => replay.recording(params.id)),
		defineRoute('GET /api/features/:id/recording/moment', ({ params, query }) => replay.moment(params.id, query.at)),
		defineRoute('GET /api/features/:id/recording/chapters', ({ params, query }) =>
			replay.chapters(params.id, query.at, query.kinds, query.limit),
		),
		defineRoute('GET /api/features/:id/sessions/:sessionId/part', ({ params, query }) =>
			replay.part(params.id, params.sessionId, query),
		),
		defineRoute('GET /api/features/:id/sessions/:sessionId/rows', async ({ params, query }) => ({
			rows: await replay.rows(params.id, params.sessionId, query),
		})),
		defineRoute('GET /api/features/:id/sessions/:sessionId/events', async ({ params, query }) => ({
			events: await replay.events(params.id, params.sessionId, query),
		})),
	];
}
