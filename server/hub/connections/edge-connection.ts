import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import {
	type Command,
	CREDIT_BYTES,
	type EdgeFrame,
	type Hello,
	type HubFrameType,
	type hubFrames,
	JournalLine,
	MAX_RANGE_BYTES,
	MAX_RANGE_LINES,
} from '#lib/contract/hub/hub-wire.ts';
import { decodeEdgeFrame, encodeHubFrame, sayRetryAfter } from '#lib/hub/frame.ts';
import { sentence } from '#lib/messages/sentence.ts';
import { unpackBody } from '../../edge/body.ts';
import { isSigned } from '../../edge/signatures.ts';
import { type HubSession, type HubStore, NoRoom } from '../../timeline/store/hub-store.ts';
import type { Withdrawal } from '../decisions/withdrawal.ts';
import { createFeatureIntake, type FeatureIntake } from '../features/feature-intake.ts';
import type { CommandStore } from '../machines/command-store.ts';
import { type ConnectedEdgeStatus, goesOn } from '../machines/edge-store.ts';
import { END_CODES, type EndReason } from '../metrics/hub-meters.ts';
import { whyNotSpoken } from '../timelines/load-session.ts';
import type { SettledRange } from '../timelines/range-writer.ts';
import type { EdgeConnection, EdgeSocket, HubParts } from './hub-parts.ts';

/** More than this, unread or unwritten, means that the edge ignores its credit. */
const MOST_UNREAD = 4 * CREDIT_BYTES;
const SESSIONS_AN_EVENT = 10;
const LEAST_BYTES = 256;
const LATER_MS = 1000;

interface Known {
	/** Its number when it was announced; results are in its order even after a roll. */
	key: number;
	session: HubSession;
	birth: string;
	turn: number;
	next: number;
}

