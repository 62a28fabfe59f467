import { Hono } from 'hono';
import type { Decider } from '#lib/contract/catalogue/approval.ts';
import { AppError } from '#lib/contract/errors.ts';
import { type ApprovalRecord, type ApprovalState, ApprovalsQuery, DecisionBody } from '#lib/contract/http.ts';
import { ApprovalId } from '#lib/contract/ids.ts';
import type { Auth } from '../auth/auth.ts';
import { type ApiEnv, demandPrincipal, proofOf } from './api-env.ts';
import { readBody, readParam, readQuery } from './read-request.ts';

/** What the routes need of the approval desk. */
export interface Decisions {
	list(state: ApprovalState | undefined, limit: number): ApprovalRecord[];
	get(approvalId: string): ApprovalRecord | null;
	/** Throws `approval/not-found`, `approval/decided` or `approval/late`. */
	decide(approvalId: string, body: DecisionBody, by: Decider): Promise<ApprovalRecord>;
}

/** Reading what waits for a person, and deciding it. */
export function createApprovalRoutes({ auth, desk }: { auth: Auth; desk: Decisions }) {
	const routes = new Hono<ApiEnv>();

	routes.get('/api/approvals', (context) => {
		const { state, limit } = readQuery(context, ApprovalsQuery);
		return context.json({ approvals: desk.list(state, limit) });
	});

	routes.post('/api/approvals/:id', async (context) => {
		const principal = demandPrincipal(context);
		auth.demandHeaderToken(proofOf(context), principal);
		const body = await readBody(context, DecisionBody);
		const id = readParam(context, ApprovalId);
		if (id === undefined) throw new AppError('approval/not-found');
		return context.json({ approval: await desk.decide(id, body, { role: 'operator', via: principal.via }) });
	});

	return routes;
}
