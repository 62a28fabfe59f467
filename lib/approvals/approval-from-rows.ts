import * as z from 'zod';
import type { ApprovalRecord, HistoryRow } from '../contract/approvals/approval-record.ts';
import { approvalEvents } from '../contract/events/catalogue/approval.ts';
import { callTitle } from '../session/call.ts';
import { decidedState, decidedWith, questionFacts } from '../session/fold-approval.ts';

const RequestPayload = z.object({
	...approvalEvents['approval:request'],
	agentId: z.string().optional(),
	toolUseId: z.string().optional(),
});
const Resolved = z.object(approvalEvents['approval:resolve']);
const Abandoned = z.object(approvalEvents['approval:abandon']);

/** Folds an approval's journal rows, oldest first; null without a readable request. */
export function approvalFromRows(rows: readonly HistoryRow[]): ApprovalRecord | null {
	const first = rows.find((row) => row.kind === 'approval:request');
	const request = RequestPayload.safeParse(first?.payload);
	if (!first?.sessionId || !request.success) return null;
	const { approvalId, inputDigest: _digest, facts, ...fields } = request.data;
	const waiting: ApprovalRecord = {
		...fields,
		id: approvalId,
		state: 'waiting',
		sessionId: first.sessionId,
		title: callTitle(fields.tool, fields.input),
		...questionFacts(facts),
		requestedAt: first.ts,
	};
	const end = rows.find((row) => row !== first && row.kind.startsWith('approval:') && row.kind !== 'approval:late');
	if (!end) return waiting;
	const ended = { ...waiting, ...approvalEnd(end), decidedAt: end.ts };
	const isLate = ended.state === 'approved' && rows.some(({ kind }) => kind === 'approval:late');
	return isLate ? { ...ended, state: 'late' } : ended;
}

function approvalEnd(row: HistoryRow): Partial<ApprovalRecord> {
	switch (row.kind) {
		case 'approval:resolve': {
			const resolved = Resolved.safeParse(row.payload);
			if (!resolved.success) return { state: 'abandoned', reason: 'the journal row of the decision is unreadable' };
			return { state: decidedState[resolved.data.decision], ...decidedWith(resolved.data) };
		}
		case 'approval:expire':
			return { state: 'expired' };
		default: {
			const abandoned = Abandoned.safeParse(row.payload);
			return { state: 'abandoned', ...(abandoned.success && { reason: abandoned.data.reason }) };
		}
	}
}
