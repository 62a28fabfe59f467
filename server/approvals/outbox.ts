import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { fitEvent } from '#hooks-bridge/engine/record.ts';
import type { HeldCall, Ports, SealedEvent } from '#hooks-bridge/ports/ports.ts';
import { recordOf } from '#lib/approvals/record.ts';
import type { ApprovalRecord, ApprovalState } from '#lib/contract/approvals/approval-record.ts';
import { approvalEvents } from '#lib/contract/events/catalogue/approval.ts';
import type { FieldsOf } from '#lib/contract/events/event.ts';
import { type EventType, typeFields } from '#lib/contract/events/event-labels.ts';
import { isSameQuestion } from '#lib/grants/covers.ts';
import { SERVER_RESTARTED } from '#lib/session/call.ts';
import type { Log } from '../process/log.ts';
import type { JournalKind, JournalRow, JournalStore } from '../timeline/store/journal-store.ts';

export type PublishedKind = JournalKind & EventType;

/** Which call a row is about; goes into every row, so that each timeline line finds its call. */
export type CallRef = Pick<HeldCall, 'sessionId' | 'agentId' | 'toolUseId'>;

/** A row before it is written. `id` becomes the id of the timeline's line; a new one is made if absent. */
export interface PublishedDraft<K extends PublishedKind> {
	id?: string;
	subject: string;
	place: CallRef;
	fields: FieldsOf<K>;
}

const PAGE = 500;

/** Writes what people decided to the journal, and then to the timelines. `wakeTail` wakes a session's tail. */
export function createOutbox(options: {
	journal: JournalStore;
	ports: Ports;
	wakeTail: (sessionId: string) => void;
	log: Log;
}) {
	const { journal, ports, wakeTail, log } = options;
	const publishing = new Set<Promise<void>>();
	let behind = false;

	function publish(row: JournalRow): Promise<void> {
		const publication = appendRow(row).finally(() => publishing.delete(publication));
		publishing.add(publication);
		return publication;
	}

	async function appendRow(row: JournalRow): Promise<void> {
		if (row.sessionId === undefined) return;
		try {
			ports.append(row.sessionId, [timelineLine(row, row.sessionId)]);
			wakeTail(row.sessionId);
			await journal.markPublished(row.n);
		} catch (error) {
			behind = true;
			log.error('approvals: a decision is in the journal but could not be told to the timeline yet', error, {
				session: row.sessionId,
				kind: row.kind,
			});
		}
	}

	return {
		/** Resolves when the row is durable; null if a row of a kind in `unless` existed: nothing was written. */
		async write<K extends PublishedKind>(
			kind: K,
			{ id = randomUUID(), subject, place: callRef, fields }: PublishedDraft<K>,
			unless?: readonly JournalKind[],
		): Promise<JournalRow | null> {
			const payload = fitPayload(kind, callRef, fields, ports);
			const row = await journal.append({ id, kind, subject, sessionId: callRef.sessionId, payload }, unless);
			if (row) void publish(row);
			return row;
		},
		/** Writes rows to the timelines that lack them. A row that fails is retried at the next call. */
		async publishPending(): Promise<void> {
			behind = false;
			let last = 0;
			for (;;) {
				// A failed row stays unpublished: without this check one bad session would cause an endless loop.
				const fresh = journal.unpublished(PAGE).filter((row) => row.n > last);
				if (fresh.length === 0) return;
				for (const row of fresh) await publish(row);
				last = fresh.at(-1)?.n ?? last;
			}
		},
		isBehind: () => behind,
		whenSettled: async () => void (await Promise.all(publishing)),
	};
}

export type Outbox = ReturnType<typeof createOutbox>;

function timelineLine(row: JournalRow, sessionId: string): SealedEvent {
	const { id, ts, kind } = row;
	return { id, ts, ...typeFields(kind), sessionId, ...row.payload };
}

/** Values too large for a line are stored as blobs before the row is written. */
function fitPayload(type: EventType, owner: CallRef, payload: object, ports: Ports): Record<string, unknown> {
	const { sessionId, agentId, toolUseId } = owner;
	const envelope = { id: '', ts: '', type, category: '', label: '', sessionId };
	const call = { ...(agentId && { agentId }), ...(toolUseId && { toolUseId }) };
	const line = fitEvent({ ...envelope, ...call, ...payload }, ports);
	const { id: _i, ts: _t, type: _y, category: _c, label: _l, sessionId: _s, ...fields } = line;
	return fields;
}

/** The three rows that end an approval; the first one written wins. */
const END_KINDS = ['approval:resolve', 'approval:expire', 'approval:abandon'] as const;

type EndKind = (typeof END_KINDS)[number];

/** How many requests are searched for a state or for similar ones, and at the start. */
const LIST_REACH = 2000;

const SIMILAR_REACH = 500;

const LEFT_OVER_REACH = 10_000;

const Denied = z.object({ denials: approvalEvents['approval:request'].denials });

/** The rows of approvals in the journal. */
export function createApprovalJournal({ journal, outbox }: { journal: JournalStore; outbox: Outbox }) {
	function get(id: string): ApprovalRecord | null {
		const record = recordOf(journal.bySubject(id));
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
		return outbox.write(kind, { subject: id, place: callRef, fields: whole }, END_KINDS);
	}

	return {
		get,
		end,
		async ask(id: string, held: HeldCall, deadline: string): Promise<void> {
			const { tool, input, inputDigest, denials, facts, permission } = held;
			const call = { approvalId: id, tool, input, inputDigest, denials, facts, deadline };
			const fields = permission ? { ...call, suggestions: permission.suggestions } : call;
			await outbox.write('approval:request', { id, subject: id, place: held, fields });
		},
		/** Records once that an approval reached no agent; does nothing for other decisions. */
		async endLate(id: string): Promise<void> {
			const record = get(id);
			if (record?.state !== 'approved') return;
			const kind = 'approval:late';
			await outbox.write(kind, { subject: id, place: record, fields: { approvalId: id } }, [kind]);
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
