import type { GrantRecord } from '#lib/contract/approvals/grants.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { AccessList } from '../../access/access-list.ts';
import { grantPreview } from '../../approvals/grants/grant-preview.ts';
import type { GrantService } from '../../approvals/grants/grant-service.ts';
import { type DeniedCalls, demandDecided, grantSubjectOf } from '../../approvals/grants/grant-subject.ts';
import { deciderOf } from '../../http/api-env.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';
import { defineRoute } from './define-route.ts';

/** What the routes need of the server. */
export interface GrantRouteOptions {
	grants: Pick<GrantService, 'create' | 'revoke' | 'list'>;
	approval: DeniedCalls['approval'];
	reads: DeniedCalls['reads'] & Pick<SessionReads, 'denials' | 'row' | 'view'>;
	observes: () => boolean;
	access: Pick<AccessList, 'ended'>;
}

/** Reading, previewing, making and taking back grants. */
export function createGrantRoutes({ grants, approval, reads, observes, access }: GrantRouteOptions) {
	const denied: DeniedCalls = { approval, reads };

	const withMakersEnds = (found: readonly GrantRecord[]): GrantRecord[] => {
		const makerOf = ({ state, by }: GrantRecord) => (state === 'active' ? by.access : undefined);
		const makers = new Set(found.flatMap((grant) => makerOf(grant) ?? []));
		const ends = new Map([...makers].map((maker) => [maker, access.ended(maker)[0]?.endedAt]));
		return found.map((grant) => {
			const makerEndedAt = ends.get(makerOf(grant) ?? '');
			return makerEndedAt ? { ...grant, makerEndedAt } : grant;
		});
	};

	return [
		defineRoute('GET /api/grants', ({ query: { state, limit } }) => ({
			grants: withMakersEnds(grants.list(state, limit)),
		})),
		defineRoute('GET /api/grants/preview', async ({ query: { scope, ...source } }) => ({
			preview: await grantPreview(await grantSubjectOf(source, denied), scope, reads),
		})),
		defineRoute('POST /api/grants', async ({ body: { scope, expiresInSeconds, reason, ...source }, context }) => {
			if (observes()) throw new AppError('approval/observed');
			demandDecided(source, denied);
			const terms = { scope, reason, ...(expiresInSeconds !== undefined && { expiresInSeconds }) };
			return { grant: await grants.create(await grantSubjectOf(source, denied), terms, deciderOf(context)) };
		}),
		defineRoute('POST /api/grants/:id/revoke', async ({ params, body, context }) => ({
			grant: await grants.revoke(params.id, body, deciderOf(context)),
		})),
	];
}
