import { unaskedDenials } from '#lib/approvals/unasked-denials.ts';
import type { ApprovalService } from '../../approvals/approval-service.ts';
import type { GrantService } from '../../approvals/grants/grant-service.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';
import { defineRoute } from './define-route.ts';

/** So many of the newest verdicts are looked through; what is older is in its session's story. */
const REACH = 1000;
/** So many of the newest grants and questions are held against them. */
const DECIDED_REACH = 200;

/** What the routes need of the server. */
export interface DenialRouteOptions {
	reads: Pick<SessionReads, 'denials' | 'row' | 'view'>;
	grants: Pick<GrantService, 'list'>;
	service: Pick<ApprovalService, 'list'>;
	now: () => number;
}

/** Reading what was denied while nobody was asked. */
export function createDenialRoutes({ reads, grants, service, now }: DenialRouteOptions) {
	return [
		defineRoute('GET /api/denials', async ({ query: { limit } }) => {
			const known = {
				row: reads.row,
				view: reads.view,
				grants: grants.list(undefined, DECIDED_REACH),
				questions: service.list(undefined, DECIDED_REACH),
				now: now(),
			};
			return { denials: await unaskedDenials(await reads.denials(REACH), known, limit) };
		}),
	];
}
