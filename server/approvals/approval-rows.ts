import * as z from 'zod';
import type { DeniedCall } from '#hooks-bridge/ports/denied-call.ts';
import { approvalFromRows } from '#lib/approvals/approval-from-rows.ts';
import type { ApprovalRecord, ApprovalState } from '#lib/contract/approvals/approval-record.ts';
import { approvalEvents } from '#lib/contract/events/catalogue/approval.ts';
import type { FieldsOf } from '#lib/contract/events/event.ts';
import { isSameQuestion } from '#lib/grants/covers.ts';
import { SERVER_RESTARTED } from '#lib/session/call.ts';
import type { JournalRow, JournalStore } from '../timeline/store/journal-store.ts';
import type { CallRef, Outbox } from './outbox.ts';

/** The three rows that end an approval; the first one written wins. */
const END_KINDS = ['approval:resolve', 'approval:expire', 'approval:abandon'] as const;

type EndKind = (typeof END_KINDS)[number];

/** How many requests are searched for a state, for similar ones, and at the start. */
const LIST_REACH = 2000;

const SIMILAR_REACH = 500;

const LEFT_OVER_REACH = 10_000;

const Denied = z.object({ denials: approvalEvents['approval:request'].denials });

export function createApprovalRows({ journal, outbox }: { journal: JournalStore; outbox: Outbox }) {
	function get(id: string): ApprovalRecord | null {
		const record = approvalFromRows(journal.bySubject(id));
		return record?.id === id ? record : null;
	}
	const newest = (limit: number) => journal.byKind(['approval:request'], { limit }).reverse();

	/** Each record is a query, so no more are read than needed. */
	function readRecords(requests: readonly JournalRow[], state: ApprovalState | undefined, limit: number) {
		const records: ApprovalRecord[] = [];
		for (const { subject } of requests) {
			if (records.length === limit) break;
			const record = get(subject);
			if (record && (state === undefined || record.state === state)) records.push(record);
		}
		return records;
	}

	/** Null if another row had ended the approval before: nothing was written. */
	function end<K extends EndKind>(kind: K, id: string, callRef: CallRef, fields: Omit<FieldsOf<K>, 'approvalId'>) {
		const whole = { approvalId: id, ...fields } as unknown as FieldsOf<K>;
		return outbox.write(kind, { subject: id, call: callRef, fields: whole }, END_KINDS);
	}

	return {
		get,
		end,
		async ask(id: string, held: DeniedCall, deadline: string): Promise<void> {
			const { tool, input, inputDigest, denials, facts, permission } = held;
			const call = { approvalId: id, tool, input, inputDigest, denials, facts, deadline };
			const fields = permission ? { ...call, suggestions: permission.suggestions } : call;
			await outbox.write('approval:request', { id, subject: id, call: held, fields });
		},
		/** Records once that an approval reached no agent; does nothing for other decisions. */
		async endLate(id: string): Promise<void> {
			const record = get(id);
			if (record?.state !== 'approved') return;
			const kind = 'approval:late';
			await outbox.write(kind, { subject: id, call: record, fields: { approvalId: id } }, [kind]);
		},
		async abandonLeftOver(isOpen: (id: string) => boolean): Promise<void> {
			for (const { subject } of journal.byKind(['approval:request'], { limit: LEFT_OVER_REACH })) {
				const left = get(subject);
				if (left?.state !== 'waiting' || isOpen(subject)) continue;
				await end('approval:abandon', subject, left, { reason: SERVER_RESTARTED });
			}
		},
		list: (state: ApprovalState | undefined, limit: number) =>
			readRecords(newest(state === undefined ? limit : LIST_REACH), state, limit),
		similar(held: ApprovalRecord, state: ApprovalState | undefined, limit: number): ApprovalRecord[] {
			// The request is compared first: of hundreds few are alike.
			const alike = newest(SIMILAR_REACH).filter(({ subject: id, payload }) =>
				isSameQuestion(held, { id, denials: Denied.safeParse(payload).data?.denials ?? [] }),
			);
			return readRecords(alike, state, limit);
		},
	};
}
