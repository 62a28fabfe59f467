import type { Context } from 'hono';
import type { GrantBody, GrantRecord, GrantSource, GrantState, RevokeBody } from '#lib/contract/approvals/grants.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import type { AccessList } from '../../access/access-list.ts';
import { grantPreview } from '../../approvals/grants/grant-preview.ts';
import type { GrantService } from '../../approvals/grants/grant-service.ts';
import {
	type DeniedCalls,
	demandDecided,
	type GrantSubject,
	grantSubjectOf,
} from '../../approvals/grants/grant-subject.ts';
import { type ApiEnv, deciderOf } from '../../http/api-env.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';
import { type Awaitable, defineRoute } from './define-route.ts';

type Terms = Pick<GrantBody, 'scope' | 'expiresInSeconds' | 'reason'>;

/** Grants as far as whoever asks may see, make and take them back. */
export interface Grants {
	/** The newest first. */
	list(state: GrantState | undefined, limit: number): Awaitable<GrantRecord[]>;
	/** The denied call that one would be for. */
	subjectOf(source: GrantSource): Promise<GrantSubject>;
	create(source: GrantSource, terms: Terms, by: Decider): Promise<GrantRecord>;
	revoke(grantId: string, body: RevokeBody, by: Decider): Promise<GrantRecord>;
}

export interface GrantRouteOptions {
	grantsFor: (context: Context<ApiEnv>) => Grants;
	reads: Pick<SessionReads, 'denials' | 'row' | 'view'>;
}

/** Reading, previewing, making and taking back grants. */
export function createGrantRoutes({ grantsFor, reads }: GrantRouteOptions) {
	return [
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

/** Those of a machine, for everybody who may come in. */
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
