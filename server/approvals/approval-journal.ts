import * as z from 'zod';
import type { HeldCall } from '#hooks-bridge/ports/ports.ts';
import { recordOf } from '#lib/approvals/record.ts';
import { isSameQuestion } from '#lib/approvals/same-question.ts';
import type { ApprovalRecord, ApprovalState } from '#lib/contract/approvals/approval-record.ts';
import { approvalEvents } from '#lib/contract/events/catalogue/approval.ts';
import type { FieldsOf } from '#lib/contract/events/event.ts';
import { SERVER_RESTARTED } from '#lib/session/call.ts';
import type { JournalRow, JournalStore } from '../timeline/store/journal-store.ts';
import type { CallRef, Outbox } from './outbox.ts';

/** The three rows that end an approval; whichever is written first is the only one. */
const END_KINDS = ['approval:resolve', 'approval:expire', 'approval:abandon'] as const;
type EndKind = (typeof END_KINDS)[number];

/** What an approval's row says beside its subject. */
type EndFields<K extends EndKind> = Omit<FieldsOf<K>, 'approvalId'>;

/** The journal's side of approvals: who asked, who decided. */
export interface ApprovalJournal {
	/** Resolves when the question is durable and told. */
	ask(id: string, held: HeldCall, deadline: string): Promise<void>;
	/** Resolves when the end is durable and told; null: another end was first, nothing was written. */
	end<K extends EndKind>(kind: K, id: string, place: CallRef, fields: EndFields<K>): Promise<JournalRow | null>;
	/** Tells of an approval that it reached no agent, once; nothing of what was decided otherwise. */
	endLate(id: string): Promise<void>;
	/** Closes what a former server left waiting: whatever `isOpen` does not know. */
	abandonLeftOver(isOpen: (id: string) => boolean): Promise<void>;
	get(id: string): ApprovalRecord | null;
	/** Newest first. */
	list(state: ApprovalState | undefined, limit: number): ApprovalRecord[];
	/** Those that asked the same question, newest first. */
	similar(asked: ApprovalRecord, state: ApprovalState | undefined, limit: number): ApprovalRecord[];
}

/** How many requests are looked through for those of one state, and for similar ones. */
const LIST_REACH = 2000;
const SIMILAR_REACH = 500;
const LEFT_OVER_REACH = 10_000;

const Denied = z.object({ denials: approvalEvents['approval:request'].denials });

export function createApprovalJournal({ journal, outbox }: { journal: JournalStore; outbox: Outbox }): ApprovalJournal {
	const recordFor = (id: string) => recordOf(journal.bySubject(id));
	const newest = (limit: number) => journal.byKind(['approval:request'], { limit }).reverse();
	/** The history of each is a question of its own to the journal, so no more are asked than are wanted. */
	const recordsOf = (requests: readonly JournalRow[], state: ApprovalState | undefined, limit: number) => {
		const records: ApprovalRecord[] = [];
		for (const { subject } of requests) {
			if (records.length === limit) break;
			const record = recordFor(subject);
			if (record && (state === undefined || record.state === state)) records.push(record);
		}
		return records;
	};

	return {
		async ask(id, held, deadline) {
			const { tool, input, inputDigest, denials, facts, permission } = held;
			const call = { approvalId: id, tool, input, inputDigest, denials, facts, deadline };
			const fields = permission ? { ...call, suggestions: permission.suggestions } : call;
			await outbox.write('approval:request', { id, subject: id, place: held, fields });
		},
		end<K extends EndKind>(kind: K, id: string, place: CallRef, fields: EndFields<K>) {
			const whole = { approvalId: id, ...fields } as unknown as FieldsOf<K>;
			return outbox.write(kind, { subject: id, place, fields: whole }, END_KINDS);
		},
		async endLate(id) {
			const record = recordFor(id);
			if (record?.state !== 'approved') return;
			await outbox.write('approval:late', { subject: id, place: record, fields: { approvalId: id } }, [
				'approval:late',
			]);
		},
		async abandonLeftOver(isOpen) {
			for (const { subject } of journal.byKind(['approval:request'], { limit: LEFT_OVER_REACH })) {
				const left = recordFor(subject);
				if (left?.state !== 'waiting' || isOpen(subject)) continue;
				await this.end('approval:abandon', subject, left, { reason: SERVER_RESTARTED });
			}
		},
		get: recordFor,
		list: (state, limit) => recordsOf(newest(state === undefined ? limit : LIST_REACH), state, limit),
		similar(asked, state, limit) {
			// Held against the request itself: of hundreds few are alike.
			const alike = newest(SIMILAR_REACH).filter(({ subject: id, payload }) =>
				isSameQuestion(asked, { id, denials: Denied.safeParse(payload).data?.denials ?? [] }),
			);
			return recordsOf(alike, state, limit);
		},
	};
}
