import type { ApprovalRecord, DecisionBody } from '#lib/contract/approvals/approval-record.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import type { GrantService } from './grant-service.ts';
import { subjectOfAsked } from './grant-subject.ts';

/** The part of the approval service that decides. */
export interface Deciding {
	decide(approvalId: string, body: DecisionBody, by: Decider): Promise<ApprovalRecord>;
	get(approvalId: string): ApprovalRecord | null;
}

/**
 * Decides, and where somebody wants later calls like it allowed too, makes that grant. What cannot be remembered is not
 * approved either: `grant/not-possible`, `request/invalid`. Where the grant cannot be written once the decision is:
 * `grant/forgotten`.
 */
export async function decideAndRemember(
	{ service, grants }: { service: Deciding; grants: Pick<GrantService, 'create'> },
	...[approvalId, { remember, ...body }, by]: Parameters<Deciding['decide']>
): Promise<ApprovalRecord> {
	if (!remember) return service.decide(approvalId, body, by);
	const terms = { ...remember, reason: demandTerms(body) };
	const subject = subjectOfAsked(service.get(approvalId));
	const decided = await service.decide(approvalId, body, by);
	await grants.create(subject, terms, by).catch((cause: unknown) => {
		throw new AppError('grant/forgotten', undefined, { cause });
	});
	return decided;
}

/** The reason, which a grant needs. An input of the person's own, or another answer, says nothing of later calls. */
function demandTerms({ decision, reason, updatedInput, suggestions }: Omit<DecisionBody, 'remember'>): string {
	if (decision !== 'approve' || updatedInput || suggestions)
		throw new AppError('request/invalid', 'Only the approval of a call as it is can be remembered.');
	if (!reason) throw new AppError('request/invalid', 'What is remembered needs a reason: it is kept in the record.');
	return reason;
}
