import type { FeatureDetail, FeaturesQuery } from '#lib/contract/archives/features.ts';
import type { AnswerOf } from '#lib/contract/routes/route-table.ts';
import type { FeatureService } from '../../archives/features/feature-service.ts';
import type { ReplayService } from '../../archives/replay/replay-service.ts';
import type { Retention } from '../../archives/retention/retention.ts';
import { deciderOf } from '../../http/api-env.ts';
import { defineRoute, plainText } from './define-route.ts';

/** Features that the sender may read. Everything rejects with AppError `feature/...` or `file/...`. */
export interface FeatureReads {
	list(query: FeaturesQuery): Promise<AnswerOf<'GET /api/features'>>;
	detail(id: string): Promise<FeatureDetail>;
	/** An archived handoff or large value by its path below its session's folder. */
	file(id: string, sessionId: string, name: string): Promise<Buffer>;
}

/** Features, their archived timelines, and archived sessions at any instant. */
export function createFeatureRoutes({ features, replay }: { features: FeatureReads; replay: ReplayService }) {
	return [
		defineRoute('GET /api/features', ({ query }) => features.list(query)),
		defineRoute('GET /api/features/:id', ({ params }) => features.detail(params.id)),
		defineRoute('GET /api/features/:id/sessions/:sessionId/blobs/:sha', async ({ params, context }) =>
			plainText(context, await features.file(params.id, params.sessionId, `blobs/${params.sha}`)),
		),
		defineRoute('GET /api/features/:id/sessions/:sessionId/handoffs/:name', async ({ params, context }) =>
			plainText(context, await features.file(params.id, params.sessionId, `handoffs/${params.name}`)),
		),
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
export function createFeatureActionRoutes(options: {
	features: FeatureService;
	retention: Pick<Retention, 'plan' | 'archivesOf'>;
}) {
	const { features, retention } = options;
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
