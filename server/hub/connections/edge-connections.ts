import type http from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { CiJoinRequest, JoinRequest, MAX_BODY_BYTES, MAX_HEADER_BYTES } from '#lib/contract/hub/hub-wire.ts';
import { parsedJson } from '#lib/json/json.ts';
import { readBody } from '../../door/exchange.ts';
import type { Log } from '../../process/log.ts';
import { repeat } from '../../process/repeat.ts';
import type { HubCore } from '../core/hub-core.ts';
import { databaseCode } from '../database/database.ts';
import { CiRefused, type CiRules, createCiTokens } from '../edges/ci-join.ts';
import type { ConnectedEdgeStatus } from '../edges/edge-store.ts';
import type { EndReason } from '../metrics/hub-meters.ts';
import { sendPolicies } from '../policies/policy-service.ts';
import { sendRosters } from '../policies/roster-service.ts';
import { EdgeConnection, type HubParts } from './edge-connection.ts';

const MAX_FRAME = MAX_HEADER_BYTES + MAX_BODY_BYTES + 4096;
const MAX_WAITING = 64 * 1024 * 1024;
const PENDING_MS = 2000;
const LEASE_MS = 60_000;
const CHECK_MS = 30_000;
const CRASH_MS = 1000;

type ConnectionParts = Omit<HubParts, 'noteArrival' | keyof HubCore> & HubCore & { failed: (error: unknown) => void };

/** The websockets of machines at one replica; only the newest connection of each machine is live. */
export class EdgeConnections {
	readonly #hub: ConnectionParts;
	readonly #parts: HubParts;
	readonly #all = new Set<EdgeConnection>();
	readonly #live = new Map<number, EdgeConnection>();
	readonly #stopListening = new WeakMap<EdgeConnection, () => void>();
	readonly #replacements: ReturnType<typeof createReplacementCount>;
	readonly #startHelloTimeout: ReturnType<typeof createHelloTimeout>;
	readonly #sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_FRAME });
	readonly #stops: readonly (() => void)[];
	#mayHaveLost = false;

