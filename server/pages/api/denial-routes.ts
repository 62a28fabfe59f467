import { unaskedDenials } from '#lib/approvals/unasked-denials.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';
import type { ApprovalRouteOptions } from './approval-routes.ts';
import { defineRoute } from './define-route.ts';
import type { GrantRouteOptions } from './grant-routes.ts';

/** So many of the newest verdicts are looked through; what is older is in its session's story. */
const REACH = 1000;
/** So many of the newest grants and questions are held against them. */
const DECIDED_REACH = 200;

export interface DenialRouteOptions
	extends Pick<ApprovalRouteOptions, 'serviceFor'>,
		Pick<GrantRouteOptions, 'grantsFor'> {
	reads: Pick<SessionReads, 'denials' | 'row' | 'view'>;
	/** Milliseconds since the epoch. */
	now: () => number;
}

/** Reading what was denied while nobody was asked. */
export function createDenialRoutes({ reads, grantsFor, serviceFor, now }: DenialRouteOptions) {
	return [
		defineRoute('GET /api/denials', async ({ query: { limit }, context }) => {
			const known = {
				row: reads.row,
				view: reads.view,
				grants: await grantsFor(context).list(undefined, DECIDED_REACH),
				questions: await serviceFor(context).list(undefined, DECIDED_REACH),
				now: now(),
			};
			return { denials: await unaskedDenials(await reads.denials(REACH), known, limit) };
		}),
	];
}
