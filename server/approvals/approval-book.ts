import type { HeldCall } from '#hooks-bridge/ports.ts';
import { recordOf } from '#lib/approvals/record.ts';
import type { FieldsOf } from '#lib/contract/event.ts';
import type { ApprovalRecord, ApprovalState } from '#lib/contract/http.ts';
import type { JournalRow, JournalStore } from '../store/journal-store.ts';
import type { CallPlace, Outbox } from './outbox.ts';

/** The three rows that end an approval; whichever is written first is the only one. */
const END_KINDS = ['approval:resolve', 'approval:expire', 'approval:abandon'] as const;
type EndKind = (typeof END_KINDS)[number];

/** What an approval's row says beside its subject. */
type EndFields<K extends EndKind> = Omit<FieldsOf<K>, 'approvalId'>;

/** The journal's side of approvals: who asked, who decided. */
export interface ApprovalBook {
	/** Resolves when the question is durable and told. */
	ask(id: string, held: HeldCall, deadline: string): Promise<void>;
	/** Resolves when the end is durable and told; null: another end was first, nothing was written. */
	end<K extends EndKind>(kind: K, id: string, place: CallPlace, fields: EndFields<K>): Promise<JournalRow | null>;
	get(id: string): ApprovalRecord | null;
	/** Newest first. */
	list(state: ApprovalState | undefined, limit: number): ApprovalRecord[];
}

/** How many requests are looked through for a list. */
const LIST_REACH = 2000;

export function createApprovalBook({ journal, outbox }: { journal: JournalStore; outbox: Outbox }): ApprovalBook {
	const recordFor = (id: string) => recordOf(journal.bySubject(id));

	return {
		async ask(id, held, deadline) {
			const { tool, input, inputDigest, denials, facts, permission } = held;
			const call = { approvalId: id, tool, input, inputDigest, denials, facts, deadline };
			const fields = permission ? { ...call, suggestions: permission.suggestions } : call;
			await outbox.write('approval:request', { id, subject: id, place: held, fields });
		},
		end<K extends EndKind>(kind: K, id: string, place: CallPlace, fields: EndFields<K>) {
			const whole = { approvalId: id, ...fields } as unknown as FieldsOf<K>;
			return outbox.write(kind, { subject: id, place, fields: whole }, END_KINDS);
		},
		get: recordFor,
		list(state, limit) {
			const found: ApprovalRecord[] = [];
			// The history of each is a question of its own to the journal, so no more are asked than are wanted.
			for (const { subject } of journal.byKind(['approval:request'], { limit: LIST_REACH }).reverse()) {
				if (found.length === limit) break;
				const record = recordFor(subject);
				if (record && (state === undefined || record.state === state)) found.push(record);
			}
			return found;
		},
	};
}
