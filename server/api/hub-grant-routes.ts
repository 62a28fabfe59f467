import type { Context } from 'hono';
import { AppError } from '#lib/contract/errors.ts';
import { grantPreview } from '../grants/grant-preview.ts';
import { subjectOfAsked } from '../grants/grant-subject.ts';
import type { HubApprovals } from '../hub/hub-approvals.ts';
import type { HubGrants } from '../hub/hub-grants.ts';
import { readerOf } from '../hub/hub-reader.ts';
import type { SessionReads } from '../store/session-reads.ts';
import { type ApiEnv, demandPrincipal } from './api-env.ts';
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
