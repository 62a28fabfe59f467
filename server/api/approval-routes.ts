import type { Decider } from '#lib/contract/catalogue/approval.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { ApprovalRecord, ApprovalState, DecisionBody } from '#lib/contract/http.ts';
import { alarmOf } from '#lib/session/call.ts';
import type { SessionReads } from '../store/session-reads.ts';
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
export function createApprovalRoutes({ desk, reads }: { desk: Decisions; reads: Pick<SessionReads, 'row'> }) {
	/** With what the index knows of its call: the journal knows who decided, not what came of it. */
	async function withAlarm(approval: ApprovalRecord): Promise<ApprovalRecord> {
		const { sessionId, toolUseId, state } = approval;
		if (toolUseId === undefined || state === 'waiting') return approval;
		const call = (await reads.row(sessionId, `call:${toolUseId}`))?.call;
		const alarm = call && alarmOf(call);
		return alarm ? { ...approval, alarm } : approval;
	}

	function demandApproval(id: string): ApprovalRecord {
		const approval = desk.get(id);
		if (!approval) throw new AppError('approval/not-found');
		return approval;
	}

	return [
		defineRoute('GET /api/approvals', async ({ query: { state, similarTo, limit } }) => {
			if (similarTo === undefined) return { approvals: await Promise.all(desk.list(state, limit).map(withAlarm)) };
			return { approvals: desk.similar(demandApproval(similarTo), state, limit) };
		}),
		defineRoute('GET /api/approvals/:id', async ({ params }) => ({
			approval: await withAlarm(demandApproval(params.id)),
		})),
		defineRoute('POST /api/approvals/:id', async ({ params, body, context }) => ({
			approval: await desk.decide(params.id, body, deciderOf(context)),
		})),
	];
}
