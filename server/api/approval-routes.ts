import { Hono } from 'hono';
import type { Decider } from '#lib/contract/catalogue/approval.ts';
import { AppError } from '#lib/contract/errors.ts';
import { type ApprovalRecord, type ApprovalState, ApprovalsQuery, DecisionBody } from '#lib/contract/http.ts';
import { ApprovalId } from '#lib/contract/ids.ts';
import { type ApiEnv, deciderOf } from './api-env.ts';
import { demandId, readBody, readQuery } from './read-request.ts';

/** What the routes need of the approval desk. */
export interface Decisions {
	list(state: ApprovalState | undefined, limit: number): ApprovalRecord[];
	similar(asked: ApprovalRecord, state: ApprovalState | undefined, limit: number): ApprovalRecord[];
	get(approvalId: string): ApprovalRecord | null;
	/** Throws `approval/not-found`, `approval/decided` or `approval/late`. */
	decide(approvalId: string, body: DecisionBody, by: Decider): Promise<ApprovalRecord>;
}

/** Reading what waits for a person, and deciding it. */
export function createApprovalRoutes({ desk }: { desk: Decisions }) {
	const routes = new Hono<ApiEnv>();

	routes.get('/api/approvals', (context) => {
		const { state, similarTo, limit } = readQuery(context, ApprovalsQuery);
		if (similarTo === undefined) return context.json({ approvals: desk.list(state, limit) });
		const asked = desk.get(similarTo);
		if (!asked) throw new AppError('approval/not-found');
		return context.json({ approvals: desk.similar(asked, state, limit) });
	});

	routes.get('/api/approvals/:id', (context) => {
		const approval = desk.get(demandId(context, ApprovalId, 'approval/not-found'));
		if (!approval) throw new AppError('approval/not-found');
		return context.json({ approval });
	});

	routes.post('/api/approvals/:id', async (context) => {
		const body = await readBody(context, DecisionBody);
		const id = demandId(context, ApprovalId, 'approval/not-found');
		return context.json({ approval: await desk.decide(id, body, deciderOf(context)) });
	});

	return routes;
}
