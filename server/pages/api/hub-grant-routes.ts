import type { Context } from 'hono';
import { AppError } from '#lib/contract/errors.ts';
import { grantPreview } from '../../approvals/grants/grant-preview.ts';
import { subjectOfAsked } from '../../approvals/grants/grant-subject.ts';
import { type ApiEnv, demandPrincipal } from '../../http/api-env.ts';
import type { HubApprovals } from '../../hub/decisions/hub-approvals.ts';
import type { HubGrants } from '../../hub/decisions/hub-grants.ts';
import { readerOf } from '../../hub/reading/hub-reader.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';
import { defineRoute } from './define-route.ts';

/** Reading, previewing and taking back what machines of a hub allow for later calls. It is made with an approval. */
export function createHubGrantRoutes(options: {
	grants: Pick<HubGrants, 'forReader'>;
	approvals: Pick<HubApprovals, 'forReader'>;
	reads: Pick<SessionReads, 'denials' | 'row' | 'view'>;
}) {
	const { grants, approvals, reads } = options;
	const reader = (context: Context<ApiEnv>) => readerOf(demandPrincipal(context), undefined);

	return [
		defineRoute('GET /api/grants', async ({ query: { state, limit }, context }) => ({
			grants: await grants.forReader(reader(context)).list(state, limit),
		})),
		defineRoute('GET /api/grants/preview', async ({ query: { scope, approvalId }, context }) => {
			if (approvalId === undefined) throw new AppError('hub/at-machine');
			const subject = subjectOfAsked(await approvals.forReader(reader(context)).getGrantable(approvalId));
			return { preview: await grantPreview(subject, scope, reads) };
		}),
		defineRoute('POST /api/grants/:id/revoke', async ({ params, body, context }) => ({
			grant: await grants.forReader(reader(context)).revoke(params.id, body),
		})),
	];
}
