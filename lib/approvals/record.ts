import * as z from 'zod';
import { approvalEvents, Decider, Denial } from '../contract/catalogue/approval.ts';
import { ApprovalState } from '../contract/http.ts';
import { ApprovalId, SessionId, Timestamp } from '../contract/ids.ts';

const request = approvalEvents['approval:request'];
const resolve = approvalEvents['approval:resolve'];

/** One approval as `/api/approvals` tells it: what was asked, and how it ended. */
export const ApprovalRecord = z.object({
	id: ApprovalId,
	state: ApprovalState,
	sessionId: SessionId,
	agentId: z.string().optional(),
	toolUseId: z.string().optional(),
	tool: request.tool,
	input: request.input,
	inputDigest: request.inputDigest,
	denials: request.denials,
	facts: request.facts,
	requestedAt: Timestamp,
	deadline: request.deadline,
	/** When it stopped waiting, however it ended. */
	endedAt: Timestamp.optional(),
	by: Decider.optional(),
	reason: z.string().optional(),
	updatedInput: resolve.updatedInput,
	standing: Denial.optional(),
});
export type ApprovalRecord = z.infer<typeof ApprovalRecord>;

/** A journal row as far as an approval's history needs it. */
export interface HistoryRow {
	kind: string;
	ts: string;
	sessionId?: string;
	payload: Record<string, unknown>;
}

const Asked = z.object({ ...request, agentId: z.string().optional(), toolUseId: z.string().optional() });
const Resolved = z.object(resolve);

/** Folds the history of one approval, oldest row first. Null when no readable request is among the rows. */
export function recordOf(rows: readonly HistoryRow[]): ApprovalRecord | null {
	const first = rows.find((row) => row.kind === 'approval:request');
	const asked = Asked.safeParse(first?.payload);
	if (!first?.sessionId || !asked.success) return null;
	const { approvalId, ...fields } = asked.data;
	const record: ApprovalRecord = {
		...fields,
		id: approvalId,
		state: 'waiting',
		sessionId: first.sessionId,
		requestedAt: first.ts,
	};
	const end = rows.find((row) => row.kind.startsWith('approval:') && row.kind !== 'approval:request');
	return end ? ended(record, end) : record;
}

function ended(record: ApprovalRecord, row: HistoryRow): ApprovalRecord {
	if (row.kind === 'approval:expire') return { ...record, state: 'expired', endedAt: row.ts };
	if (row.kind === 'approval:abandon') {
		const { reason } = row.payload;
		return { ...record, state: 'abandoned', endedAt: row.ts, reason: typeof reason === 'string' ? reason : undefined };
	}
	const resolved = Resolved.safeParse(row.payload);
	if (!resolved.success) return record;
	const { decision, approvalId: _, ...rest } = resolved.data;
	const state = { approve: 'approved', deny: 'denied', answer: 'answered' } as const;
	return { ...record, ...rest, state: state[decision], endedAt: row.ts };
}
