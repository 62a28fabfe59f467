import * as z from 'zod';
import { BlobParam, EventsQuery, HandoffParam, RowsQuery, SessionsQuery } from '#lib/contract/http.ts';
import { SessionId } from '#lib/contract/ids.ts';
import { SupervisorActionBody, SupervisorRecord } from '#lib/contract/supervisor.ts';
import { CreatedSubtasks, SubtasksBody } from '#lib/contract/validators.ts';
import { WorkflowActionBody, WorkflowOutcome } from '#lib/contract/workflow-control.ts';
import { Listed, OPERATOR, READERS, type RouteSpec, WithSeq } from '../route-spec.ts';

const SessionParam = z.object({ id: SessionId });

/** Sessions: reading them, and acting on their workflow and supervisor. */
export const sessionSpecs: readonly RouteSpec[] = [
	{
		method: 'GET',
		path: '/api/sessions',
		access: READERS,
		summary:
			'Sessions, the last active first: without a query all of them, up to 5,000; `next` is the `before` of the following page',
		query: SessionsQuery,
		answer: z.object({
			sessions: z.array(Listed),
			counts: z.object({ all: z.number(), groups: z.record(z.string(), z.number()), alarmed: z.number() }),
			next: z.string().nullable(),
			epoch: z.string(),
		}),
	},
	{
		method: 'GET',
		path: '/api/sessions/:id',
		access: READERS,
		summary: 'One session: the fold of its events',
		params: SessionParam,
		answer: z.object({ session: Listed }),
	},
	{
		method: 'GET',
		path: '/api/sessions/:id/events',
		access: READERS,
		summary: 'Events after a seq, ascending',
		params: SessionParam,
		query: EventsQuery,
		answer: z.object({ events: z.array(WithSeq) }),
	},
	{
		method: 'GET',
		path: '/api/sessions/:id/rows',
		access: READERS,
		summary: 'Rows of the story, ascending',
		params: SessionParam,
		query: RowsQuery,
		answer: z.object({ rows: z.array(WithSeq) }),
	},
	{
		method: 'GET',
		path: '/api/sessions/:id/blobs/:sha',
		access: READERS,
		summary: 'A value too large for its event, as plain text',
		params: BlobParam,
	},
	{
		method: 'GET',
		path: '/api/sessions/:id/handoffs/:name',
		access: READERS,
		summary: 'A handoff, as plain text',
		params: HandoffParam,
	},
	{
		method: 'GET',
		path: '/api/sessions/:id/observations',
		access: READERS,
		summary: 'Habits that were observed, the surest first',
		params: SessionParam,
		answer: z.object({ observations: z.array(Listed) }),
	},
	{
		method: 'POST',
		path: '/api/sessions/:id/subtasks',
		access: OPERATOR,
		summary: 'Adds what a validator suggests to the tasks of the session’s feature',
		params: SessionParam,
		body: SubtasksBody,
		answer: z.object({ created: CreatedSubtasks }),
	},
	{
		method: 'POST',
		path: '/api/sessions/:id/workflow',
		access: OPERATOR,
		decides: true,
		summary: 'Starts, pauses, resumes or stops the workflow of a session, or only its loop',
		params: SessionParam,
		body: WorkflowActionBody,
		answer: z.object({ workflow: WorkflowOutcome }),
	},
	{
		method: 'GET',
		path: '/api/sessions/:id/supervisor',
		access: READERS,
		summary: 'Whether the supervisor of a session is on, and how often it reviewed',
		params: SessionParam,
		answer: z.object({ supervisor: SupervisorRecord }),
	},
	{
		method: 'POST',
		path: '/api/sessions/:id/supervisor',
		access: OPERATOR,
		decides: true,
		summary: 'Switches the supervisor of a session on or off, or counts its reviews anew',
		params: SessionParam,
		body: SupervisorActionBody,
		answer: z.object({ supervisor: SupervisorRecord }),
	},
];
