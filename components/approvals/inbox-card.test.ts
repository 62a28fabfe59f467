import { expect, test } from 'vitest';
import { personWords } from '#lib/approvals/call-words.ts';
import type { ApprovalRecord } from '#lib/contract/approvals/approval-record.ts';
import { cardOf, isLapsed } from './waiting.ts';

const record = (fields: Partial<ApprovalRecord>): ApprovalRecord =>
	({
		...{ id: 'approval-1', sessionId: 's', tool: 'Bash', title: 'mkdir x', input: {}, denials: [] },
		...{ state: 'abandoned', requestedAt: '2026-01-01T00:00:00.000Z', ...fields },
	}) as ApprovalRecord;

test('a prompt that was answered in the terminal is not shown as undecided', () => {
	const { approval } = cardOf(record({ suggestions: [], reason: 'it was answered in the terminal' }));
	expect([isLapsed(approval), personWords(approval)]).toEqual([false, 'it was answered in the terminal']);
	const denied = cardOf(record({ reason: 'the agent is gone' })).approval;
	expect([isLapsed(denied), personWords(denied)]).toEqual([true, 'ended without an answer: the agent is gone']);
	expect(isLapsed(cardOf(record({ suggestions: [], state: 'expired' })).approval)).toBe(true);
});