export function createEdgeConnection(socket: EdgeSocket, parts: HubParts): EdgeConnection {
	const {
		identity,
		wire,
		store,
		edges,
		journals,
		commands,
		withdraw,
		tickets,
		hints,
		writer,
		paces,
		features,
		log,
		now,
	} = parts;
	const nonce = randomBytes(24).toString('base64url');
	const sessions = new Map<string, Known>();
	let own: { edge: number; team: number; connEpoch: number; ephemeral: boolean } | undefined;
	let sender: CommandSender | undefined;
	let intake: FeatureIntake | undefined;
	let status: ConnectedEdgeStatus | undefined;
	const acknowledged = createAcknowledged(parts.open);
	let journalAt = 0;
	let unread = 0;
	let unwritten = 0;
	let isOver = false;
	let queue: Promise<void> = Promise.resolve();

	const send = <T extends HubFrameType>(type: T, header: z.input<(typeof hubFrames)[T]>) => {
		if (!isOver) socket.send(encodeHubFrame(type, header));
	};

	function leave() {
		isOver = true;
		void intake?.closed();
		if (own) edges.leave(own.edge, own.connEpoch).catch(warnThat('the end of a connection could not be noted'));
	}
	const warnThat = (what: string) => (error: unknown) =>
		log.warn(`hub: ${what}`, { edge: own?.edge ?? 0, reason: String(error) });

	function end(why: EndReason, reason: string) {
		if (isOver) return;
		leave();
		parts.ended(why, own?.edge);
		if (why === 'bad' || why === 'quarantined')
			log.warn(`hub: an edge was sent away: ${reason}`, { edge: own?.edge ?? 0 });
		// A close reason has at most 123 bytes.
		socket.close(END_CODES[why], Buffer.from(reason).subarray(0, 120).toString('utf8'));
	}

	async function greet(hello: Hello) {
		const why = whyNotSpoken(hello.wire, wire);
		if (why !== undefined) return end('upgrade', why);
		// Unsigned hellos take no place in the admission.
		const key = await edges.keyOf(hello.edge);
		if (key === undefined) return end('revoked', 'this hub does not know the edge');
		if (!isSigned(hello, identity.root.origin, nonce, key)) return end('revoked', 'the hello is not signed by its key');
		const seconds = parts.admit();
		if (seconds !== undefined) return end('crowded', sayRetryAfter(seconds));
		const greeting = await edges.greet(hello);
		if (!greeting.welcome) return end(greeting.status, greeting.reason);
		const { team, teamId, counter, connEpoch, ephemeral } = greeting;
		own = { edge: hello.edge, team: teamId, connEpoch, ephemeral };
		const kept = await journals.head(hello.edge);
		if (!goesOn(hello.journal, kept))
			return quarantine(sentence('Its journal is older than what it told before, or another one.'));
		if (parts.arrived(hello.edge, connection)) return quarantine(sentence('Two machines take turns as this one.'));
		journalAt = kept?.n ?? 0;
		send('welcome', { counter, journal: journalAt, credit: CREDIT_BYTES, team, name: identity.root.name });
		intake = createFeatureIntake({
			...{ ...features, edge: hello.edge, team: teamId, connEpoch, paces, log, end },
			send: { want: (wish) => send('want', wish), kept: (feature) => send('kept', feature) },
		});
		sender = createCommandSender({
			...{ commands, withdraw, edge: hello.edge, failed: warnThat('commands could not be looked for') },
			send: { command: (command) => send('command', command), lease: (ms) => send('lease', { ms }) },
		});
		await sender.look();
	}

	async function quarantine(reason: string) {
		if (own) await edges.quarantine(own.edge, reason);
		end('quarantined', reason);
	}

	const sendPosition = (known: Known) => {
		const { sessionId, offset, tailDigest } = known.session;
		known.turn += 1;
		known.next = offset;
		send('at', { session: sessionId, turn: known.turn, offset, digest: tailDigest });
	};

	async function openSessions(edge: number, told: HeaderOf<'sessions'>['sessions']) {
		if (!mayCost(edge, told.length / SESSIONS_AN_EVENT)) return;
		const opened = await openAll(store, edge, told, sessions);
		if (opened === 'no room')
			return quarantine(sentence('It tells of more than {count} sessions.', { count: store.mostSessions }));
		for (const [at, { id, birth, rewritten }] of told.entries()) {
			let session = opened[at];
			if (!session) continue;
			if (session.fold > store.fold) return end('later', 'a newer hub has written its sessions');
			if (rewritten !== undefined && rewritten === session.tailDigest) session = await store.replace(session);
			const known = { key: session.key, session, birth, turn: sessions.get(id)?.turn ?? 0, next: session.offset };
			sessions.set(id, known);
			sendPosition(known);
		}
	}

	async function takeJournal(edge: number, body: Buffer) {
		const lines = readJournalLines(body);
		if (!lines) return end('bad', 'no rows of a journal');
		if (!mayCost(edge, lines.length)) return;
		const why = await journals.append(edge, lines);
		if (why !== null)
			return quarantine(sentence('Its journal tells another history than before: {detail}.', { detail: why }));
		journalAt = Math.max(journalAt, lines.at(-1)?.n ?? 0);
		send('ack-journal', { n: journalAt });
	}

	function takeRange(
		{ edge, ephemeral: durably }: NonNullable<typeof own>,
		{ session: id, turn: of, from, to, digest, journal, bytes }: HeaderOf<'range'>,
		body: Buffer,
	) {
		const events = measureRange(body);
		if (typeof events === 'string') return end('bad', events);
		if (!mayCost(edge, events)) return;
		const known = sessions.get(id);
		if (!known) return end('bad', `a range of ${id}, of which it has not told`);
		// It was sent before the position was announced again.
		if (of !== known.turn) return;
		if (from !== known.next || journal > journalAt) return sendPosition(known);
		const weight = Math.max(bytes, LEAST_BYTES);
		unwritten += weight;
		if (unwritten > MOST_UNREAD) return end('bad', 'it sends more than its credit');
		known.next = to;
		const { key, birth } = known;
		const job = { key, from, to, bytes: bytes === 0 ? null : body, tailDigest: digest, birth, durably };
		const settled = (done: SettledRange) => {
			unwritten -= weight;
			if (done !== 'within') finishRange(id, of, done);
		};
		writer.put({ job, edge, events, settled });
	}

	function finishRange(id: string, of: number, done: Exclude<SettledRange, 'within'>) {
		if (done.kind === 'committed') parts.committed(done);
		const known = sessions.get(id);
		if (!known || isOver || of !== known.turn) return;
		if (done.kind === 'later') send('slow', { ms: LATER_MS });
		if (done.kind === 'later') return sendPosition(known);
		if (!done.session) return;
		if (done.session.fold > store.fold) return end('later', 'a newer hub has written its sessions');
		known.session = done.session;
		if (done.kind === 'elsewhere') return sendPosition(known);
		send('ack', { session: id, turn: of, to: done.session.offset });
		acknowledged.add(id);
	}

	function mayCost(edge: number, events: number): boolean {
		const ms = paces.spend(edge, events);
		if (ms === null) end('later', 'it sends more than it may, and was told so');
		else if (ms > 0) send('slow', { ms });
		return ms !== null;
	}

	async function hear({ edge, team, connEpoch }: NonNullable<typeof own>, frame: SaidFrame) {
		if (!mayCost(edge, frame.type === 'features' ? frame.header.features.length / SESSIONS_AN_EVENT : 1)) return;
		if (frame.type === 'features') return intake?.told(frame.header.features);
		if (frame.type !== 'status') {
			if (frame.type === 'ticket') await tickets.told(edge, frame.header.open, frame.header.grants);
			else if (await commands.settle(edge, frame.header)) parts.answered(frame.header);
			return hints.tell(`tickets:${team}`);
		}
		const { behind, lateMs = 0, at, level } = frame.header;
		status = { behindBytes: behind, lateMs, skewMs: Date.parse(at) - now() };
		await edges.tell(edge, connEpoch, status, level);
	}

	async function handle(data: Uint8Array): Promise<void> {
		const frame = decodeEdgeFrame(data);
		if ('bad' in frame) return end('bad', frame.bad);
		if (frame.type === 'hello') return own ? end('bad', 'a second hello') : greet(frame.header);
		if (!own) return end('bad', 'no hello came first');
		if (frame.type === 'sessions') return openSessions(own.edge, frame.header.sessions);
		if (isReport(frame)) return hear(own, frame);
		const body = unpackBody(frame.body, frame.header.bytes);
		if (!body) return end('bad', `a body of ${frame.type} that is not as long as it says`);
		if (frame.type === 'blob') return intake?.took(frame.header, body);
		return frame.type === 'journal' ? takeJournal(own.edge, body) : takeRange(own, frame.header, body);
	}

	const connection: EdgeConnection = {
		get edge() {
			return own?.edge;
		},
		get standing() {
			return status;
		},
		take(data) {
			unread += data.length;
			if (unread > MOST_UNREAD) return end('bad', 'it sends more than its credit');
			queue = queue
				.then(() => (isOver ? undefined : handle(data)))
				.catch((error: unknown) => {
					log.error('hub: a frame could not be handled', error, { edge: own?.edge ?? 0 });
					end('later', 'the hub could not handle a frame');
				})
				.finally(() => {
					unread -= data.length;
				});
		},
		command: async () => sender?.look(),
		lease: (ms) => sender?.lease(ms),
		async check() {
			if (!own || isOver) return;
			const status = await edges.stands(own.edge, own.connEpoch);
			if (status !== 'joined') end(status, status === 'replaced' ? 'another connection took its place' : status);
		},
		async lookBack() {
			if (!own || isOver) return;
			for (const session of await acknowledged.lost(own.edge, (id) => sessions.get(id)?.session.offset ?? 0)) {
				const known = sessions.get(session.sessionId);
				if (!known) continue;
				log.warn('hub: the database has lost what was acknowledged; the edge sends it again', { edge: own.edge });
				// If the session itself was lost, it has another number now.
				Object.assign(known, { key: session.key, session });
				sendPosition(known);
			}
		},
		end,
		closed() {
			if (!isOver) leave();
			sessions.clear();
		},
	};
	send('challenge', { wire, nonce });
	return connection;
}

