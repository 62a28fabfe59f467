import { closeSync } from 'node:fs';
import type * as z from 'zod';
import type { EdgeLevel } from '#lib/contract/approvals/approval-record.ts';
import {
	type Command,
	type CommandResult,
	type EdgeFrameType,
	type edgeFrames,
	FEATURES_A_FRAME,
	type HubFrame,
	SESSIONS_A_FRAME,
} from '#lib/contract/hub/hub-wire.ts';
import { decodeHubFrame, encodeEdgeFrame } from '#lib/hub/frame.ts';
import { packBody } from '../hub-protocol/pack-body.ts';
import { signHello } from '../hub-protocol/signatures.ts';
import type { JournalReader } from './journal-reader.ts';
import type { HubLease } from './open-tickets.ts';
import { matchesHub, newPushedSession, nextRange, type PushedSession } from './push-session.ts';
import type { CommandRunner } from './run-commands.ts';
import type { SharedFeatures } from './shared-features.ts';
import type { SharedSessions } from './shared-sessions.ts';

/** A backlog takes at most half of the credit, so that live lines never wait behind it. */
const BACKLOG_SHARE = 0.5;

/** One connection of an edge to its hub. Journal rows are sent first: a line that needs one would stay unverified. */
export class PushConnection {
	readonly #parts: PushParts;
	readonly #sendBytes: (data: Uint8Array) => void;
	readonly #sessions = new Map<string, PushedSession>();
	readonly #late: ReturnType<typeof createLateness>;
	readonly #features: ReturnType<typeof createFeaturePush>;
	readonly #awaited = new Set<string>();
	readonly #results: CommandResult[] = [];
	#unannounced: string[] = [];
	#welcomed = false;
	#credit = 0;
	#inFlight = 0;
	#journalSent = 0;
	#journalAt = 0;
	#slowUntil = 0;
	#sentTickets = '';

	constructor(parts: PushParts, sendBytes: (data: Uint8Array) => void) {
		this.#parts = parts;
		this.#sendBytes = sendBytes;
		this.#late = createLateness(parts.now);
		this.#features = createFeaturePush(parts.features, (...frame) => this.#send(...frame));
	}

	get welcomed(): boolean {
		return this.#welcomed;
	}

	/** Results of commands that are still running are sent over the next connection. */
	stop(): void {
		this.#welcomed = false;
	}

	/** Returns why the hub's bytes are not a frame; null if they are one. */
	receive(data: Uint8Array): string | null {
		const frame = decodeHubFrame(data);
		if ('bad' in frame) return frame.bad;
		this.#handleFrame(frame);
		return null;
	}

