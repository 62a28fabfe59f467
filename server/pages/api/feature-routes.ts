import type { FeatureService } from '../../archives/features/feature-service.ts';
import type { Retention } from '../../archives/retention/retention.ts';
import { deciderOf } from '../../http/api-env.ts';
import { defineRoute } from './define-route.ts';
import { plainText } from './plain-text.ts';

/** Features of the known projects: reading them and their archived timelines, and moving them. */
export function createFeatureRoutes({
	features,
	retention,
}: {
	features: FeatureService;
	retention: Pick<Retention, 'plan' | 'archivesOf'>;
}) {
	return [
		defineRoute('GET /api/retention', retention.plan),
		defineRoute('GET /api/sessions/:id/archives', ({ params }) => retention.archivesOf(params.id)),
		defineRoute('GET /api/features', async ({ query: { session } }) => {
			const all = await features.list();
			const fitting = session === undefined ? all : all.filter(({ sessions }) => sessions.includes(session));
			return { features: fitting, projects: features.projects() };
		}),
		defineRoute('POST /api/features', async ({ body, context }) => ({
			feature: await features.create(body, deciderOf(context)),
		})),
		defineRoute('GET /api/features/:id', ({ params }) => features.detail(params.id)),
		defineRoute('POST /api/features/:id', async ({ params, body, context }) => ({
			feature: await features.act(params.id, body.action, deciderOf(context)),
		})),
		defineRoute('GET /api/features/:id/export', async ({ params, query: { format, redact }, context }) =>
			plainText(context, Buffer.from(await features.exported(params.id, format, redact === 'true'))),
		),
		defineRoute('GET /api/features/:id/redaction', ({ params }) => features.redaction(params.id)),
		defineRoute('GET /api/features/:id/sessions/:sessionId/blobs/:sha', async ({ params, context }) =>
			plainText(context, await features.file(params.id, params.sessionId, `blobs/${params.sha}`)),
		),
		defineRoute('GET /api/features/:id/sessions/:sessionId/handoffs/:name', async ({ params, context }) =>
			plainText(context, await features.file(params.id, params.sessionId, `handoffs/${params.name}`)),
		),
	];
}
