import type { Context } from 'hono';
import type { ApprovalRecord, ApprovalState, DecisionBody } from '#lib/contract/approvals/approval-record.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import { alarmOf } from '#lib/session/call.ts';
import { type ApiEnv, deciderOf } from '../../http/api-env.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';
import { type Awaitable, defineRoute } from './define-route.ts';

/** Approvals as far as whoever asks may see and decide them: a machine knows at once what a hub asks its database for. */
export interface Decisions {
	list(state: ApprovalState | undefined, limit: number): Awaitable<ApprovalRecord[]>;
	similar(asked: ApprovalRecord, state: ApprovalState | undefined, limit: number): Awaitable<ApprovalRecord[]>;
	get(approvalId: string): Awaitable<ApprovalRecord | null>;
	/** Throws `approval/not-found`, `approval/decided` or `approval/late`. */
	decide(approvalId: string, body: DecisionBody, by: Decider): Promise<ApprovalRecord>;
}

export interface ApprovalRouteOptions {
	serviceFor: (context: Context<ApiEnv>) => Decisions;
	reads: Pick<SessionReads, 'row'>;
}

/** Reading what waits for a person, and deciding it. */
export function createApprovalRoutes({ serviceFor, reads }: ApprovalRouteOptions) {
	/** With what the index knows of its call: the journal knows who decided, not what came of it. */
	async function withAlarm(approval: ApprovalRecord): Promise<ApprovalRecord> {
		const { sessionId, toolUseId, state } = approval;
		if (toolUseId === undefined || state === 'waiting') return approval;
		const call = (await reads.row(sessionId, `call:${toolUseId}`))?.call;
		const alarm = call && alarmOf(call);
		return alarm ? { ...approval, alarm } : approval;
	}

	async function demandApproval(service: Decisions, id: string): Promise<ApprovalRecord> {
		const approval = await service.get(id);
		if (!approval) throw new AppError('approval/not-found');
		return approval;
	}

	return [
		defineRoute('GET /api/approvals', async ({ query: { state, similarTo, limit }, context }) => {
			const service = serviceFor(context);
			if (similarTo !== undefined)
				return { approvals: await service.similar(await demandApproval(service, similarTo), state, limit) };
			return { approvals: await Promise.all((await service.list(state, limit)).map(withAlarm)) };
		}),
		defineRoute('GET /api/approvals/:id', async ({ params, context }) => ({
			approval: await withAlarm(await demandApproval(serviceFor(context), params.id)),
		})),
		defineRoute('POST /api/approvals/:id', async ({ params, body, context }) => ({
			approval: await serviceFor(context).decide(params.id, body, deciderOf(context)),
		})),
	];
}
