import { expect, test } from 'vitest';
import { approvalFromRows } from './approval-from-rows.ts';

const request = {
	kind: 'approval:request',
	ts: '2026-01-01T00:00:00.000Z',
	sessionId: 's1',
	payload: {
		approvalId: 'approval-1',
		toolUseId: 'toolu_1',
		tool: 'Agent',
		input: { description: 'Design it' },
		inputDigest: 'd',
		denials: [{ gate: 'routing', rule: 'routing.agent-in-plan', reason: 'not in the plan' }],
		deadline: '2026-01-01T00:02:00.000Z',
	},
};
const end = (kind: string, payload: Record<string, unknown>) => ({
	kind,
	ts: '2026-01-01T00:01:00.000Z',
	sessionId: 's1',
	payload: { approvalId: 'approval-1', ...payload },
});
const by = { role: 'operator', via: 'browser' } as const;

test('R85 an approval is what its journal rows say', () => {
	expect(approvalFromRows([request])).toMatchObject({
		id: 'approval-1',
		state: 'waiting',
		title: 'Design it',
		toolUseId: 'toolu_1',
	});
	expect(
		approvalFromRows([request, end('approval:resolve', { decision: 'approve', by, reason: 'fine' })]),
	).toMatchObject({
		state: 'approved',
		decidedAt: '2026-01-01T00:01:00.000Z',
		by,
		reason: 'fine',
	});
	expect(approvalFromRows([request, end('approval:resolve', { decision: 'deny', by })])?.state).toBe('denied');
	expect(approvalFromRows([request, end('approval:expire', {})])?.state).toBe('expired');
	expect(approvalFromRows([request, end('approval:abandon', { reason: 'gone' })])).toMatchObject({
		state: 'abandoned',
		reason: 'gone',
	});
});

test('R2402 an approval that reached no agent came too late, and only an approval can', () => {
	const late = { ...end('approval:late', {}), ts: '2026-01-01T00:09:00.000Z' };
	const approved = end('approval:resolve', { decision: 'approve', by, reason: 'fine' });
	for (const rows of [
		[request, approved, late],
		[request, late, approved],
	]) {
		expect(approvalFromRows(rows)).toMatchObject({
			state: 'late',
			by,
			reason: 'fine',
			decidedAt: '2026-01-01T00:01:00.000Z',
		});
	}
	expect(approvalFromRows([request, late])?.state).toBe('waiting');
	expect(approvalFromRows([request, end('approval:resolve', { decision: 'deny', by }), late])?.state).toBe('denied');
});

test('what was decided beside yes or no is kept', () => {
	const suggestions = [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }];
	expect(approvalFromRows([request, end('approval:resolve', { decision: 'approve', by, suggestions })])).toMatchObject({
		lasting: 'permission mode acceptEdits (in this session)',
	});
	expect(approvalFromRows([request, end('approval:resolve', { decision: 'deny', by, stop: true })])?.stopped).toBe(
		true,
	);
	const updatedInput = { answers: { 'Which database?': 'SQLite', Extras: 'Coupons' } };
	expect(approvalFromRows([request, end('approval:resolve', { decision: 'answer', by, updatedInput })])?.answer).toBe(
		'SQLite; Coupons',
	);
});

test('R85 unreadable rows never count as an approval', () => {
	expect(approvalFromRows([])).toBeNull();
	expect(approvalFromRows([{ ...request, payload: {} }])).toBeNull();
	expect(approvalFromRows([end('approval:resolve', { decision: 'approve', by })])).toBeNull();
	expect(approvalFromRows([request, end('approval:resolve', { decision: 'maybe' })])?.state).toBe('abandoned');
});