	constructor(hub: ConnectionParts, helloMs?: number) {
		this.#hub = hub;
		this.#replacements = createReplacementCount(hub.now);
		this.#startHelloTimeout = createHelloTimeout(hub.log, helloMs);
		this.#parts = {
			...hub,
			noteArrival: (edge, connection) => this.#arrived(edge, connection),
			onEnded: (why, edge) => this.#ended(why, edge),
		};
		this.#sockets.on('connection', (socket) => this.#open(socket));
		this.#stops = [
			repeat(PENDING_MS, () => this.#sendPending(), hub.failed),
			repeat(CHECK_MS, () => this.#check(), hub.failed),
			repeat(CRASH_MS, () => this.#checkAcknowledged(this.#mayHaveLost), hub.failed),
			repeat(CHECK_MS, () => this.#checkAcknowledged(true), hub.failed),
		];
	}

	edges = (): number[] => [...this.#live.keys()];

	statuses(): ConnectedEdgeStatus[] {
		return [...this.#live.values()].flatMap(({ status }) => status ?? []);
	}

	/** Connections to the database broke: it may have crashed and lost commits. */
	mayHaveLost(): void {
		this.#mayHaveLost = true;
	}

	accept(request: http.IncomingMessage, socket: Duplex, head: Buffer): void {
		this.#sockets.handleUpgrade(request, socket, head, (made) => this.#sockets.emit('connection', made, request));
	}

	endAll(): void {
		for (const stop of this.#stops) stop();
		for (const connection of this.#all) connection.end('later', 'the hub ends');
	}

	close(): void {
		this.#sockets.close();
		for (const socket of this.#sockets.clients) socket.terminate();
	}

	#open(socket: WebSocket) {
		const { writer, log } = this.#hub;
		const connection = new EdgeConnection(socket, this.#parts);
		this.#all.add(connection);
		this.#startHelloTimeout(socket, connection);
		socket.on('message', (data: RawData, isBinary) => {
			if (!isBinary || !Buffer.isBuffer(data)) return connection.end('bad', 'no frame of bytes');
			connection.receive(data);
			if (writer.bytes() < MAX_WAITING) return;
			socket.pause();
			const checkDatabase = setInterval(() => {
				if (writer.bytes() >= MAX_WAITING / 2) return;
				clearInterval(checkDatabase);
				socket.resume();
			}, 50).unref();
		});
		socket.on('error', (error) => log.warn('hub: a connection failed', { reason: error.message }));
		socket.on('close', () => this.#closed(connection));
	}

	#closed(connection: EdgeConnection) {
		const { edge } = connection;
		connection.closed();
		this.#all.delete(connection);
		this.#stopListening.get(connection)?.();
		if (edge !== undefined && this.#live.get(edge) === connection) this.#live.delete(edge);
	}

	#arrived(edge: number, connection: EdgeConnection): boolean {
		const { hints, failed } = this.#hub;
		const before = this.#live.get(edge);
		this.#live.set(edge, connection);
		const readCommands = () => void Promise.all([connection.checkState(), connection.sendCommands()]).catch(failed);
		this.#stopListening.set(connection, hints.listen(`edge:${edge}`, readCommands));
		before?.end('replaced', 'another connection took its place');
		// Ends the previous connection at another replica.
		hints.send(`edge:${edge}`);
		return this.#replacements.areTooMany(edge);
	}

	#ended(why: EndReason, edge: number | undefined) {
		this.#hub.onEnded(why, edge);
		if (why === 'replaced' && edge !== undefined) this.#replacements.add(edge);
	}

	async #sendPending() {
		const { query, commands, identity, now } = this.#hub;
		const edges = this.edges();
		if (edges.length === 0) return;
		await sendPolicies(query, commands, edges);
		await sendRosters(query, commands, identity, edges, now());
		for (const edge of await commands.awaited(edges)) await this.#live.get(edge)?.sendCommands();
		const watched = await query<{ id: number; ms: number }>`SELECT e.id,
			ceil(extract(epoch FROM t.watched_until - now()) * 1000)::int AS ms
			FROM edges e JOIN teams t ON t.id = e.team WHERE e.id = ANY (${edges}) AND t.watched_until > now()`;
		for (const { id, ms } of watched) this.#live.get(id)?.sendLease(Math.min(ms, LEASE_MS));
	}

	async #check() {
		await Promise.all([...this.#all].map((connection) => connection.checkState()));
	}

	/** Checks at once after a crash of the database, and periodically, since a proxy may hide one. */
	async #checkAcknowledged(isDue: boolean) {
		if (!isDue) return;
		this.#mayHaveLost = false;
		try {
			await Promise.all([...this.#all].map((connection) => connection.checkAcknowledged()));
		} catch (error) {
			this.#mayHaveLost = true;
			throw error;
		}
	}
}

const HELLO_MS = 10_000;
const CLOSE_MS = 1000;
const LINE_MS = 60_000;

function createHelloTimeout(log: Log, helloMs = HELLO_MS) {
	let uncounted = 0;
	let loggedAt = Number.NEGATIVE_INFINITY;

	function logRefusals() {
		uncounted += 1;
		if (performance.now() - loggedAt < LINE_MS) return;
		log.warn('hub: who connects without a hello is refused', { since: uncounted });
		loggedAt = performance.now();
		uncounted = 0;
	}

	return (socket: Pick<WebSocket, 'once' | 'terminate'>, connection: Pick<EdgeConnection, 'edge' | 'end'>) => {
		let timer = setTimeout(() => {
			if (connection.edge !== undefined) return;
			connection.end('silent', 'no hello came');
			logRefusals();
			timer = setTimeout(() => socket.terminate(), CLOSE_MS).unref();
		}, helloMs).unref();
		socket.once('close', () => clearTimeout(timer));
	};
}

/** So many replacements within a minute mean that there are two machines. */
const REPLACEMENTS = { count: 3, withinMs: 60_000 };

function createReplacementCount(now: () => number) {
	const replacements = new Map<number, number[]>();
	const recent = (edge: number) => (replacements.get(edge) ?? []).filter((at) => at > now() - REPLACEMENTS.withinMs);
	return {
		add(edge: number) {
			replacements.set(edge, [...recent(edge), now()].slice(-REPLACEMENTS.count));
		},
		areTooMany: (edge: number): boolean => recent(edge).length >= REPLACEMENTS.count,
	};
}

const HELLOS_A_SECOND = 100;
const SECOND_MS = 1000;
const WAIT_SECONDS = { least: 2, most: 60 };

/** Limits hellos, so that connected machines are not kept waiting: undefined to accept, or seconds until the machine may retry. */
export function createAdmission(now: () => number): () => number | undefined {
	const admittedAt = new Array<number>(HELLOS_A_SECOND).fill(Number.NEGATIVE_INFINITY);
	let next = 0;
	let refusals = 0;
	let at = now();
	return () => {
		const before = at;
		at = now();
		// A clock that was set back must refuse nobody.
		if (at < before) admittedAt.fill(Number.NEGATIVE_INFINITY);
		refusals = Math.max(0, refusals - (Math.max(0, at - before) / SECOND_MS) * HELLOS_A_SECOND);
		if (at - (admittedAt[next] ?? 0) >= SECOND_MS) {
			admittedAt[next] = at;
			next = (next + 1) % HELLOS_A_SECOND;
			return;
		}
		refusals += 1;
		// Twice the time that they need, so that half of the capacity is left for others.
		const seconds = Math.ceil((2 * refusals) / HELLOS_A_SECOND);
		return Math.min(WAIT_SECONDS.most, Math.max(WAIT_SECONDS.least, seconds));
	};
}

const IS_THERE = '23505';
const MAX_JOIN = 16 * 1024;
const NO_CODE = 'The code is used up, too old or mistyped. Ask for a new one: `signalbox hub code`.';
const USED_TOKEN = 'A machine has joined by this token of the job already: ask for a new one.';

const Wanted = JoinRequest.or(CiJoinRequest);

export function createJoinAnswer({
	edges,
	identity,
	log,
	now,
	ci,
}: Pick<HubParts, 'edges' | 'identity' | 'log' | 'now'> & { ci: CiRules }) {
	const tokens = createCiTokens(ci.of, now);

	async function answer(request: http.IncomingMessage): Promise<[status: number, body: object]> {
		const body = await new Promise<string | null>((resolve) => readBody(request, MAX_JOIN, resolve));
		const wanted = Wanted.safeParse(parsedJson(body ?? '')).data;
		if (!wanted) return [400, { error: 'The request to join does not fit; join with a Signalbox of this version.' }];
		const joined = await ('code' in wanted
			? edges.join(wanted)
			: tokens.check(wanted.token).then((token) => ci.join(token, wanted)));
		if (!joined) return [403, { error: 'code' in wanted ? NO_CODE : USED_TOKEN }];
		log.info('hub: a machine has joined', { edge: joined.edge, name: wanted.name, pending: joined.pending });
		return [200, { ...joined, root: identity.root }];
	}

	return (request: http.IncomingMessage): Promise<[status: number, body: object]> =>
		answer(request).catch((error: unknown) => {
			if (error instanceof CiRefused) {
				log.warn(`hub: a job may not join: ${error.message}`, { reason: String(error.cause ?? '') });
				return [error.status, { error: error.message }];
			}
			// The code was not used up.
			if (databaseCode(error) === IS_THERE)
				return [409, { error: 'A machine has joined with this key already. Run `signalbox leave`, then join again.' }];
			log.error('hub: a request to join could not be answered', error);
			return [503, { error: 'The hub cannot answer now. Try again.' }];
		});
}