	pushNewLines(sessionId: string): void {
		if (!this.#welcomed) return;
		const session = this.#sessions.get(sessionId);
		if (!session) return this.#announceSessions([sessionId], true);
		const file = this.#parts.shared.open(sessionId);
		if (!file) return;
		session.size = file.size;
		closeSync(file.fd);
		session.live = true;
		this.#late.grew(sessionId, session.size);
		if (session.size < session.sent) return this.#announceSessions([sessionId], true);
		this.#pump();
	}

	sendTickets(): void {
		if (this.#welcomed) this.#sendNextFrames();
	}

	async announceFeatures(): Promise<void> {
		if (this.#welcomed) await this.#features.announceChanged();
	}

	behind(): number {
		const bytes = [...this.#sessions.values()].reduce((sum, { size, offset }) => sum + size - (offset ?? 0), 0);
		// Of sessions not announced yet the size is unknown, but not zero.
		const waitingSessions = this.#unannounced.length + this.#awaited.size;
		return bytes + waitingSessions + (this.#journalSent - this.#journalAt) + this.#features.behind();
	}

	/** Asks whether acknowledged ranges are on the hub's disk; false if there is nothing to ask about. */
	confirm(): boolean {
		const [first] = this.#sessions.values();
		if (!first) return false;
		// The hub answers after it has committed everything before.
		this.status();
		this.#announceSessions([first.id], first.live);
		return this.#awaited.has(first.id);
	}

	status(): void {
		if (!this.#welcomed) return;
		const { level, now } = this.#parts;
		const how = { behind: this.behind(), lateMs: this.#late.lateMs(), sessions: this.#sessions.size, level: level() };
		this.#send('status', { ...how, at: new Date(now()).toISOString() });
	}

	#send<T extends EdgeFrameType>(type: T, header: z.input<(typeof edgeFrames)[T]>, body?: Uint8Array) {
		this.#sendBytes(encodeEdgeFrame(type, header, body));
	}

	#sayHello(nonce: string) {
		const { edge, version, wire, privateKey, origin, counter } = this.#parts;
		const hello = {
			edge,
			wire,
			counter: counter(),
			journal: this.#parts.journal.head(),
			version,
			level: this.#parts.level(),
		};
		this.#send('hello', signHello(hello, origin, nonce, privateKey));
	}

	#begin({ counter, journal: kept, credit: given }: Extract<HubFrame, { type: 'welcome' }>['header']) {
		this.#parts.storeCounter(counter);
		this.#welcomed = true;
		this.#credit = given;
		this.#journalSent = kept;
		this.#journalAt = kept;
		this.#unannounced = this.#parts.shared.all();
		this.#sendNextFrames();
	}

	/** Journal rows, then sessions, then ranges; of the first two one page at a time. */
	#sendNextFrames() {
		if (!this.#sendJournal()) return;
		this.#sendTickets();
		for (const result of this.#results.splice(0)) this.#send('result', result);
		while (this.#unannounced.length > 0 && this.#awaited.size === 0)
			this.#announceSessions(this.#unannounced.splice(0, SESSIONS_A_FRAME), false);
		this.#pump();
	}

	#sendJournal(): boolean {
		const last = this.#parts.journal.head()?.n ?? 0;
		if (last > this.#journalSent && this.#journalSent === this.#journalAt) {
			const lines = this.#parts.journal.page(this.#journalSent, {
				isShared: this.#parts.shared.isShared,
				content: this.#parts.content,
			});
			const text = Buffer.from(JSON.stringify(lines));
			this.#send('journal', { bytes: text.length }, packBody(text));
			this.#journalSent = lines.at(-1)?.n ?? this.#journalSent;
		}
		return this.#journalSent >= last;
	}

	/** Sent after their journal rows and before any range, so that a question in the story already has its ticket. */
	#sendTickets() {
		const state = this.#parts.tickets.currentFrame();
		const text = JSON.stringify([state.grants, state.open.map(({ id, nonce }) => [id, nonce])]);
		if (text === this.#sentTickets) return;
		this.#sentTickets = text;
		this.#send('ticket', state);
	}

	/** Ranges in flight are void once the session is announced again: their credit is returned and they are sent again. */
	#resetRange(session: PushedSession) {
		const { sent, offset = sent } = session;
		this.#inFlight -= sent - offset;
		session.sent = offset;
	}

	#announceSessions(ids: readonly string[], live: boolean, rewritten?: string) {
		const announced = [];
		for (const id of ids) {
			const file = this.#parts.shared.open(id);
			if (!file) continue;
			const { size, birth, fd } = file;
			const before = this.#sessions.get(id);
			if (before) this.#resetRange(before);
			this.#sessions.set(id, {
				...newPushedSession(file, live || before?.live === true),
				position: before?.position ?? 0,
			});
			this.#awaited.add(id);
			this.#late.grew(id, size);
			announced.push({ id, size, birth, ...(rewritten !== undefined && { rewritten }) });
			closeSync(fd);
		}
		if (announced.length > 0) this.#send('sessions', { sessions: announced });
	}

	#acceptPosition({ session: id, turn: position, offset, digest }: Extract<HubFrame, { type: 'at' }>['header']) {
		this.#awaited.delete(id);
		const session = this.#sessions.get(id);
		if (session) this.#resetRange(session);
		const file = session && this.#parts.shared.open(id);
		if (!session || !file) return this.#sendNextFrames();
		const isOurs = matchesHub(file, { offset, digest });
		const { inode, size } = file;
		closeSync(file.fd);
		if (!isOurs) return this.#announceSessions([id], session.live, digest);
		Object.assign(session, { position, offset, sent: offset, sentDigest: digest, inode, size });
		this.#late.has(id, offset);
		this.#sendNextFrames();
	}

	#handleAck({ session: id, turn: position, to }: Extract<HubFrame, { type: 'ack' }>['header']) {
		const session = this.#sessions.get(id);
		if (!session || session.position !== position || session.offset === undefined) return;
		this.#inFlight -= to - session.offset;
		session.offset = to;
		this.#late.has(id, to);
		this.#pump();
	}

	#runCommand(command: Command) {
		void this.#parts.commands.runOnce(command).then((result) => {
			if (!this.#welcomed) return;
			this.#results.push(result);
			this.#sendNextFrames();
		});
	}

	#slowDown(ms: number) {
		this.#slowUntil = this.#parts.now() + ms;
		setTimeout(() => this.#pump(), ms + 1).unref();
	}

	#pump() {
		if (!this.#welcomed || this.#parts.now() < this.#slowUntil) return;
		this.#pumpUpTo(this.#credit, true);
		this.#pumpUpTo(this.#credit * BACKLOG_SHARE, false);
	}

	#pumpUpTo(most: number, live: boolean) {
		for (const session of this.#sessions.values()) {
			if (session.live !== live || session.offset === undefined) continue;
			while (this.#inFlight < most && this.#sendNext(session));
		}
	}

	#sendNext(session: PushedSession): boolean {
		if (session.sent >= session.size || !this.#sendJournal()) return false;
		const range = nextRange(session, this.#parts);
		if (range === 'rewritten') {
			this.#announceSessions([session.id], true);
			return false;
		}
		if (range === null) {
			// A line is still being written.
			session.size = session.sent;
			this.#late.tornAt(session.id, session.sent);
			this.#late.has(session.id, session.offset ?? 0);
			return false;
		}
		const { from, to, digest, bytes } = range;
		this.#inFlight += to - from;
		const header = { session: session.id, turn: session.position, from, to, digest, journal: this.#journalSent };
		this.#send('range', { ...header, bytes: bytes?.length ?? 0 }, bytes ? packBody(bytes) : undefined);
		return true;
	}

	#handleFrame(frame: HubFrame) {
		switch (frame.type) {
			case 'challenge':
				return this.#sayHello(frame.header.nonce);
			case 'welcome':
				return this.#begin(frame.header);
			case 'at':
				return this.#acceptPosition(frame.header);
			case 'ack':
				return this.#handleAck(frame.header);
			case 'ack-journal':
				this.#journalAt = frame.header.n;
				return this.#sendNextFrames();
			case 'slow':
				return this.#slowDown(frame.header.ms);
			case 'command':
				return this.#runCommand(frame.header);
			case 'want':
				return void this.#features.give(frame.header);
			case 'kept':
				return this.#features.noteStored(frame.header);
			case 'lease':
				return this.#parts.lease.renew(this.#parts.level() === 'watch' ? 0 : frame.header.ms);
		}
	}
}

