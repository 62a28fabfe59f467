import { randomUUID } from 'node:crypto';
import { fitEvent } from '#hooks-bridge/engine/record.ts';
import type { DeniedCall } from '#hooks-bridge/ports/denied-call.ts';
import type { Ports, SealedEvent } from '#hooks-bridge/ports/ports.ts';
import type { FieldsOf } from '#lib/contract/events/event.ts';
import { type EventType, typeFields } from '#lib/contract/events/event-labels.ts';
import type { Log } from '../process/log.ts';
import type { JournalKind, JournalRow, JournalStore } from '../timeline/store/journal-store.ts';

export type PublishedKind = JournalKind & EventType;

/** Which call a row is about; goes into every row, so that each timeline line finds its call. */
export type CallRef = Pick<DeniedCall, 'sessionId' | 'agentId' | 'toolUseId'>;

/** A row before it is written. `id` becomes the id of the timeline's line; a new one is made if absent. */
export interface PublishedDraft<K extends PublishedKind> {
	id?: string;
	subject: string;
	call: CallRef;
	fields: FieldsOf<K>;
}

const PAGE = 500;

/** Writes what people decided to the journal, and then to the timelines. */
export function createOutbox({ journal, ports, log }: { journal: JournalStore; ports: Ports; log: Log }) {
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
			await journal.markPublished(row.n);
		} catch (error) {
			behind = true;
			log.error('approvals: a decision is in the journal but could not be written to the timeline yet', error, {
				session: row.sessionId,
				kind: row.kind,
			});
		}
	}

	return {
		/** Resolves when the row is durable; null if a row of a kind in `unless` existed: nothing was written. */
		async write<K extends PublishedKind>(
			kind: K,
			{ id = randomUUID(), subject, call: callRef, fields }: PublishedDraft<K>,
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
		whenPublished: async () => void (await Promise.all(publishing)),
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
