import type { FeatureDetail, FeaturesQuery } from '#lib/contract/archives/features.ts';
import type { AnswerOf } from '#lib/contract/routes/route-table.ts';
import type { FeatureService } from '../../archives/features/feature-service.ts';
import type { Retention } from '../../archives/retention/retention.ts';
import { deciderOf } from '../../http/api-env.ts';
import { defineRoute } from './define-route.ts';
import { plainText } from './plain-text.ts';

/** Features as far as whoever asks may read them. Everything rejects with AppError `feature/...` or `file/...`. */
export interface FeatureReads {
	list(wish: FeaturesQuery): Promise<AnswerOf<'GET /api/features'>>;
	detail(id: string): Promise<FeatureDetail>;
	/** A kept handoff or large value by its path below its session's folder. */
	file(id: string, sessionId: string, name: string): Promise<Buffer>;
}

/** Reading features and their archived timelines. */
export function createFeatureRoutes({ features }: { features: FeatureReads }) {
	return [
		defineRoute('GET /api/features', ({ query }) => features.list(query)),
		defineRoute('GET /api/features/:id', ({ params }) => features.detail(params.id)),
		defineRoute('GET /api/features/:id/sessions/:sessionId/blobs/:sha', async ({ params, context }) =>
			plainText(context, await features.file(params.id, params.sessionId, `blobs/${params.sha}`)),
		),
		defineRoute('GET /api/features/:id/sessions/:sessionId/handoffs/:name', async ({ params, context }) =>
			plainText(context, await features.file(params.id, params.sessionId, `handoffs/${params.name}`)),
		),
	];
}

/** Those of a machine's known projects. */
export const machineFeatures = (features: FeatureService): FeatureReads => ({
	async list({ session }) {
		const all = await features.list();
		const fitting = session === undefined ? all : all.filter(({ sessions }) => sessions.includes(session));
		return { features: fitting, projects: features.projects() };
	},
	detail: features.detail,
	file: features.file,
});

/** Moving a machine's features, exporting them, and what its retention would remove. */
export function createFeatureActionRoutes({
	features,
	retention,
}: {
	features: FeatureService;
	retention: Pick<Retention, 'plan' | 'archivesOf'>;
}) {
	return [
		defineRoute('GET /api/retention', retention.plan),
		defineRoute('GET /api/sessions/:id/archives', ({ params }) => retention.archivesOf(params.id)),
		defineRoute('POST /api/features', async ({ body, context }) => ({
			feature: await features.create(body, deciderOf(context)),
		})),
		defineRoute('POST /api/features/:id', async ({ params, body, context }) => ({
			feature: await features.act(params.id, body.action, deciderOf(context)),
		})),
		defineRoute('GET /api/features/:id/export', async ({ params, query: { format, redact }, context }) =>
			plainText(context, Buffer.from(await features.exported(params.id, format, redact === 'true'))),
		),
		defineRoute('GET /api/features/:id/redaction', ({ params }) => features.redaction(params.id)),
	];
}
