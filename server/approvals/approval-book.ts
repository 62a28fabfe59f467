import { randomUUID } from 'node:crypto';
import { fitEvent } from '#hooks-bridge/fit-event.ts';
import type { HeldCall, Ports, SealedEvent } from '#hooks-bridge/ports.ts';
import { recordOf } from '#lib/approvals/record.ts';
import type { FieldsOf } from '#lib/contract/event.ts';
import type { EventType } from '#lib/contract/event-labels.ts';
import { categoryOf, labelOf } from '#lib/contract/event-labels.ts';
import type { ApprovalRecord, ApprovalState } from '#lib/contract/http.ts';
import type { Log } from '../log.ts';
import type { JournalRow, JournalStore } from '../store/journal-store.ts';

/** The three rows that end an approval; whichever is written first is the only one. */
export const END_KINDS = ['approval:resolve', 'approval:expire', 'approval:abandon'] as const;
export type EndKind = (typeof END_KINDS)[number];

/** What an approval's row says beside its subject. */
export type EndFields<K extends EndKind> = Omit<FieldsOf<K>, 'approvalId'>;

/** Which call an approval is about; goes into every row, so that each timeline line finds its call. */
export type CallPlace = Pick<HeldCall, 'sessionId' | 'agentId' | 'toolUseId'>;

/** The journal's side of approvals: who asked, who decided; published to the timelines from the outbox. */
export interface ApprovalBook {
	/** Resolves when the question is durable and told. */
	ask(id: string, held: HeldCall, deadline: string): Promise<void>;
	/** Resolves when the end is durable and told; null: another end was first, nothing was written. */
	end<K extends EndKind>(kind: K, id: string, place: CallPlace, fields: EndFields<K>): Promise<JournalRow | null>;
	get(id: string): ApprovalRecord | null;
	/** Newest first. */
	list(state: ApprovalState | undefined, limit: number): ApprovalRecord[];
	/** Tells the timelines what they do not have yet. A row that cannot be told now is told at the next call. */
	publishPending(): Promise<void>;
	/** Whether a row could not be told when it was written. */
	isBehind(): boolean;
	/** Resolves when nothing is being told any more. */
	settled(): Promise<void>;
}

/** How many requests are looked through for a list. */
const LIST_REACH = 2000;
const OUTBOX_PAGE = 500;

/** The timeline line of a journal row: the row's id is the event's. */
function lineOf(row: JournalRow, sessionId: string): SealedEvent {
	const { id, ts, kind } = row;
	return { id, ts, type: kind, category: categoryOf(kind), label: labelOf(kind).en, sessionId, ...row.payload };
}

export function createApprovalBook(options: {
	journal: JournalStore;
	ports: Ports;
	/** Wakes the tail of a session that got a new line. */
	publishPoke: (sessionId: string) => void;
	log: Log;
}): ApprovalBook {
	const { journal, ports, publishPoke, log } = options;

	const publishing = new Set<Promise<void>>();
	let behind = false;

	const publish = (row: JournalRow): Promise<void> => {
		const told = tell(row).finally(() => publishing.delete(told));
		publishing.add(told);
		return told;
	};

	const tell = async (row: JournalRow): Promise<void> => {
		if (row.sessionId === undefined) return;
		try {
			ports.append(row.sessionId, [lineOf(row, row.sessionId)]);
			publishPoke(row.sessionId);
			await journal.markPublished(row.n);
		} catch (error) {
			behind = true;
			log.error('approvals: a decision is in the journal but could not be told to the timeline yet', error, {
				session: row.sessionId,
				kind: row.kind,
			});
		}
	};

	/** What is too large for a line goes to the session's blobs before the row is written. */
	const fitted = (type: EventType, place: CallPlace, payload: Record<string, unknown>): Record<string, unknown> => {
		const { sessionId, agentId, toolUseId } = place;
		const envelope = { id: '', ts: '', type, category: '', label: '', sessionId };
		const line = fitEvent(
			{ ...envelope, ...(agentId && { agentId }), ...(toolUseId && { toolUseId }), ...payload },
			ports,
		);
		const { id: _i, ts: _t, type: _y, category: _c, label: _l, sessionId: _s, ...fields } = line;
		return fields;
	};

	const recordFor = (id: string) => recordOf(journal.bySubject(id));

	return {
		async ask(id, held, deadline) {
			const { sessionId, tool, input, inputDigest, denials, facts } = held;
			const asked: FieldsOf<'approval:request'> = {
				approvalId: id,
				tool,
				input,
				inputDigest,
				denials,
				facts,
				deadline,
			};
			const payload = fitted('approval:request', held, asked);
			const row = await journal.append({ id, kind: 'approval:request', subject: id, sessionId, payload });
			if (row) void publish(row);
		},
		async end(kind, id, place, fields) {
			const payload = fitted(kind, place, { approvalId: id, ...fields });
			const draft = { id: randomUUID(), kind, subject: id, sessionId: place.sessionId, payload };
			const row = await journal.append(draft, END_KINDS);
			if (row) void publish(row);
			return row;
		},
		get: recordFor,
		list(state, limit) {
			const found: ApprovalRecord[] = [];
			for (const row of journal.byKind(['approval:request'], { limit: LIST_REACH })) {
				const record = recordFor(row.subject);
				if (record && (state === undefined || record.state === state)) found.push(record);
			}
			return found.sort((a, b) => (a.requestedAt < b.requestedAt ? 1 : -1)).slice(0, limit);
		},
		async publishPending() {
			behind = false;
			let last = 0;
			for (;;) {
				const rows = journal.unpublished(OUTBOX_PAGE);
				// A row that failed stays unpublished: without this check one bad session would loop for ever.
				const fresh = rows.filter((row) => row.n > last);
				if (fresh.length === 0) return;
				for (const row of fresh) await publish(row);
				last = fresh.at(-1)?.n ?? last;
			}
		},
		isBehind: () => behind,
		settled: async () => void (await Promise.all(publishing)),
	};
}
