import { describe, expect, test } from 'vitest';
import type { ApprovalState } from '#lib/contract/approvals/approval-record.ts';
import type { Decisions } from '../pages/api/approval-routes.ts';

/** A row of a machine's journal about a question. */
export interface ApprovalRow {
	kind: `approval:${'request' | 'resolve' | 'expire' | 'abandon' | 'late'}`;
	subject: string;
	payload: Record<string, unknown>;
}

export interface ReportedApprovals {
	approvals: Pick<Decisions, 'list' | 'get' | 'similar'>;
	close(): Promise<void>;
}

const by = { role: 'operator', via: 'browser', name: 'Ann' };
const denialOf = (fingerprint: string) => ({ gate: 'routing', rule: 'x', reason: 'no', fingerprint, words: 'w' });

function requestRow(approvalId: string, more: Record<string, unknown> = {}): ApprovalRow {
	const deadline = new Date(Date.now() - 60_000).toISOString();
	const call = { tool: 'Bash', input: { command: `ls ${approvalId}` }, inputDigest: 'd', denials: [denialOf('f')] };
	return { kind: 'approval:request', subject: approvalId, payload: { approvalId, ...call, deadline, ...more } };
}
const ended = (kind: ApprovalRow['kind'], approvalId: string, more: Record<string, unknown> = {}): ApprovalRow => ({
	...{ kind, subject: approvalId, payload: { approvalId, ...more } },
});
const decided = (approvalId: string, decision: string) => ended('approval:resolve', approvalId, { decision, by });

/** What the journal of a machine says of questions that are over, as the machine itself and its hub list it. */
export function describeApprovals(name: string, open: (rows: readonly ApprovalRow[]) => Promise<ReportedApprovals>) {
	async function listed({ approvals }: ReportedApprovals, state?: ApprovalState, limit = 100): Promise<string[]> {
		return (await approvals.list(state, limit)).map(({ id, state: now }) => `${id} ${now}`);
	}

	describe(`approvals: ${name}`, () => {
		test('each is listed as its rows say, the newest first, by state and up to a number', async () => {
			const opened = await open([
				...[requestRow('question-1'), decided('question-1', 'approve')],
				...[requestRow('question-2', { denials: [denialOf('other')] }), decided('question-2', 'deny')],
				...[requestRow('question-3'), ended('approval:expire', 'question-3')],
				...[requestRow('question-4'), ended('approval:abandon', 'question-4', { reason: 'the agent is gone' })],
				...[requestRow('question-5'), decided('question-5', 'approve'), ended('approval:late', 'question-5')],
				...[requestRow('question-6'), decided('question-6', 'answer'), decided('question-6', 'deny')],
			]);
			expect(await listed(opened)).toEqual([
				...['question-6 answered', 'question-5 late', 'question-4 abandoned'],
				...['question-3 expired', 'question-2 denied', 'question-1 approved'],
			]);
			expect(await listed(opened, 'approved')).toEqual(['question-1 approved']);
			expect(await listed(opened, 'expired')).toEqual(['question-3 expired']);
			expect(await listed(opened, undefined, 2)).toEqual(['question-6 answered', 'question-5 late']);
			const first = await opened.approvals.get('question-1');
			expect(first).toMatchObject({
				tool: 'Bash',
				title: expect.stringContaining('ls question-1'),
				by: { name: 'Ann' },
			});
			const similar = first ? await opened.approvals.similar(first, 'expired', 9) : [];
			expect(similar.map(({ id }) => id)).toEqual(['question-3']);
			expect(await opened.approvals.get('no-question')).toBeNull();
			await opened.close();
		});

		test('rows that ask nothing are no questions and hide none; an unreadable decision approves nothing', async () => {
			const opened = await open([
				...[requestRow('question-1'), ended('approval:resolve', 'question-1', { decision: 'allow-all', by })],
				...[requestRow('no-tool', { tool: 7 }), decided('no-tool', 'approve')],
				...[requestRow('no-denials', { denials: 'none' }), decided('no-denials', 'approve')],
				...[requestRow('no-deadline', { deadline: 'soon' }), decided('no-deadline', 'approve')],
				...[{ ...requestRow('of-another'), subject: 'this-question' }, decided('this-question', 'approve')],
				decided('never-asked', 'approve'),
				...[requestRow('question-2'), decided('question-2', 'deny')],
			]);
			expect(await listed(opened)).toEqual(['question-2 denied', 'question-1 abandoned']);
			expect(await listed(opened, 'approved')).toEqual([]);
			for (const id of ['no-tool', 'this-question', 'of-another', 'never-asked'])
				expect([id, await opened.approvals.get(id)]).toEqual([id, null]);
			await opened.close();
		});
	});
}
