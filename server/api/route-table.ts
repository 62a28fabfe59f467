import * as z from 'zod';
import { AuditState } from '#lib/contract/audit.ts';
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
import {
	GrantBody,
	GrantParam,
	GrantPreview,
	GrantRecord,
	GrantsQuery,
	PreviewQuery,
	RevokeBody,
} from '#lib/contract/grants.ts';
import {
	ApprovalParam,
	ApprovalRecord,
	ApprovalsQuery,
	BlobParam,
	DecisionBody,
	EventsQuery,
	HandoffParam,
	LoginBody,
	Me,
	type Role,
	RowsQuery,
} from '#lib/contract/http.ts';
import { SessionId } from '#lib/contract/ids.ts';
import { SupervisorActionBody, SupervisorRecord } from '#lib/contract/supervisor.ts';
import { WorkflowActionBody, WorkflowOutcome } from '#lib/contract/workflow-control.ts';

/** Who may use a route. `open` needs no credentials; roles never stand in for each other. */
export type Access = 'open' | readonly Role[];

/** One route: who may use it, and what `/api/openapi.json` says of it. */
export interface RouteSpec {
	method: 'GET' | 'POST';
	/** With `:name` for a part of the path. */
	path: string;
	access: Access;
	summary: string;
	params?: z.ZodType;
	query?: z.ZodType;
	body?: z.ZodType;
	/** The JSON of a 200. */
	answer?: z.ZodType;
}

const READERS = ['viewer', 'operator'] as const satisfies readonly Role[];
const OPERATOR = ['operator'] as const satisfies readonly Role[];

const SessionParam = z.object({ id: SessionId });
const Listed = z.looseObject({});
const WithSeq = z.looseObject({ seq: z.int() });

/** The one table of routes. The gate refuses what is not in it, and pages ask for `PAGE_ACCESS`. */
export const routeTable: readonly RouteSpec[] = [
	{ method: 'GET', path: '/health', access: 'open', summary: 'Whether hooks and people are served' },
	{ method: 'GET', path: '/login', access: 'open', summary: 'The page a login link opens' },
	{ method: 'POST', path: '/login', access: 'open', summary: 'Swaps a one-time link for a session', body: LoginBody },
	{ method: 'POST', path: '/logout', access: READERS, summary: 'Ends the cookie session' },
	{ method: 'GET', path: '/metrics', access: READERS, summary: 'Counters as plain text' },
	{ method: 'GET', path: '/api/openapi.json', access: READERS, summary: 'This description' },
	{
		method: 'GET',
		path: '/api/audit',
		access: READERS,
		summary: 'How far somebody outside can vouch for the journal',
		answer: AuditState,
	},
	{ method: 'GET', path: '/api/me', access: READERS, summary: 'Who asks, and what they may do', answer: Me },
	{
		method: 'GET',
		path: '/api/sessions',
		access: READERS,
		summary: 'All sessions, the last active first',
		answer: z.object({ sessions: z.array(Listed) }),
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
		path: '/api/sessions/:id/workflow',
		access: OPERATOR,
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
		summary: 'Switches the supervisor of a session on or off, or counts its reviews anew',
		params: SessionParam,
		body: SupervisorActionBody,
		answer: z.object({ supervisor: SupervisorRecord }),
	},
	{
		method: 'GET',
		path: '/api/approvals',
		access: READERS,
		summary: 'Denied calls that a person may decide, or has decided',
		query: ApprovalsQuery,
		answer: z.object({ approvals: z.array(ApprovalRecord) }),
	},
	{
		method: 'POST',
		path: '/api/approvals/:id',
		access: OPERATOR,
		summary: 'Decides a waiting call; the first answer wins',
		params: ApprovalParam,
		body: DecisionBody,
		answer: z.object({ approval: ApprovalRecord }),
	},
	{
		method: 'GET',
		path: '/api/grants',
		access: READERS,
		summary: 'Permissions for later calls like a denied one, the newest first',
		query: GrantsQuery,
		answer: z.object({ grants: z.array(GrantRecord) }),
	},
	{
		method: 'GET',
		path: '/api/grants/preview',
		access: READERS,
		summary: 'What a grant would let run, and the recorded calls that it would have let run',
		query: PreviewQuery,
		answer: z.object({ preview: GrantPreview }),
	},
	{
		method: 'POST',
		path: '/api/grants',
		access: OPERATOR,
		summary: 'Allows later calls like a denied one',
		body: GrantBody,
		answer: z.object({ grant: GrantRecord }),
	},
	{
		method: 'POST',
		path: '/api/grants/:id/revoke',
		access: OPERATOR,
		summary: 'Ends an active grant',
		params: GrantParam,
		body: RevokeBody,
		answer: z.object({ grant: GrantRecord }),
	},
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

/** Pages and their assets: whoever may read. */
export const PAGE_ACCESS: Access = READERS;
