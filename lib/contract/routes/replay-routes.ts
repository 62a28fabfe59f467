import * as z from 'zod';
import { FeatureParam, FeatureSessionParam } from '../archives/features.ts';
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
import { Numbered } from '../read-model-object.ts';
import type { Row } from '../sessions/read-model/row.ts';
import type { IndexedEvent } from '../sessions/read-model/session-view.ts';
import { READERS, type RouteName, type RouteSpec } from './route-spec.ts';

const ofFeature = { access: READERS, params: FeatureParam, missing: 'feature/not-found' } as const;
const ofSession = { access: READERS, params: FeatureSessionParam, missing: 'session/not-found' } as const;

/** Archived sessions at any instant. */
export const replayRoutes = {
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
} as const satisfies Record<RouteName, RouteSpec>;
