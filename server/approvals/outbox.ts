import { randomUUID } from 'node:crypto';
import { fitEvent } from '#hooks-bridge/engine/record.ts';
import type { HeldCall, Ports, SealedEvent } from '#hooks-bridge/ports/ports.ts';
import type { FieldsOf } from '#lib/contract/events/event.ts';
import { categoryOf, type EventType, labelOf } from '#lib/contract/events/event-labels.ts';
import type { Log } from '../process/log.ts';
import type { JournalKind, JournalRow, JournalStore } from '../timeline/store/journal-store.ts';

/** The kinds of rows that the timelines are told of. */
export type ToldKind = JournalKind & EventType;

/** Which call a row is about; goes into every row, so that each timeline line finds its call. */
export type CallRef = Pick<HeldCall, 'sessionId' | 'agentId' | 'toolUseId'>;

/** A row before it is written. */
export interface ToldDraft<K extends ToldKind> {
	/** Becomes the id of the timeline's line; a fresh one where there is none. */
	id?: string;
	subject: string;
	place: CallRef;
	fields: FieldsOf<K>;
}

/** Writes what people decided to the journal and tells the timelines of it, for approvals and grants alike. */
export interface Outbox {
	/** Resolves when the row is durable; null: one of `unless` was first, nothing was written. */
	write<K extends ToldKind>(kind: K, draft: ToldDraft<K>, unless?: readonly JournalKind[]): Promise<JournalRow | null>;
	/** Tells the timelines what they do not have yet. A row that cannot be told now is told at the next call. */
	publishPending(): Promise<void>;
	/** Whether a row could not be told when it was written. */
	isBehind(): boolean;
	/** Resolves when nothing is being told any more. */
	whenSettled(): Promise<void>;
}

const PAGE = 500;

export function createOutbox(options: {
	journal: JournalStore;
	ports: Ports;
	/** Wakes the tail of a session that got a new line. */
	publishPoke: (sessionId: string) => void;
	log: Log;
}): Outbox {
	const { journal, ports, publishPoke, log } = options;
	const publishing = new Set<Promise<void>>();
	let behind = false;

	const publish = (row: JournalRow): Promise<void> => {
		const publication = tell(row).finally(() => publishing.delete(publication));
		publishing.add(publication);
		return publication;
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

	return {
		async write(kind, { id = randomUUID(), subject, place, fields }, unless) {
			const payload = fitPayload(kind, place, fields, ports);
			const row = await journal.append({ id, kind, subject, sessionId: place.sessionId, payload }, unless);
			if (row) void publish(row);
			return row;
		},
		async publishPending() {
			behind = false;
			let last = 0;
			for (;;) {
				const rows = journal.unpublished(PAGE);
				// A row that failed stays unpublished: without this check one bad session would loop for ever.
				const fresh = rows.filter((row) => row.n > last);
				if (fresh.length === 0) return;
				for (const row of fresh) await publish(row);
				last = fresh.at(-1)?.n ?? last;
			}
		},
		isBehind: () => behind,
		whenSettled: async () => void (await Promise.all(publishing)),
	};
}

/** The timeline line of a journal row: the row's id is the event's. */
function lineOf(row: JournalRow, sessionId: string): SealedEvent {
	const { id, ts, kind } = row;
	return { id, ts, type: kind, category: categoryOf(kind), label: labelOf(kind).en, sessionId, ...row.payload };
}

/** What is too large for a line goes to the session's blobs before the row is written. */
function fitPayload(type: EventType, place: CallRef, payload: object, ports: Ports): Record<string, unknown> {
	const { sessionId, agentId, toolUseId } = place;
	const envelope = { id: '', ts: '', type, category: '', label: '', sessionId };
	const call = { ...(agentId && { agentId }), ...(toolUseId && { toolUseId }) };
	const line = fitEvent({ ...envelope, ...call, ...payload }, ports);
	const { id: _i, ts: _t, type: _y, category: _c, label: _l, sessionId: _s, ...fields } = line;
	return fields;
}
