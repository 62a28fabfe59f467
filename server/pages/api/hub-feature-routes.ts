import type { HubFeatures } from '../../hub/features/hub-features.ts';
import { defineRoute } from './define-route.ts';
import { plainText } from './plain-text.ts';
import { createReplayRoutes } from './replay-routes.ts';

/** Archived features as a hub serves them: read, and nothing else; what is open is done at its machine. */
export function createHubFeatureRoutes({ features }: { features: HubFeatures }) {
	return [
		defineRoute('GET /api/features', async ({ query }) => ({ ...(await features.list(query)), projects: [] })),
		defineRoute('GET /api/features/:id', ({ params }) => features.detail(params.id)),
		defineRoute('GET /api/features/:id/sessions/:sessionId/blobs/:sha', async ({ params, context }) =>
			plainText(context, await features.file(params.id, params.sessionId, `blobs/${params.sha}`)),
		),
		defineRoute('GET /api/features/:id/sessions/:sessionId/handoffs/:name', async ({ params, context }) =>
			plainText(context, await features.file(params.id, params.sessionId, `handoffs/${params.name}`)),
		),
		...createReplayRoutes({ replay: features.replay }),
	];
}
