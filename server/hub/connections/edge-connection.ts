import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import {
	type CommandResult,
	CREDIT_BYTES,
	type EdgeFrame,
	type Hello,
	type HubFrameType,
	type hubFrames,
	JournalLine,
	MAX_RANGE_BYTES,
	MAX_RANGE_LINES,
} from '#lib/contract/hub/hub-wire.ts';
import { decodeEdgeFrame, encodeHubFrame, retryAfterText } from '#lib/hub/frame.ts';
import type { HubSessionName } from '#lib/ids/session-name.ts';
import { parsedJson } from '#lib/json/json.ts';
import { inEnglish, type Sentence, sentence } from '#lib/messages/sentence.ts';
import { unpackBody } from '../../hub-protocol/pack-body.ts';
import { isSigned } from '../../hub-protocol/signatures.ts';
import type { Log } from '../../process/log.ts';
import { type HubSession, NoRoom } from '../../timeline/store/hub-store.ts';
import type { HubIdentity } from '../database/hub-key.ts';
import type { TicketStore } from '../decisions/ticket-store.ts';
import type { Withdrawal } from '../decisions/withdraw-command.ts';
import type { CommandStore } from '../edges/command-store.ts';
import { type ConnectedEdgeStatus, type EdgeStore, isContinued } from '../edges/edge-store.ts';
import type { FeatureStore } from '../features/feature-intake.ts';
import { createFeatureIntake, type FeatureIntake } from '../features/feature-intake.ts';
import type { Hints } from '../hints/hints.ts';
import { END_CODES, type EndReason } from '../metrics/hub-meters.ts';
import type { EdgeJournalStore } from '../timelines/edge-journal-store.ts';
import type { EdgeRateLimits } from '../timelines/edge-rate-limits.ts';
import { whyNotSpoken } from '../timelines/load-session.ts';
import type { HubStore } from '../timelines/postgres-store.ts';
import type { FoldedRange } from '../timelines/range-fold.ts';
import type { FinishedRange, RangeWriter } from '../timelines/range-writer.ts';

/** More than this, unread or unwritten, means that the edge ignores its credit. */
const MAX_UNREAD = 4 * CREDIT_BYTES;
const SESSIONS_AN_EVENT = 10;
const MIN_BYTES = 256;
const LATER_MS = 1000;
const LEASE_PAUSE_MS = 15_000;

export interface HubParts {
	identity: HubIdentity;
	wire: number;
	store: HubStore;
	open: (name: HubSessionName) => Promise<HubSession>;
	edges: EdgeStore;
	journals: EdgeJournalStore;
	commands: CommandStore;
	withdraw: Withdrawal;
	tickets: Pick<TicketStore, 'recordOpen'>;
	hints: Pick<Hints, 'send'>;
	writer: RangeWriter;
	rateLimits: EdgeRateLimits;
	/** Undefined: accepted. Else the seconds within which the machine is to retry. */
	admit: () => number | undefined;
	features: FeatureStore;
	log: Log;
	now: () => number;
	/** Ends another connection of this edge; true if the two take turns too often. */
	noteArrival: (edge: number, connection: EdgeConnection) => boolean;
	onCommitted: (done: Extract<FoldedRange, { kind: 'committed' }>) => void;
	onAnswered: (result: CommandResult) => void;
	onEnded: (why: EndReason, edge: number | undefined) => void;
}

export interface EdgeSocket {
	send(data: Uint8Array): void;
	close(code: number, reason: string): void;
}

interface OwnEdge {
	edge: number;
	team: number;
	connEpoch: number;
	ephemeral: boolean;
}

interface AnnouncedSession {
	/** The session's number when it was announced: results come in that order even after a roll. */
	key: number;
	session: HubSession;
	birth: string;
	position: number;
	nextOffset: number;
}

