import { nodeCrypto } from '#hooks-bridge/disk/node-crypto.ts';
import { timelineBytes } from '#hooks-bridge/disk/timeline-files.ts';
import type { SealedEvent } from '#hooks-bridge/ports/ports.ts';
import { categoryOf, labelOf } from '#lib/contract/events/event-labels.ts';

/** What is kept at most, in bytes of lines: some 30,000 events. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Lines that wait for a disk that takes them again. */
export interface Unwritten {
	/** How many wait. */
	kept: number;
	/** How many had no room in memory either; each session's own number is told in its timeline. */
	lost: number;
	/** The system's word for it; undefined where nothing waits. */
	why: string | undefined;
}

interface KeptSession {
	/** Texts of blobs, which the lines name. */
	blobs: string[];
	events: SealedEvent[];
	ids: Set<string>;
	lost: number;
}

/** Keeps the lines that a disk does not take, in order and within bounds, until it does. */
export class KeptLines {
	readonly #sessions = new Map<string, KeptSession>();
	readonly #changed: (unwritten: Unwritten) => void;
	readonly #mostBytes: number;
	#bytes = 0;
	#lost = 0;
	#why: string | undefined;

	readonly #writeBlob: (sessionId: string, text: string) => void;

	/** `changed` is told whenever other lines wait; `writeBlob` throws as `write` of `writeFirst` does. */
	constructor(
		changed: (unwritten: Unwritten) => void,
		writeBlob: (sessionId: string, text: string) => void,
		mostBytes = MOST_BYTES,
	) {
		this.#writeBlob = writeBlob;
		this.#changed = changed;
		this.#mostBytes = mostBytes;
	}

	/** The sessions of which something waits. */
	sessions(): string[] {
		return [...this.#sessions.keys()];
	}

	/** Keeps lines that could not be written because of `why`; what is kept or lost already is not counted again. */
	keep(sessionId: string, events: readonly SealedEvent[], why: unknown): void {
		const kept = this.#keptOf(sessionId, why);
		for (const event of events.filter(({ id }) => !kept.ids.has(id))) {
			// That a hook could not be handled is said by these lines themselves, once they are written.
			if (event.type === 'system:warning' && event.code === 'hook/failed') continue;
			kept.ids.add(event.id);
			const bytes = timelineBytes([event]).length;
			if (this.#bytes + bytes > this.#mostBytes) {
				kept.lost += 1;
				this.#lost += 1;
				continue;
			}
			this.#bytes += bytes;
			kept.events.push(event);
		}
		this.#tell();
	}

	/** Keeps the bytes of a blob, before the line that names it. Throws `why` where memory holds no more. */
	keepBlob(sessionId: string, text: string, why: unknown): void {
		const bytes = Buffer.byteLength(text);
		if (this.#bytes + bytes > this.#mostBytes) throw why;
		this.#bytes += bytes;
		this.#keptOf(sessionId, why).blobs.push(text);
		this.#tell();
	}

	/** Writes what waits of a session by `write`, which throws where the disk still takes nothing. */
	writeFirst(sessionId: string, write: (events: readonly SealedEvent[]) => void): void {
		const kept = this.#sessions.get(sessionId);
		if (!kept) return;
		for (let text = kept.blobs[0]; text !== undefined; text = kept.blobs[0]) {
			this.#writeBlob(sessionId, text);
			kept.blobs.shift();
			this.#bytes -= Buffer.byteLength(text);
		}
		const events = kept.lost > 0 ? [...kept.events, this.#lossOf(sessionId, kept.lost)] : kept.events;
		if (events.length > 0) write(events);
		this.#sessions.delete(sessionId);
		this.#bytes -= timelineBytes(kept.events).length;
		this.#tell();
	}

	#keptOf(sessionId: string, why: unknown): KeptSession {
		this.#why = String((why as NodeJS.ErrnoException).code);
		const kept = this.#sessions.get(sessionId) ?? { blobs: [], events: [], ids: new Set<string>(), lost: 0 };
		this.#sessions.set(sessionId, kept);
		return kept;
	}

	#lossOf(sessionId: string, lost: number): SealedEvent {
		const type = 'system:warning';
		return {
			id: nodeCrypto().randomUUID(),
			ts: new Date().toISOString(),
			type,
			category: categoryOf(type),
			label: labelOf(type).en,
			sessionId,
			code: 'disk/full',
			message: `${lost} events of this session are lost: the disk took no lines (${this.#why}), and more waited than memory holds.`,
		};
	}

	#tell(): void {
		const kept = [...this.#sessions.values()].reduce((sum, { events }) => sum + events.length, 0);
		this.#changed({ kept, lost: this.#lost, why: this.#sessions.size > 0 ? this.#why : undefined });
	}
}
