import * as z from 'zod';
import { CompareQuery, Comparison } from '../archives/compare.ts';
import {
	ExportQuery,
	FeatureActionBody,
	FeatureBlobParam,
	FeatureDetail,
	FeatureHandoffParam,
	FeatureParam,
	FeatureProject,
	FeatureRecord,
	FeatureSessionParam,
	FeaturesQuery,
	NewFeatureBody,
	RedactionCounts,
} from '../archives/features.ts';
import {
	ChaptersAround,
	ChaptersQuery,
	MomentQuery,
	PartAnswer,
	PartQuery,
	RecordedEventsQuery,
	RecordedMoment,
	RecordedRowsQuery,
	Recording,
} from '../archives/replay.ts';
import { RetentionPlan, SessionArchives } from '../archives/retention.ts';
import { SessionId } from '../ids.ts';
import type { Row } from '../sessions/read-model/row.ts';
import type { IndexedEvent } from '../sessions/read-model/session-view.ts';
import { Numbered } from '../sessions/session-queries.ts';
import { OPERATOR, READERS, type RouteName, type RouteSpec } from './route-spec.ts';

const ofFeature = { access: READERS, params: FeatureParam, missing: 'feature/not-found' } as const;
const ofSession = { access: READERS, params: FeatureSessionParam, missing: 'session/not-found' } as const;

export const archiveRoutes = {
	'GET /api/features/:id/recording': {
		...ofFeature,
		summary: 'What is known of all sessions of an archive at once: when they were busy, their stages and chapters',
		answer: Recording,
	},
	'GET /api/features/:id/recording/moment': {
		...ofFeature,
		summary: 'Where an instant stands among the events of all archived sessions',
		query: MomentQuery,
		answer: RecordedMoment,
	},
	'GET /api/features/:id/recording/chapters': {
		...ofFeature,
		summary: 'Chapters on both sides of an instant',
		query: ChaptersQuery,
		answer: ChaptersAround,
	},
	'GET /api/features/:id/sessions/:sessionId/part': {
		...ofSession,
		summary: 'A stretch of an archived timeline with the state before it, by an instant or a seq in it',
		query: PartQuery,
		answer: PartAnswer,
	},
	'GET /api/features/:id/sessions/:sessionId/rows': {
		...ofSession,
		summary: 'Rows of an archived story as they stood after an event, ascending',
		query: RecordedRowsQuery,
		answer: z.object({ rows: z.array(Numbered<Row>()) }),
	},
	'GET /api/features/:id/sessions/:sessionId/events': {
		...ofSession,
		summary: 'Events of an archived timeline after a seq, ascending',
		query: RecordedEventsQuery,
		answer: z.object({ events: z.array(Numbered<IndexedEvent>()) }),
	},
	'GET /api/features': {
		access: READERS,
		summary: 'Features of the known projects',
		query: FeaturesQuery,
		answer: z.object({
			features: z.array(FeatureRecord),
			projects: z.array(FeatureProject),
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
		...ofFeature,
		summary: 'One feature: its documents, its stages so far or its manifest and handoffs',
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
		...ofFeature,
		summary: 'An archived feature as a text for people: a page, a summary or a table of calls',
		text: true,
		query: ExportQuery,
	},
	'GET /api/features/:id/redaction': {
		...ofFeature,
		summary: 'What an export of an archived feature would leave out if what was said is left out, counted',
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
	'GET /api/compare': {
		access: READERS,
		summary:
			'Two runs side by side: where they first went apart, and every number of both; `a` and `b` name archives, features, sessions or `previous`',
		query: CompareQuery,
		answer: Comparison,
	},
} as const satisfies Record<RouteName, RouteSpec>;
