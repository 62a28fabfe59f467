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
import { packBody } from './body.ts';
import type { EdgeJournal } from './edge-journal.ts';
import type { HubLease } from './open-tickets.ts';
import { fits, newSession, nextRange, type PushedSession } from './push-session.ts';
import type { SharedFeatures } from './shared-features.ts';
import type { SharedSessions } from './shared-sessions.ts';
import { signHello } from './signatures.ts';
import type { CommandTaker } from './take-commands.ts';

/** A backlog takes at most half of the credit, so that live lines never wait behind it. */
const BACKLOG_SHARE = 0.5;

/** Speaks for an edge with one hub. Journal rows go first: a line that needs one would stay unverified. */
export function createPushConnection(parts: PushParts, sendBytes: (data: Uint8Array) => void): PushConnection {
	const { shared, journal, content, now } = parts;
	const sessions = new Map<string, PushedSession>();
	const late = createLateness(now);
	let welcomed = false;
	let credit = 0;
	let inFlight = 0;
	let journalSent = 0;
	let journalAt = 0;
	let untold: string[] = [];
	const awaited = new Set<string>();
	let slowUntil = 0;
	let toldTickets = '';
	const results: CommandResult[] = [];
	const features = createFeaturePush(parts.features, send);

	function send<T extends EdgeFrameType>(type: T, header: z.input<(typeof edgeFrames)[T]>, body?: Uint8Array) {
		sendBytes(encodeEdgeFrame(type, header, body));
	}

	function sayHello(nonce: string) {
		const { edge, version, wire, privateKey, origin, counter } = parts;
		const hello = { edge, wire, counter: counter(), journal: journal.head(), version, level: parts.level() };
		send('hello', signHello(hello, origin, nonce, privateKey));
	}

	function begin({ counter, journal: kept, credit: given }: Extract<HubFrame, { type: 'welcome' }>['header']) {
		parts.keepCounter(counter);
		welcomed = true;
		credit = given;
		journalSent = kept;
		journalAt = kept;
		untold = shared.all();
		goOn();
	}

	/** Journal rows, then sessions, then ranges; of the first two one page at a time. */
	function goOn() {
		if (!sendJournal()) return;
		sendTickets();
		for (const result of results.splice(0)) send('result', result);
		while (untold.length > 0 && awaited.size === 0) tellOf(untold.splice(0, SESSIONS_A_FRAME), false);
		pump();
	}

	function sendJournal(): boolean {
		const last = journal.head()?.n ?? 0;
		if (last > journalSent && journalSent === journalAt) {
			const lines = journal.page(journalSent, { isShared: shared.isShared, content });
			const text = Buffer.from(JSON.stringify(lines));
			send('journal', { bytes: text.length }, packBody(text));
			journalSent = lines.at(-1)?.n ?? journalSent;
		}
		return journalSent >= last;
	}

	/** After the rows that ask and before any range: a question in the story is found waiting. */
	function sendTickets() {
		const state = parts.tickets.told();
		const text = JSON.stringify([state.grants, state.open.map(({ id, nonce }) => [id, nonce])]);
		if (text === toldTickets) return;
		toldTickets = text;
		send('ticket', state);
	}

	/** Ranges on their way are void once the session is announced again: their credit returns, they are sent again. */
	function giveBack(session: PushedSession) {
		const { sent, offset = sent } = session;
		inFlight -= sent - offset;
		session.sent = offset;
	}

	function tellOf(ids: readonly string[], live: boolean, rewritten?: string) {
		const announced = [];
		for (const id of ids) {
			const file = shared.open(id);
			if (!file) continue;
			const { size, birth, fd } = file;
			const before = sessions.get(id);
			if (before) giveBack(before);
			sessions.set(id, { ...newSession(file, live || before?.live === true), turn: before?.turn ?? 0 });
			awaited.add(id);
			late.grew(id, size);
			announced.push({ id, size, birth, ...(rewritten !== undefined && { rewritten }) });
			closeSync(fd);
		}
		if (announced.length > 0) send('sessions', { sessions: announced });
	}

	function acceptPosition({ session: id, turn, offset, digest }: Extract<HubFrame, { type: 'at' }>['header']) {
		awaited.delete(id);
		const session = sessions.get(id);
		if (session) giveBack(session);
		const file = session && shared.open(id);
		if (!session || !file) return goOn();
		const isOurs = fits(file, { offset, digest });
		const { inode, size } = file;
		closeSync(file.fd);
		if (!isOurs) return tellOf([id], session.live, digest);
		Object.assign(session, { turn, offset, sent: offset, sentDigest: digest, inode, size });
		late.has(id, offset);
		goOn();
	}

	function takeAck({ session: id, turn, to }: Extract<HubFrame, { type: 'ack' }>['header']) {
		const session = sessions.get(id);
		if (!session || session.turn !== turn || session.offset === undefined) return;
		inFlight -= to - session.offset;
		session.offset = to;
		late.has(id, to);
		pump();
	}

	function obey(command: Command) {
		void parts.commands.take(command).then((result) => {
			if (!welcomed) return;
			results.push(result);
			goOn();
		});
	}

	function slowDown(ms: number) {
		slowUntil = now() + ms;
		setTimeout(pump, ms + 1).unref();
	}

	function pump() {
		if (!welcomed || now() < slowUntil) return;
		pumpUpTo(credit, true);
		pumpUpTo(credit * BACKLOG_SHARE, false);
	}

	function pumpUpTo(most: number, live: boolean) {
		for (const session of sessions.values()) {
			if (session.live !== live || session.offset === undefined) continue;
			while (inFlight < most && sendNext(session));
		}
	}

	function sendNext(session: PushedSession): boolean {
		if (session.sent >= session.size || !sendJournal()) return false;
		const range = nextRange(session, parts);
		if (range === 'rewritten') {
			tellOf([session.id], true);
			return false;
		}
		if (range === null) {
			// A line is still being written.
			session.size = session.sent;
			late.tornAt(session.id, session.sent);
			late.has(session.id, session.offset ?? 0);
			return false;
		}
		const { from, to, digest, bytes } = range;
		inFlight += to - from;
		const header = { session: session.id, turn: session.turn, from, to, digest, journal: journalSent };
		send('range', { ...header, bytes: bytes?.length ?? 0 }, bytes ? packBody(bytes) : undefined);
		return true;
	}

	function heed(frame: HubFrame) {
		switch (frame.type) {
			case 'challenge':
				return sayHello(frame.header.nonce);
			case 'welcome':
				return begin(frame.header);
			case 'at':
				return acceptPosition(frame.header);
			case 'ack':
				return takeAck(frame.header);
			case 'ack-journal':
				journalAt = frame.header.n;
				return goOn();
			case 'slow':
				return slowDown(frame.header.ms);
			case 'command':
				return obey(frame.header);
			case 'want':
				return void features.give(frame.header);
			case 'kept':
				return features.kept(frame.header);
			case 'lease':
				return parts.lease.renew(parts.level() === 'watch' ? 0 : frame.header.ms);
		}
	}

	return {
		stop() {
			welcomed = false;
		},
		take(data) {
			const frame = decodeHubFrame(data);
			if ('bad' in frame) return frame.bad;
			heed(frame);
			return null;
		},
		poke(sessionId) {
			if (!welcomed) return;
			const session = sessions.get(sessionId);
			if (!session) return tellOf([sessionId], true);
			const file = shared.open(sessionId);
			if (!file) return;
			session.size = file.size;
			closeSync(file.fd);
			session.live = true;
			late.grew(sessionId, session.size);
			if (session.size < session.sent) return tellOf([sessionId], true);
			pump();
		},
		tellTickets: () => (welcomed ? goOn() : undefined),
		tellFeatures: async () => (welcomed ? features.tell() : undefined),
		get welcomed() {
			return welcomed;
		},
		behind() {
			const bytes = [...sessions.values()].reduce((sum, { size, offset }) => sum + size - (offset ?? 0), 0);
			// Of sessions not announced yet the size is unknown, but not zero.
			return bytes + untold.length + awaited.size + (journalSent - journalAt) + features.behind();
		},
		confirm() {
			const [first] = sessions.values();
			if (!first) return false;
			// The hub answers after it has committed everything before.
			this.status();
			tellOf([first.id], first.live);
			return awaited.has(first.id);
		},
		status() {
			if (!welcomed) return;
			const how = { behind: this.behind(), lateMs: late.lateMs(), sessions: sessions.size, level: parts.level() };
			send('status', { ...how, at: new Date(now()).toISOString() });
		},
	};
}

