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
} from '#lib/contract/features.ts';
import { EventsQuery } from '#lib/contract/http.ts';
import { OPERATOR, READERS, type RouteSpec, WithSeq } from '../route-spec.ts';

/** Features and their archives. */
export const featureSpecs: readonly RouteSpec[] = [
	{
		method: 'GET',
		path: '/api/features',
		access: READERS,
		summary: 'Features of the known projects',
		answer: z.object({ features: z.array(FeatureRecord), projects: z.array(FeatureProject) }),
	},
	{
		method: 'POST',
		path: '/api/features',
		access: OPERATOR,
		summary: 'Makes a feature in a known project',
		body: NewFeatureBody,
		answer: z.object({ feature: FeatureRecord }),
	},
	{
		method: 'GET',
		path: '/api/features/:id',
		access: READERS,
		summary: 'One feature: its documents, manifest and handoffs',
		params: FeatureParam,
		answer: FeatureDetail,
	},
	{
		method: 'POST',
		path: '/api/features/:id',
		access: OPERATOR,
		// A paused feature no longer keeps its agent at work.
		decides: true,
		summary: 'Pauses, resumes or archives a feature',
		params: FeatureParam,
		body: FeatureActionBody,
		answer: z.object({ feature: FeatureRecord }),
	},
	{
		method: 'GET',
		path: '/api/features/:id/sessions/:sessionId/events',
		access: READERS,
		summary: 'Events of an archived timeline after a seq, ascending',
		params: FeatureSessionParam,
		query: EventsQuery,
		answer: z.object({ events: z.array(WithSeq) }),
	},
	{
		method: 'GET',
		path: '/api/features/:id/sessions/:sessionId/blobs/:sha',
		access: READERS,
		summary: 'A kept value too large for its event, as plain text',
		params: FeatureBlobParam,
	},
	{
		method: 'GET',
		path: '/api/features/:id/sessions/:sessionId/handoffs/:name',
		access: READERS,
		summary: 'A kept handoff, as plain text',
		params: FeatureHandoffParam,
	},
];
