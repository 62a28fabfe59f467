import * as z from 'zod';
import { DenialsQuery, UnaskedDenial } from '#lib/contract/denials.ts';
import {
	GrantBody,
	GrantParam,
	GrantPreview,
	GrantRecord,
	GrantsQuery,
	PreviewQuery,
	RevokeBody,
} from '#lib/contract/grants.ts';
import { ApprovalParam, ApprovalRecord, ApprovalsQuery, DecisionBody } from '#lib/contract/http.ts';
import { OPERATOR, READERS, type RouteSpec } from '../route-spec.ts';

/** What waits for a person, and what a person allows for later. */
export const decisionSpecs: readonly RouteSpec[] = [
	{
		method: 'GET',
		path: '/api/approvals',
		access: READERS,
		summary: 'Denied calls that a person may decide, or has decided',
		query: ApprovalsQuery,
		answer: z.object({ approvals: z.array(ApprovalRecord) }),
	},
	{
		method: 'GET',
		path: '/api/approvals/:id',
		access: READERS,
		summary: 'One of them, with what became of it and who decided',
		params: ApprovalParam,
		answer: z.object({ approval: ApprovalRecord }),
	},
	{
		method: 'POST',
		path: '/api/approvals/:id',
		access: OPERATOR,
		decides: true,
		summary: 'Decides a waiting call; the first answer wins',
		params: ApprovalParam,
		body: DecisionBody,
		answer: z.object({ approval: ApprovalRecord }),
	},
	{
		method: 'GET',
		path: '/api/denials',
		access: READERS,
		summary: 'Calls that were denied without a question to anybody, and that nobody has allowed since',
		query: DenialsQuery,
		answer: z.object({ denials: z.array(UnaskedDenial) }),
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
		decides: true,
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
];