type SaidFrame = Extract<EdgeFrame, { type: 'status' | 'ticket' | 'result' | 'features' }>;
const isReport = (frame: EdgeFrame): frame is SaidFrame =>
	['status', 'ticket', 'result', 'features'].includes(frame.type);

type HeaderOf<Type extends EdgeFrame['type']> = Extract<EdgeFrame, { type: Type }>['header'];

/**
 * Events are committed without waiting for the disk, so a crash of Postgres may lose what was acknowledged. The edge
 * then sends it again.
 */
export function createAcknowledged(open: HubParts['open']) {
	const ids = new Set<string>();

	return {
		add: (id: string) => void ids.add(id),
		async lost(edge: number, offsetOf: (id: string) => number): Promise<HubSession[]> {
			// Before the query: what is committed meanwhile is looked at next time.
			const before = [...ids].map((id) => ({ id, offset: offsetOf(id) }));
			ids.clear();
			try {
				const stored = await Promise.all(before.map(({ id }) => open({ edge, sessionId: id })));
				return stored.filter(({ offset }, at) => offset < (before[at]?.offset ?? 0));
			} catch (error) {
				for (const { id } of before) ids.add(id);
				throw error;
			}
		},
	};
}

const LEASE_PAUSE_MS = 15_000;

function createCommandSender(options: {
	commands: Pick<CommandStore, 'pending'>;
	withdraw: Withdrawal;
	edge: number;
	send: { command: (command: Command) => void; lease: (ms: number) => void };
	failed: (error: unknown) => void;
}) {
	const { commands, withdraw, edge, send, failed } = options;
	let sent = 0;
	let leasedAt = Number.NEGATIVE_INFINITY;
	let queue: Promise<void> = Promise.resolve();

	async function sendNew() {
		for (const command of await commands.pending(edge, sent)) {
			const isWithdrawn = await withdraw(edge, command);
			sent = command.n;
			if (!isWithdrawn) send.command(command);
		}
	}

	return {
		look(): Promise<void> {
			queue = queue.then(sendNew).catch(failed);
			return queue;
		},
		lease(ms: number): void {
			const now = performance.now();
			if (now - leasedAt < LEASE_PAUSE_MS) return;
			leasedAt = now;
			send.lease(ms);
		},
	};
}

type CommandSender = ReturnType<typeof createCommandSender>;

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
	try {
		return Lines.parse(JSON.parse(body.toString('utf8')));
	} catch {
		return null;
	}
}

const NEWLINE = 10;
const BLANK_LINES_AN_EVENT = 4;
const BYTES_AN_EVENT = 8 * 1024;

/**
 * The most events that a range may cost, or the reason to refuse it. An empty one stands for a line that is too long.
 */
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
