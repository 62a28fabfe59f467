import * as z from 'zod';
import {
	AlarmBody,
	ApprovalParam,
	ApprovalRecord,
	ApprovalsQuery,
	DecisionBody,
	DenialsQuery,
	HandledAlarm,
	UnaskedDenial,
} from '../approvals/approval-record.ts';
import {
	GrantBody,
	GrantParam,
	GrantPreview,
	GrantRecord,
	GrantsQuery,
	PreviewQuery,
	RevokeBody,
} from '../approvals/grants.ts';
import { DecisionsAnswer, DecisionsQuery, LedgerSummary, LedgerSummaryQuery } from '../archives/decisions.ts';
import { SessionId } from '../ids.ts';
import { OPERATOR, READERS, type RouteName, type RouteSpec } from './route-spec.ts';

export const decisionRoutes = {
	'GET /api/approvals': {
		access: READERS,
		summary: 'Denied calls that a person may decide, or has decided',
		query: ApprovalsQuery,
		answer: z.object({ approvals: z.array(ApprovalRecord) }),
	},
	'GET /api/approvals/:id': {
		access: READERS,
		summary: 'One of them, with what became of it and who decided',
		params: ApprovalParam,
		missing: 'approval/not-found',
		answer: z.object({ approval: ApprovalRecord }),
	},
	'POST /api/approvals/:id': {
		access: OPERATOR,
		decides: true,
		summary: 'Decides a waiting call; the first answer wins',
		params: ApprovalParam,
		missing: 'approval/not-found',
		body: DecisionBody,
		answer: z.object({ approval: ApprovalRecord }),
	},
	'POST /api/sessions/:id/alarms': {
		access: OPERATOR,
		// An acknowledged alarm is not reported again.
		decides: true,
		summary: 'Says that an alarm was seen, or puts it off',
		params: z.object({ id: SessionId }),
		missing: 'session/not-found',
		body: AlarmBody,
		answer: z.object({ alarm: HandledAlarm }),
	},
	'GET /api/decisions': {
		access: READERS,
		summary: 'The ledger: what gates and people decided and what came of it, the newest first',
		query: DecisionsQuery,
		answer: DecisionsAnswer,
	},
	'GET /api/decisions/summary': {
		access: READERS,
		summary: 'What lines of the ledger come to: by day, rule, gate, person and project',
		query: LedgerSummaryQuery,
		answer: LedgerSummary,
	},
	'GET /api/denials': {
		access: READERS,
		summary: 'Calls that were denied without a question to anybody, and that nobody has allowed since',
		query: DenialsQuery,
		answer: z.object({ denials: z.array(UnaskedDenial) }),
	},
	'GET /api/grants': {
		access: READERS,
		summary: 'Permissions for later calls like a denied one, the newest first',
		query: GrantsQuery,
		answer: z.object({ grants: z.array(GrantRecord) }),
	},
	'GET /api/grants/preview': {
		access: READERS,
		summary: 'What a grant would let run, and the recorded calls that it would have let run',
		query: PreviewQuery,
		answer: z.object({ preview: GrantPreview }),
	},
	'POST /api/grants': {
		access: OPERATOR,
		decides: true,
		summary: 'Allows later calls like a denied one',
		body: GrantBody,
		answer: z.object({ grant: GrantRecord }),
	},
	'POST /api/grants/:id/revoke': {
		access: OPERATOR,
		summary: 'Ends an active grant',
		params: GrantParam,
		missing: 'grant/not-found',
		body: RevokeBody,
		answer: z.object({ grant: GrantRecord }),
	},
} as const satisfies Record<RouteName, RouteSpec>;
