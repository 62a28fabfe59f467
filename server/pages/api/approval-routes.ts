import type { Context } from 'hono';
import { unaskedDenials } from '#lib/approvals/recorded-denials.ts';
import type { ApprovalRecord, ApprovalState, DecisionBody } from '#lib/contract/approvals/approval-record.ts';
import type { GrantBody, GrantRecord, GrantSource, GrantState, RevokeBody } from '#lib/contract/approvals/grants.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import { alarmOf } from '#lib/session/call.ts';
import type { AccessList } from '../../access/access-list.ts';
import type { GrantService } from '../../approvals/grants/grant-service.ts';
import {
	type DeniedCalls,
	demandDecided,
	type GrantSubject,
	grantPreview,
	grantSubjectOf,
} from '../../approvals/grants/grant-subject.ts';
import { type ApiEnv, deciderOf } from '../../http/api-env.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';
import { type Awaitable, defineRoute } from './define-route.ts';

/** Approvals that the sender may see and decide, of a machine or a hub. */
export interface Decisions {
	list(state: ApprovalState | undefined, limit: number): Awaitable<ApprovalRecord[]>;
	similar(asked: ApprovalRecord, state: ApprovalState | undefined, limit: number): Awaitable<ApprovalRecord[]>;
	get(approvalId: string): Awaitable<ApprovalRecord | null>;
	/** Throws `approval/not-found`, `approval/decided` or `approval/late`. */
	decide(approvalId: string, body: DecisionBody, by: Decider): Promise<ApprovalRecord>;
}

export interface Grants {
	list(state: GrantState | undefined, limit: number): Awaitable<GrantRecord[]>;
	subjectOf(source: GrantSource): Promise<GrantSubject>;
	create(
		source: GrantSource,
		terms: Pick<GrantBody, 'scope' | 'expiresInSeconds' | 'reason'>,
		by: Decider,
	): Promise<GrantRecord>;
	revoke(grantId: string, body: RevokeBody, by: Decider): Promise<GrantRecord>;
}

export interface ApprovalRouteOptions {
	serviceFor: (context: Context<ApiEnv>) => Decisions;
	grantsFor: (context: Context<ApiEnv>) => Grants;
	reads: Pick<SessionReads, 'denials' | 'row' | 'view'>;
	now: () => number;
}

/** How many of the newest verdicts are searched for unasked denials. */
const DENIAL_REACH = 1000;
/** How many of the newest grants and questions they are compared with. */
const DECIDED_REACH = 200;

/** What waits for a person, what was denied without asking one, and the grants for later calls. */
export function createApprovalRoutes({ serviceFor, grantsFor, reads, now }: ApprovalRouteOptions) {
	/** The journal has the decision, the index the call's outcome. */
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
		defineRoute('GET /api/denials', async ({ query: { limit }, context }) => {
			const known = {
				row: reads.row,
				view: reads.view,
				now: now(),
				grants: await grantsFor(context).list(undefined, DECIDED_REACH),
				questions: await serviceFor(context).list(undefined, DECIDED_REACH),
			};
			return { denials: await unaskedDenials(await reads.denials(DENIAL_REACH), known, limit) };
		}),
		defineRoute('GET /api/grants', async ({ query: { state, limit }, context }) => ({
			grants: await grantsFor(context).list(state, limit),
		})),
		defineRoute('GET /api/grants/preview', async ({ query: { scope, ...source }, context }) => ({
			preview: await grantPreview(await grantsFor(context).subjectOf(source), scope, reads),
		})),
		defineRoute('POST /api/grants', async ({ body: { scope, expiresInSeconds, reason, ...source }, context }) => {
			const terms = { scope, reason, ...(expiresInSeconds !== undefined && { expiresInSeconds }) };
			return { grant: await grantsFor(context).create(source, terms, deciderOf(context)) };
		}),
		defineRoute('POST /api/grants/:id/revoke', async ({ params, body, context }) => ({
			grant: await grantsFor(context).revoke(params.id, body, deciderOf(context)),
		})),
	];
}

/** The grants of a machine, for everybody who may enter. */
export function machineGrants(options: {
	grants: Pick<GrantService, 'create' | 'revoke' | 'list'>;
	denied: DeniedCalls;
	observes: () => boolean;
	access: Pick<AccessList, 'ended'>;
}): Grants {
	const { grants, denied, observes, access } = options;
	return {
		list(state, limit) {
			const found = grants.list(state, limit);
			const makerOf = ({ state: now, by }: GrantRecord) => (now === 'active' ? by.access : undefined);
			const makers = new Set(found.flatMap((grant) => makerOf(grant) ?? []));
			const ends = new Map([...makers].map((maker) => [maker, access.ended(maker)[0]?.endedAt]));
			return found.map((grant) => {
				const makerEndedAt = ends.get(makerOf(grant) ?? '');
				return makerEndedAt ? { ...grant, makerEndedAt } : grant;
			});
		},
		subjectOf: (source) => grantSubjectOf(source, denied),
		async create(source, terms, by) {
			if (observes()) throw new AppError('approval/observed');
			demandDecided(source, denied);
			return grants.create(await grantSubjectOf(source, denied), terms, by);
		},
		revoke: grants.revoke,
	};
}
