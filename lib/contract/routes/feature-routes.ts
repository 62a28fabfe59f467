import * as z from 'zod';
import {
	FeatureActionBody,
	FeatureBlobParam,
	FeatureDetail,
	FeatureHandoffParam,
	FeatureParam,
	FeatureProject,
	FeatureRecord,
	FeatureSessionParam,
	NewFeatureBody,
} from '../features.ts';
import { EventsQuery } from '../http.ts';
import type { IndexedEvent } from '../read-model/session-view.ts';
import { Numbered, OPERATOR, READERS, type RouteName, type RouteSpec } from '../route-spec.ts';

/** Features and their archives. */
export const featureRoutes = {
	'GET /api/features': {
		access: READERS,
		summary: 'Features of the known projects',
		answer: z.object({ features: z.array(FeatureRecord), projects: z.array(FeatureProject) }),
	},
	'POST /api/features': {
		access: OPERATOR,
		summary: 'Makes a feature in a known project',
		body: NewFeatureBody,
		answer: z.object({ feature: FeatureRecord }),
	},
	'GET /api/features/:id': {
		access: READERS,
		summary: 'One feature: its documents, manifest and handoffs',
		params: FeatureParam,
		missing: 'feature/not-found',
		answer: FeatureDetail,
	},
	'POST /api/features/:id': {
		access: OPERATOR,
		// A paused feature no longer keeps its agent at work.
		decides: true,
		summary: 'Pauses, resumes or archives a feature',
		params: FeatureParam,
		missing: 'feature/not-found',
		body: FeatureActionBody,
		answer: z.object({ feature: FeatureRecord }),
	},
	'GET /api/features/:id/sessions/:sessionId/events': {
		access: READERS,
		summary: 'Events of an archived timeline after a seq, ascending',
		params: FeatureSessionParam,
		missing: 'session/not-found',
		query: EventsQuery,
		answer: z.object({ events: z.array(Numbered<IndexedEvent>()) }),
	},
	'GET /api/features/:id/sessions/:sessionId/blobs/:sha': {
		access: READERS,
		summary: 'A kept value too large for its event, as plain text',
		text: true,
		params: FeatureBlobParam,
		missing: 'file/not-found',
	},
	'GET /api/features/:id/sessions/:sessionId/handoffs/:name': {
		access: READERS,
		summary: 'A kept handoff, as plain text',
		text: true,
		params: FeatureHandoffParam,
		missing: 'file/not-found',
	},
} as const satisfies Record<RouteName, RouteSpec>;
