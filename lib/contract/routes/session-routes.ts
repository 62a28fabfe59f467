import * as z from 'zod';
import { SessionId, SessionName } from '../ids.ts';
import type { Observation } from '../sessions/read-model/observation.ts';
import type { Row } from '../sessions/read-model/row.ts';
import type { SessionCounts, SessionSummary } from '../sessions/read-model/session-summary.ts';
import type { IndexedEvent, SessionView } from '../sessions/read-model/session-view.ts';
import {
	CreatedSubtasks,
	Note,
	NoteBody,
	SubtasksBody,
	SupervisorActionBody,
	SupervisorRecord,
	WorkflowActionBody,
	WorkflowOutcome,
} from '../sessions/session-actions.ts';
import {
	BlobParam,
	EventsQuery,
	Fleet,
	FleetQuery,
	HandoffParam,
	Listed,
	Numbered,
	RowsQuery,
	SearchAnswer,
	SearchQuery,
	SessionsQuery,
	SourceOptions,
} from '../sessions/session-queries.ts';
import { OPERATOR, READERS, type RouteName, type RouteSpec } from './route-spec.ts';

const ofSession = { access: READERS, params: z.object({ id: SessionId }), missing: 'session/not-found' } as const;
const actsOnSession = { ...ofSession, access: OPERATOR } as const;
const ofName = { ...ofSession, params: z.object({ id: SessionName }) } as const;

export const sessionRoutes = {
	'GET /api/sessions/:id/notes': {
		...ofSession,
		summary: 'What reviewers noted about a session, the oldest first',
		answer: z.object({ notes: z.array(Note) }),
	},
	'POST /api/sessions/:id/notes': {
		...actsOnSession,
		summary: 'Notes something about a row of the story, a stage or a stretch of time',
		body: NoteBody,
		answer: z.object({ note: Note }),
	},
	'GET /api/sessions': {
		access: READERS,
		summary:
			'Sessions, the last active first: without a query all of them, up to 5,000; `next` is the `before` of the following page',
		query: SessionsQuery,
		answer: z.object({
			sessions: z.array(Listed<SessionSummary>()),
			counts: z.object({ all: z.number(), groups: Listed<SessionCounts['groups']>(), alarmed: z.number() }),
			next: z.string().nullable(),
			epoch: z.string(),
		}),
	},
	'GET /api/places': {
		access: READERS,
		summary: 'Where sessions come from: projects, and on a hub teams and machines',
		answer: SourceOptions,
	},
	'GET /api/search': {
		access: READERS,
		summary:
			'Where in all sessions words were said, the newest first; any text is a search, and quotes keep words together',
		query: SearchQuery,
		answer: SearchAnswer,
	},
	'GET /api/fleet': {
		access: READERS,
		summary: 'What sessions did lately: when they worked, waited and rested, with denials, mismatches and decisions',
		query: FleetQuery,
		answer: Fleet,
	},
	'GET /api/sessions/:id': {
		...ofName,
		summary: 'One session: the fold of its events',
		answer: z.object({ session: Listed<SessionView>() }),
	},
	'GET /api/sessions/:id/events': {
		...ofName,
		summary: 'Events after a seq, ascending',
		query: EventsQuery,
		answer: z.object({ events: z.array(Numbered<IndexedEvent>()) }),
	},
	'GET /api/sessions/:id/rows': {
		...ofName,
		summary: 'Rows of the story, ascending',
		query: RowsQuery,
		answer: z.object({ rows: z.array(Numbered<Row>()) }),
	},
	'GET /api/sessions/:id/density': {
		...ofName,
		summary: 'When a session was busy: the instants (ms) of events that are spread over it, ascending',
		answer: z.object({ points: z.array(z.object({ seq: z.number(), at: z.number() })) }),
	},
	'GET /api/sessions/:id/blobs/:sha': {
		access: READERS,
		summary: 'A value too large for its event, as plain text',
		text: true,
		params: BlobParam,
		missing: 'file/not-found',
	},
	'GET /api/sessions/:id/handoffs/:name': {
		access: READERS,
		summary: 'A handoff, as plain text',
		text: true,
		params: HandoffParam,
		missing: 'file/not-found',
	},
	'GET /api/sessions/:id/observations': {
		...ofSession,
		summary: 'Habits that were observed, the surest first',
		answer: z.object({ observations: z.array(Listed<Observation>()) }),
	},
	'POST /api/sessions/:id/subtasks': {
		...actsOnSession,
		summary: 'Adds what a validator suggests to the tasks of the session’s feature',
		body: SubtasksBody,
		answer: z.object({ created: CreatedSubtasks }),
	},
	'POST /api/sessions/:id/workflow': {
		...actsOnSession,
		decides: true,
		summary: 'Starts, pauses, resumes or stops the workflow of a session, or only its loop',
		body: WorkflowActionBody,
		answer: z.object({ workflow: WorkflowOutcome }),
	},
	'GET /api/sessions/:id/supervisor': {
		...ofSession,
		summary: 'Whether the supervisor of a session is on, and how often it reviewed',
		answer: z.object({ supervisor: SupervisorRecord }),
	},
	'POST /api/sessions/:id/supervisor': {
		...actsOnSession,
		decides: true,
		summary: 'Switches the supervisor of a session on or off, or starts its count of reviews again',
		body: SupervisorActionBody,
		answer: z.object({ supervisor: SupervisorRecord }),
	},
} as const satisfies Record<RouteName, RouteSpec>;
