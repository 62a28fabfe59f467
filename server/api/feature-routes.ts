import { type Context, Hono } from 'hono';
import { AppError } from '#lib/contract/errors.ts';
import {
	FeatureActionBody,
	FeatureBlobParam,
	FeatureHandoffParam,
	FeatureId,
	NewFeatureBody,
} from '#lib/contract/features.ts';
import { EventsQuery } from '#lib/contract/http.ts';
import { SessionId } from '#lib/contract/ids.ts';
import type { FeatureDesk } from '../features/feature-desk.ts';
import { type ApiEnv, deciderOf } from './api-env.ts';
import { plainText } from './plain-text.ts';
import { demandId, readBody, readQuery } from './read-request.ts';

/** Features of the known projects: reading them and their archived timelines, and moving them. */
export function createFeatureRoutes({ features }: { features: FeatureDesk }) {
	const routes = new Hono<ApiEnv>();

	const featureOf = (context: Context) => demandId(context, FeatureId, 'feature/not-found');

	routes.get('/api/features', async (context) =>
		context.json({ features: await features.list(), projects: features.projects() }),
	);

	routes.post('/api/features', async (context) => {
		const body = await readBody(context, NewFeatureBody);
		return context.json({ feature: await features.create(body, deciderOf(context)) });
	});

	routes.get('/api/features/:id', async (context) => context.json(await features.detail(featureOf(context))));

	routes.get('/api/features/:id/sessions/:sessionId/events', async (context) => {
		const id = featureOf(context);
		const sessionId = SessionId.safeParse(context.req.param('sessionId')).data;
		if (sessionId === undefined) throw new AppError('session/not-found');
		const { after, limit } = readQuery(context, EventsQuery);
		return context.json({ events: await features.events(id, sessionId, { after, limit }) });
	});

	routes.get('/api/features/:id/sessions/:sessionId/blobs/:sha', async (context) => {
		const { data } = FeatureBlobParam.safeParse(context.req.param());
		if (!data) throw new AppError('file/not-found');
		return plainText(context, await features.file(data.id, data.sessionId, `blobs/${data.sha}`));
	});

	routes.get('/api/features/:id/sessions/:sessionId/handoffs/:name', async (context) => {
		const { data } = FeatureHandoffParam.safeParse(context.req.param());
		if (!data) throw new AppError('file/not-found');
		return plainText(context, await features.file(data.id, data.sessionId, `handoffs/${data.name}`));
	});

	routes.post('/api/features/:id', async (context) => {
		const { action } = await readBody(context, FeatureActionBody);
		const feature = await features.act(featureOf(context), action, deciderOf(context));
		return context.json({ feature });
	});

	return routes;
}