const TOGETHER_MS = 250;
const MAX_BATCHES = 100;

interface Growth {
	size: number;
	at: number;
}

export function createLateness(now: () => number) {
	const waiting = new Map<string, Growth[]>();

	const retain = (id: string, growths: Growth[]) => {
		if (growths.length > 0) waiting.set(id, growths);
		else waiting.delete(id);
	};

	return {
		grew(id: string, size: number) {
			const before = waiting.get(id) ?? [];
			const last = before.at(-1);
			if (last?.size === size) return;
			if (!last || size < last.size) return retain(id, [{ size, at: now() }]);
			if (now() - last.at < TOGETHER_MS || before.length >= MAX_BATCHES) last.size = size;
			else before.push({ size, at: now() });
		},
		has(id: string, offset: number) {
			retain(id, waiting.get(id)?.filter(({ size }) => size > offset) ?? []);
		},
		/** The rest is not a whole line yet, and not late. */
		tornAt(id: string, end: number) {
			for (const growth of waiting.get(id) ?? []) growth.size = Math.min(growth.size, end);
		},
		lateMs: (): number =>
			[...waiting.values()].reduce((most, [first]) => Math.max(most, now() - (first?.at ?? now())), 0),
	};
}

type Send = <T extends EdgeFrameType>(type: T, header: z.input<(typeof edgeFrames)[T]>, body?: Uint8Array) => void;

/** Announces archived features and sends what the hub asks for. Nothing is stored: the hub knows what it has. */
function createFeaturePush(features: SharedFeatures, send: Send) {
	const announced = new Map<string, { sheet: string; isStored: boolean }>();
	let isListed = false;
	let announcing: Promise<void> | undefined;

	async function announceNew() {
		const found = await features.listChanged();
		const fresh = found.filter(({ id, sheet }) => announced.get(id)?.sheet !== sheet);
		for (let index = 0; index < fresh.length; index += FEATURES_A_FRAME)
			send('features', { features: fresh.slice(index, index + FEATURES_A_FRAME) });
		for (const { id, sheet } of fresh) announced.set(id, { sheet, isStored: false });
		isListed = true;
	}

	return {
		announceChanged(): Promise<void> {
			announcing ??= announceNew().finally(() => {
				announcing = undefined;
			});
			return announcing;
		},
		async give({ feature, digest }: Extract<HubFrame, { type: 'want' }>['header']) {
			// An unreadable file is reported as gone; the archive is announced again when it changes.
			const found = await features.read(feature, digest).catch(() => undefined);
			if (found) send('blob', { feature, digest, bytes: found.length }, packBody(found));
			else send('blob', { feature, digest, bytes: 0, gone: true });
		},
		noteStored({ feature, sheet }: Extract<HubFrame, { type: 'kept' }>['header']) {
			if (announced.get(feature)?.sheet === sheet) announced.set(feature, { sheet, isStored: true });
		},
		behind: () => (isListed ? [...announced.values()].filter(({ isStored }) => !isStored).length : 1),
	};
}

export interface PushParts {
	edge: number;
	origin: string;
	version: string;
	wire: number;
	content: 'all' | 'shape';
	privateKey: string;
	shared: SharedSessions;
	features: SharedFeatures;
	journal: JournalReader;
	commands: CommandRunner;
	tickets: { currentFrame(): z.input<typeof edgeFrames.ticket> };
	lease: HubLease;
	level: () => EdgeLevel;
	counter: () => number;
	storeCounter: (count: number) => void;
	now: () => number;
}
