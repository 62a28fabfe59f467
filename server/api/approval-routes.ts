import type { Decider } from '#lib/contract/catalogue/approval.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { ApprovalRecord, ApprovalState, DecisionBody } from '#lib/contract/http.ts';
import { deciderOf } from './api-env.ts';
import { defineRoute } from './define-route.ts';

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
	function demandApproval(id: string): ApprovalRecord {
		const approval = desk.get(id);
		if (!approval) throw new AppError('approval/not-found');
		return approval;
	}

	return [
		defineRoute('GET /api/approvals', ({ query: { state, similarTo, limit } }) => {
			if (similarTo === undefined) return { approvals: desk.list(state, limit) };
			return { approvals: desk.similar(demandApproval(similarTo), state, limit) };
		}),
		defineRoute('GET /api/approvals/:id', ({ params }) => ({ approval: demandApproval(params.id) })),
		defineRoute('POST /api/approvals/:id', async ({ params, body, context }) => ({
			approval: await desk.decide(params.id, body, deciderOf(context)),
		})),
	];
}