export class EdgeConnection {
	readonly #socket: EdgeSocket;
	readonly #parts: HubParts;
	readonly #nonce = randomBytes(24).toString('base64url');
	readonly #sessions = new Map<string, AnnouncedSession>();
	readonly #acknowledged: ReturnType<typeof createAcknowledged>;
	#own: OwnEdge | undefined;
	#sentCommand = 0;
	#leasedAt = Number.NEGATIVE_INFINITY;
	#sending: Promise<void> = Promise.resolve();
	#intake: FeatureIntake | undefined;
	#status: ConnectedEdgeStatus | undefined;
	#journalAt = 0;
	#unread = 0;
	#unwritten = 0;
	#isOver = false;
	#queue: Promise<void> = Promise.resolve();

	constructor(socket: EdgeSocket, parts: HubParts) {
		this.#socket = socket;
		this.#parts = parts;
		this.#acknowledged = createAcknowledged(parts.open);
		this.#send('challenge', { wire: parts.wire, nonce: this.#nonce });
	}

	get edge(): number | undefined {
		return this.#own?.edge;
	}

	get status(): ConnectedEdgeStatus | undefined {
		return this.#status;
	}

	receive(data: Uint8Array): void {
		this.#unread += data.length;
		if (this.#unread > MAX_UNREAD) return this.end('bad', 'it sends more than its credit');
		this.#queue = this.#queue
			.then(() => (this.#isOver ? undefined : this.#handle(data)))
			.catch((error: unknown) => {
				this.#parts.log.error('hub: a frame could not be handled', error, { edge: this.edge ?? 0 });
				this.end('later', 'the hub could not handle a frame');
			})
			.finally(() => {
				this.#unread -= data.length;
			});
	}

	/** Sends the commands that wait, after those that are being sent. */
	sendCommands(): Promise<void> {
		this.#sending = this.#sending
			.then(() => this.#sendCommands())
			.catch(this.#warner('commands could not be looked for'));
		return this.#sending;
	}

	sendLease(ms: number): void {
		const now = performance.now();
		if (!this.#intake || now - this.#leasedAt < LEASE_PAUSE_MS) return;
		this.#leasedAt = now;
		this.#send('lease', { ms });
	}

	async checkState(): Promise<void> {
		if (!this.#own || this.#isOver) return;
		const status = await this.#parts.edges.currentState(this.#own.edge, this.#own.connEpoch);
		if (status !== 'joined') this.end(status, status === 'replaced' ? 'another connection took its place' : status);
	}

	/** Makes the edge send again what the database lost after acknowledging it. */
	async checkAcknowledged(): Promise<void> {
		if (!this.#own || this.#isOver) return;
		const { edge } = this.#own;
		const offsetOf = (id: string) => this.#sessions.get(id)?.session.offset ?? 0;
		for (const session of await this.#acknowledged.lost(edge, offsetOf)) {
			const known = this.#sessions.get(session.sessionId);
			if (!known) continue;
			this.#parts.log.warn('hub: the database has lost what was acknowledged; the edge sends it again', { edge });
			// If the session itself was lost, its new row has another number.
			Object.assign(known, { key: session.key, session });
			this.#sendPosition(known);
		}
	}

	closed(): void {
		if (!this.#isOver) this.#leave();
		this.#sessions.clear();
	}

	#send<T extends HubFrameType>(type: T, header: z.input<(typeof hubFrames)[T]>): void {
		if (!this.#isOver) this.#socket.send(encodeHubFrame(type, header));
	}

	#leave() {
		this.#isOver = true;
		void this.#intake?.closed();
		if (this.#own)
			this.#parts.edges
				.leave(this.#own.edge, this.#own.connEpoch)
				.catch(this.#warner('the end of a connection could not be noted'));
	}

	#warner(what: string) {
		return (error: unknown) =>
			this.#parts.log.warn(`hub: ${what}`, { edge: this.#own?.edge ?? 0, reason: String(error) });
	}

	end(why: EndReason, reason: string): void {
		if (this.#isOver) return;
		this.#leave();
		this.#parts.onEnded(why, this.#own?.edge);
		if (why === 'bad' || why === 'quarantined')
			this.#parts.log.warn(`hub: an edge was refused: ${reason}`, { edge: this.#own?.edge ?? 0 });
		// A close reason has at most 123 bytes.
		this.#socket.close(END_CODES[why], Buffer.from(reason).subarray(0, 120).toString('utf8'));
	}

	async #greet(hello: Hello) {
		const { wire, identity, edges, journals, features, rateLimits, log } = this.#parts;
		const why = whyNotSpoken(hello.wire, wire);
		if (why !== undefined) return this.end('upgrade', why);
		// Unsigned hellos take no place in the admission.
		const key = await edges.keyOf(hello.edge);
		if (key === undefined) return this.end('revoked', 'this hub does not know the edge');
		const isOwn = isSigned(hello, identity.root.origin, this.#nonce, key);
		if (!isOwn) return this.end('revoked', 'the hello is not signed by its key');
		const seconds = this.#parts.admit();
		if (seconds !== undefined) return this.end('crowded', retryAfterText(seconds));
		const greeting = await edges.greet(hello);
		if (!greeting.welcome) return this.end(greeting.status, greeting.reason);
		const { team, teamId, counter, connEpoch, ephemeral } = greeting;
		this.#own = { edge: hello.edge, team: teamId, connEpoch, ephemeral };
		const lastRow = await journals.head(hello.edge);
		if (!isContinued(hello.journal, lastRow))
			return this.#quarantine(sentence('Its journal is older than what it reported before, or another one.'));
		if (this.#parts.noteArrival(hello.edge, this))
			return this.#quarantine(sentence('Two machines take turns as this one.'));
		this.#journalAt = lastRow?.n ?? 0;
		const { name } = identity.root;
		this.#send('welcome', { counter, journal: this.#journalAt, credit: CREDIT_BYTES, team, name });
		this.#intake = createFeatureIntake({
			...features,
			edge: hello.edge,
			team: teamId,
			connEpoch,
			rateLimits,
			log,
			end: (why, reason) => this.end(why, reason),
			send: { want: (request) => this.#send('want', request), kept: (feature) => this.#send('kept', feature) },
		});
		await this.sendCommands();
	}

	async #sendCommands() {
		const { commands, withdraw } = this.#parts;
		// A machine that is not welcome yet may be a copy.
		if (!this.#own || !this.#intake) return;
		const { edge } = this.#own;
		for (const command of await commands.pending(edge, this.#sentCommand)) {
			const isWithdrawn = await withdraw(edge, command);
			this.#sentCommand = command.n;
			if (!isWithdrawn) this.#send('command', command);
		}
	}

	async #quarantine(reason: Sentence) {
		if (this.#own) await this.#parts.edges.quarantine(this.#own.edge, reason);
		this.end('quarantined', inEnglish(reason));
	}

	#sendPosition(known: AnnouncedSession): void {
		const { sessionId, offset, tailDigest } = known.session;
		known.position += 1;
		known.nextOffset = offset;
		this.#send('at', { session: sessionId, turn: known.position, offset, digest: tailDigest });
	}

	async #openSessions(edge: number, listed: HeaderOf<'sessions'>['sessions']) {
		if (!this.#chargeEvents(edge, listed.length / SESSIONS_AN_EVENT)) return;
		const opened = await openAll(this.#parts.store, edge, listed, this.#sessions);
		if (opened === 'no room')
			return this.#quarantine(
				sentence('It reports more than {count} sessions.', { count: this.#parts.store.mostSessions }),
			);
		for (const [index, { id, birth, rewritten }] of listed.entries()) {
			let session = opened[index];
			if (!session) continue;
			if (session.fold > this.#parts.store.fold) return this.end('later', 'a newer hub has written its sessions');
			if (rewritten !== undefined && rewritten === session.tailDigest)
				session = await this.#parts.store.replace(session);
			const announced = {
				...{ key: session.key, session, birth },
				...{ position: this.#sessions.get(id)?.position ?? 0, nextOffset: session.offset },
			};
			this.#sessions.set(id, announced);
			this.#sendPosition(announced);
		}
	}

	async #ingestJournal(edge: number, body: Buffer) {
		const lines = readJournalLines(body);
		if (!lines) return this.end('bad', 'no rows of a journal');
		if (!this.#chargeEvents(edge, lines.length)) return;
		const why = await this.#parts.journals.append(edge, lines);
		if (why !== null)
			return this.#quarantine(sentence('Its journal reports another history than before: {detail}.', { detail: why }));
		this.#journalAt = Math.max(this.#journalAt, lines.at(-1)?.n ?? 0);
		this.#send('ack-journal', { n: this.#journalAt });
	}

	#ingestRange(
		{ edge, ephemeral: durably }: OwnEdge,
		{ session: id, turn: position, from, to, digest, journal, bytes }: HeaderOf<'range'>,
		body: Buffer,
	) {
		const events = measureRange(body);
		if (typeof events === 'string') return this.end('bad', events);
		if (!this.#chargeEvents(edge, events)) return;
		const known = this.#sessions.get(id);
		if (!known) return this.end('bad', `a range of ${id}, which it has not announced`);
		// The edge sent it before it received the new position.
		if (position !== known.position) return;
		if (from !== known.nextOffset || journal > this.#journalAt) return this.#sendPosition(known);
		const weight = Math.max(bytes, MIN_BYTES);
		this.#unwritten += weight;
		if (this.#unwritten > MAX_UNREAD) return this.end('bad', 'it sends more than its credit');
		known.nextOffset = to;
		const { key, birth } = known;
		const job = { key, from, to, bytes: bytes === 0 ? null : body, tailDigest: digest, birth, durably };
		const finish = (done: FinishedRange) => {
			this.#unwritten -= weight;
			if (done !== 'within') this.#finishRange(id, position, done);
		};
		this.#parts.writer.enqueue({ job, edge, events, finish });
	}

	#finishRange(id: string, position: number, done: Exclude<FinishedRange, 'within'>) {
		if (done.kind === 'committed') this.#parts.onCommitted(done);
		const known = this.#sessions.get(id);
		if (!known || this.#isOver || position !== known.position) return;
		if (done.kind === 'later') this.#send('slow', { ms: LATER_MS });
		if (done.kind === 'later') return this.#sendPosition(known);
		if (!done.session) return;
		if (done.session.fold > this.#parts.store.fold) return this.end('later', 'a newer hub has written its sessions');
		known.session = done.session;
		if (done.kind === 'elsewhere') return this.#sendPosition(known);
		this.#send('ack', { session: id, turn: position, to: done.session.offset });
		this.#acknowledged.add(id);
	}

	#chargeEvents(edge: number, events: number): boolean {
		const ms = this.#parts.rateLimits.spend(edge, events);
		if (ms === null) this.end('later', 'it sends more than it may, in spite of a warning');
		else if (ms > 0) this.#send('slow', { ms });
		return ms !== null;
	}

	async #handle(data: Uint8Array): Promise<void> {
		const frame = decodeEdgeFrame(data);
		if ('bad' in frame) return this.end('bad', frame.bad);
		if (frame.type === 'hello') return this.#own ? this.end('bad', 'a second hello') : this.#greet(frame.header);
		if (!this.#own) return this.end('bad', 'no hello came first');
		const { edge, team, connEpoch } = this.#own;
		const { tickets, commands, hints, edges } = this.#parts;
		switch (frame.type) {
			case 'sessions':
				return this.#openSessions(edge, frame.header.sessions);
			case 'features': {
				const { features } = frame.header;
				if (this.#chargeEvents(edge, features.length / SESSIONS_AN_EVENT)) this.#intake?.enqueueReported(features);
				return;
			}
			case 'ticket':
				if (!this.#chargeEvents(edge, 1)) return;
				await tickets.recordOpen(edge, frame.header.open, frame.header.grants);
				return hints.send(`tickets:${team}`);
			case 'result':
				if (!this.#chargeEvents(edge, 1)) return;
				if (await commands.recordResult(edge, frame.header)) this.#parts.onAnswered(frame.header);
				return hints.send(`tickets:${team}`);
			case 'status': {
				if (!this.#chargeEvents(edge, 1)) return;
				const { behind, lateMs = 0, at, level } = frame.header;
				this.#status = { behindBytes: behind, lateMs, skewMs: Date.parse(at) - this.#parts.now() };
				return edges.recordStatus(edge, connEpoch, this.#status, level);
			}
		}
		const body = unpackBody(frame.body, frame.header.bytes);
		if (!body) return this.end('bad', `a body of ${frame.type} that is not as long as it says`);
		if (frame.type === 'blob') return this.#intake?.acceptBlob(frame.header, body);
		return frame.type === 'journal'
			? this.#ingestJournal(edge, body)
			: this.#ingestRange(this.#own, frame.header, body);
	}
}

type HeaderOf<Type extends EdgeFrame['type']> = Extract<EdgeFrame, { type: Type }>['header'];

/**
 * Events are committed without waiting for the disk, so a crash of Postgres may lose acknowledged ones. The edge then sends them
 * again.
 */
export function createAcknowledged(open: HubParts['open']) {
	const ids = new Set<string>();

	return {
		add: (id: string) => void ids.add(id),
		async lost(edge: number, offsetOf: (id: string) => number): Promise<HubSession[]> {
			// Read before the query: what is committed meanwhile is checked next time.
			const before = [...ids].map((id) => ({ id, offset: offsetOf(id) }));
			ids.clear();
			try {
				const stored = await Promise.all(before.map(({ id }) => open({ edge, sessionId: id })));
				return stored.filter(({ offset }, index) => offset < (before[index]?.offset ?? 0));
			} catch (error) {
				for (const { id } of before) ids.add(id);
				throw error;
			}
		},
	};
}

async function openAll(
	store: Pick<HubStore, 'open' | 'mostSessions'>,
	edge: number,
	sessions: readonly { id: string }[],
	known: ReadonlyMap<string, unknown>,
): Promise<HubSession[] | 'no room'> {
	const more = sessions.filter(({ id }) => !known.has(id)).length;
	if (known.size + more > store.mostSessions) return 'no room';
	try {
		return await store.open(sessions.map(({ id }) => ({ edge, sessionId: id })));
	} catch (error) {
		if (error instanceof NoRoom) return 'no room';
		throw error;
	}
}

const Lines = z.array(JournalLine).max(1000);

function readJournalLines(body: Buffer): JournalLine[] | null {
	return Lines.safeParse(parsedJson(body.toString('utf8'))).data ?? null;
}

const NEWLINE = 10;
const BLANK_LINES_AN_EVENT = 4;
const BYTES_AN_EVENT = 8 * 1024;

/** The most events that a range may hold, or the reason to refuse it. An empty range replaces a line that is too long. */
export function measureRange(body: Buffer): number | string {
	if (body.length === 0) return 1;
	if (body.at(-1) !== NEWLINE) return 'a range that does not end with a line';
	let newlines = 0;
	let blank = 0;
	for (let end = body.indexOf(NEWLINE), start = 0; end !== -1; start = end + 1, end = body.indexOf(NEWLINE, start)) {
		newlines += 1;
		if (end === start) blank += 1;
		if (newlines > MAX_RANGE_LINES) return `a range of more than ${MAX_RANGE_LINES} lines`;
	}
	if (body.length > MAX_RANGE_BYTES && newlines > 1) return `lines of more than ${MAX_RANGE_BYTES} bytes together`;
	return Math.max(1, newlines - blank, newlines / BLANK_LINES_AN_EVENT, body.length / BYTES_AN_EVENT);
}
