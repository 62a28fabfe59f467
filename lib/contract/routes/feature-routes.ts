import * as z from 'zod';
import {
	ExportQuery,
	FeatureActionBody,
	FeatureBlobParam,
	FeatureDetail,
	FeatureHandoffParam,
	FeatureParam,
	FeatureProject,
	FeatureRecord,
	FeaturesQuery,
	NewFeatureBody,
	RedactionCounts,
} from '../archives/features.ts';
import { RetentionPlan, SessionArchives } from '../archives/retention.ts';
import { SessionId } from '../ids.ts';
import { OPERATOR, READERS, type RouteName, type RouteSpec } from './route-spec.ts';

/** Features and their archives. */
export const featureRoutes = {
	'GET /api/features': {
		access: READERS,
		summary: 'Features of the known projects',
		query: FeaturesQuery,
		answer: z.object({
			features: z.array(FeatureRecord),
			projects: z.array(FeatureProject),
			/** At a hub, which gives the newest alone: there are more that fit. */
			more: z.literal(true).optional(),
		}),
	},
	'POST /api/features': {
		access: OPERATOR,
		summary: 'Makes a feature in a known project',
		body: NewFeatureBody,
		answer: z.object({ feature: FeatureRecord }),
	},
	'GET /api/features/:id': {
		access: READERS,
		summary: 'One feature: its documents, its stages so far or its manifest and handoffs',
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
	'GET /api/features/:id/export': {
		access: READERS,
		summary: 'An archived feature as a text for people: a page, a summary or a table of calls',
		text: true,
		params: FeatureParam,
		missing: 'feature/not-found',
		query: ExportQuery,
	},
	'GET /api/features/:id/redaction': {
		access: READERS,
		summary: 'What an export of an archived feature would leave out if what was said is left out, counted',
		params: FeatureParam,
		missing: 'feature/not-found',
		answer: RedactionCounts,
	},
	'GET /api/retention': {
		access: READERS,
		summary: 'What the retention of archives and archived sessions would remove now, and what it keeps',
		answer: RetentionPlan,
	},
	'GET /api/sessions/:id/archives': {
		access: READERS,
		summary: 'The archives that keep a session, also one whose own files were removed',
		params: z.object({ id: SessionId }),
		missing: 'session/not-found',
		answer: SessionArchives,
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