const TOGETHER_MS = 250;
const MOST = 100;

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
			if (now() - last.at < TOGETHER_MS || before.length >= MOST) last.size = size;
			else before.push({ size, at: now() });
		},
		has(id: string, offset: number) {
			retain(id, waiting.get(id)?.filter(({ size }) => size > offset) ?? []);
		},
		/** The rest is no whole line yet, and not late. */
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
	const announced = new Map<string, { sheet: string; isKept: boolean }>();
	let isLooked = false;
	let looking: Promise<void> | undefined;

	async function announceNew() {
		const found = await features.look();
		const fresh = found.filter(({ id, sheet }) => announced.get(id)?.sheet !== sheet);
		for (let at = 0; at < fresh.length; at += FEATURES_A_FRAME)
			send('features', { features: fresh.slice(at, at + FEATURES_A_FRAME) });
		for (const { id, sheet } of fresh) announced.set(id, { sheet, isKept: false });
		isLooked = true;
	}

	return {
		tell(): Promise<void> {
			looking ??= announceNew().finally(() => {
				looking = undefined;
			});
			return looking;
		},
		async give({ feature, digest }: Extract<HubFrame, { type: 'want' }>['header']) {
			// What cannot be read now is gone; the archive is announced again when it changes.
			const found = await features.read(feature, digest).catch(() => undefined);
			if (found) send('blob', { feature, digest, bytes: found.length }, packBody(found));
			else send('blob', { feature, digest, bytes: 0, gone: true });
		},
		kept({ feature, sheet }: Extract<HubFrame, { type: 'kept' }>['header']) {
			if (announced.get(feature)?.sheet === sheet) announced.set(feature, { sheet, isKept: true });
		},
		behind: () => (isLooked ? [...announced.values()].filter(({ isKept }) => !isKept).length : 1),
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
	journal: EdgeJournal;
	commands: CommandTaker;
	tickets: { told(): z.input<typeof edgeFrames.ticket> };
	lease: HubLease;
	level: () => EdgeLevel;
	counter: () => number;
	keepCounter: (count: number) => void;
	now: () => number;
}

export interface PushConnection {
	take(data: Uint8Array): string | null;
	poke(sessionId: string): void;
	tellTickets(): void;
	tellFeatures(): Promise<void>;
	readonly welcomed: boolean;
	behind(): number;
	status(): void;
	/** Work that goes on is reported over the next connection. */
	stop(): void;
	/** Asks whether acknowledged ranges are on the hub's disk; false if there is nothing to ask about. */
	confirm(): boolean;
}
