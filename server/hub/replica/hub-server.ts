import http from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { MAX_BODY_BYTES, MAX_HEADER_BYTES } from '#lib/contract/hub/hub-wire.ts';
import { SERVER_LIMITS } from '../../http/http-server.ts';
import type { Log } from '../../process/log.ts';
import { describeTakenPort, isPortTaken } from '../../process/port-holder.ts';
import { repeat } from '../../process/repeat.ts';
import type { HubStore } from '../../timeline/store/hub-store.ts';
import type { TailBatch } from '../../timeline/tail/session-reader.ts';
import { createJoinAnswer } from '../connections/answer-join.ts';
import { EdgeConnection, type HubParts } from '../connections/edge-connection.ts';
import { createAdmission, startEdgeRounds, watchConnections } from '../connections/edge-rounds.ts';
import { type HubDatabase, openHubDatabase } from '../database/database.ts';
import type { HubIdentity } from '../database/hub-key.ts';
import { createGrantStore } from '../decisions/grant-store.ts';
import { createHubApprovals, type HubApprovals } from '../decisions/hub-approvals.ts';
import { createHubGrants, type HubGrants, startGrantTakeBack } from '../decisions/hub-grants.ts';
import { createMachineCommands } from '../decisions/machine-commands.ts';
import { createTicketStore } from '../decisions/ticket-store.ts';
import { createWithdrawal } from '../decisions/withdrawal.ts';
import { createFeatureKeeping, type FeatureFiles } from '../features/feature-store.ts';
import { type HintState, type Hints, openHints } from '../hints/hints.ts';
import { createWriteHints } from '../hints/session-hint.ts';
import { startHubJobs } from '../jobs/hub-jobs.ts';
import { createCiRules } from '../machines/ci-join.ts';
import { createCommandStore } from '../machines/command-store.ts';
import { createEdgeStore, type EdgeStore } from '../machines/edge-store.ts';
import { createHubMeters, type HubMeters, meterStore, refusalLabel } from '../metrics/hub-meters.ts';
import { createHubReader, createMetricsAnswer, hasMetricsToken } from '../metrics/hub-metrics.ts';
import { createEdgeJournalStore } from '../timelines/edge-journal-store.ts';
import { createEdgeRateLimits } from '../timelines/edge-rate-limits.ts';
import { HUB_VERSIONS, type HubVersions } from '../timelines/load-session.ts';
import type { ObjectStore } from '../timelines/object-store.ts';
import { createPostgresStore, openTogether } from '../timelines/postgres-store.ts';
import { RangeFold } from '../timelines/range-fold.ts';
import { createRangeWriter } from '../timelines/range-writer.ts';

const LARGEST_FRAME = MAX_HEADER_BYTES + MAX_BODY_BYTES + 4096;
const SILENT_MS = 60_000;
const MOST_WAITING = 64 * 1024 * 1024;

export interface HubServer {
	port: number;
	state(): { edges: number; waitingBytes: number; database: boolean; hints: HintState };
	onBatch(listener: (batch: TailBatch) => void): () => void;
	drain(): Promise<void>;
}

export interface HubServerOptions {
	databaseUrl: string;
	redisUrl?: string | undefined;
	identity: HubIdentity;
	host: string;
	port: number;
	log: Log;
	now?: () => number;
	metricsToken?: string | undefined;
	helloMs?: number | undefined;
	mostSessions?: number | undefined;
	versions?: HubVersions;
	objects?: ObjectStore | undefined;
	pages?: (base: HubBase) => Promise<{ server: http.Server; stop(): Promise<void> }>;
}

export async function startHub({
	databaseUrl,
	redisUrl,
	identity,
	host,
	port,
	log,
	now = Date.now,
	metricsToken,
	helloMs,
	mostSessions,
	versions = HUB_VERSIONS,
	objects,
	pages: openPages,
}: HubServerOptions): Promise<HubServer> {
	const failed = (error: unknown) =>
		log.warn('hub: the database failed, and is asked again', { reason: String(error) });
	const connections = new Set<EdgeConnection>();
	const connectionWatch = watchConnections(connections, failed);
	const database = openHubDatabase(databaseUrl, (error) => {
		connectionWatch.mayHaveLost();
		failed(error);
	});
	const meters = createHubMeters(now);
	const store = meterStore(
		createPostgresStore(database, { now, failed, objects, fold: versions.fold, mostSessions }),
		meters,
	);
	const edges = createEdgeStore(database.ask);
	const journals = createEdgeJournalStore(database.ask);
	const commands = createCommandStore(database.ask, identity);
	const tickets = createTicketStore(database.ask, journals.histories, now);
	const quarantined = (error: unknown) => {
		meters.signalbox_hub_ranges_quarantined_total.add();
		log.warn('hub: what an edge has sent could not be kept, and is shown as a gap', { reason: String(error) });
	};
	const fold = new RangeFold({ store, journalRows: journals.rows, now, quarantined });
	const writer = createRangeWriter(fold, log);
	const hints = openHints({ redisUrl, privateKey: identity.privateKey, log });
	const writeHints = createWriteHints(hints);
	const listeners = new Set<(batch: TailBatch) => void>();
	const live = new Map<number, EdgeConnection>();
	const deafen = new WeakMap<EdgeConnection, () => void>();
	const turns = createTurns(now);
	let draining = false;

	const features = createFeatureKeeping(database.ask, objects, now);
	const parts: HubParts = {
		open: openTogether(store),
		...{ identity, wire: versions.wire, store, edges, journals, commands, tickets, hints, writer, log, now },
		paces: createEdgeRateLimits(now),
		admit: createAdmission(now),
		features,
		withdraw: createWithdrawal({ ask: database.ask, commands, tickets, identity, hints, now }),
		arrived(edge, connection) {
			const before = live.get(edge);
			live.set(edge, connection);
			const readCommands = () => void Promise.all([connection.check(), connection.command()]).catch(failed);
			deafen.set(connection, hints.hear(`edge:${edge}`, readCommands));
			before?.end('replaced', 'another connection took its place');
			// Ends the previous connection at another replica.
			hints.tell(`edge:${edge}`);
			return turns.areTooMany(edge);
		},
		committed({ batch, listed }) {
			if (!batch) return;
			for (const listener of listeners) listener(batch);
			writeHints.written(batch, listed);
		},
		answered({ state, why }) {
			if (state === 'refused') meters.signalbox_hub_refusals_total.add(1, refusalLabel(why));
		},
		ended(why, edge) {
			meters.signalbox_hub_connections_ended_total.add(1, why);
			if (why === 'replaced' && edge !== undefined) turns.took(edge);
		},
	};

	const awaitHello = createHelloAwait({ log, helloMs });
	const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: LARGEST_FRAME });
	sockets.on('connection', (socket) => {
		const connection = new EdgeConnection(socket, parts);
		connections.add(connection);
		awaitHello(socket, connection);
		socket.on('message', (data: RawData, isBinary) => {
			if (!isBinary || !Buffer.isBuffer(data)) return connection.end('bad', 'no frame of bytes');
			connection.take(data);
			if (writer.bytes() < MOST_WAITING) return;
			socket.pause();
			const checkDatabase = setInterval(() => {
				if (writer.bytes() >= MOST_WAITING / 2) return;
				clearInterval(checkDatabase);
				socket.resume();
			}, 50).unref();
		});
		socket.on('error', (error) => log.warn('hub: a connection failed', { reason: error.message }));
		socket.on('close', () => {
			connection.closed();
			connections.delete(connection);
			deafen.get(connection)?.();
			if (connection.edge !== undefined && live.get(connection.edge) === connection) live.delete(connection.edge);
		});
	});

	const answerJoin = createJoinAnswer({ ...parts, ci: createCiRules(database.ask) });

	const onBatch: HubBase['onBatch'] = (listener) => {
		listeners.add(listener);
		return () => listeners.delete(listener);
	};
	const machines = createMachineCommands({ ask: database.ask, commands, identity, hints, now });
	const approvals = createHubApprovals({ ask: database.ask, tickets, commands, machines, identity, meters, now });
	const { origin } = identity.root;
	const grantStore = createGrantStore(database.ask, journals.histories, now);
	const grants = createHubGrants({ ask: database.ask, grantStore, tickets, machines, identity, now });
	const pages = await openPages?.({
		...{ database, store, identity, edges, onBatch, hints, approvals, grants, meters },
		featureFiles: features.files,
	});
	const standings = () => [...live.values()].flatMap(({ status }) => status ?? []);
	const replica = () => ({ connected: live.size, ...state(), standings: standings() });
	const read = createHubReader({ ask: database.ask, meters, replica, now });
	const serves = () => !writer.isFailing() && !draining;
	const answerMetrics = createMetricsAnswer({ token: metricsToken, read });
	const server = http.createServer(SERVER_LIMITS, (request, response) => {
		if (answerMetrics(request, response)) return;
		const path = pathOf(request);
		const answerJson = (status: number, body: object) => {
			response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
			response.end(`${JSON.stringify(body)}\n`);
		};
		if (request.method === 'GET' && path === '/health')
			return answerJson(serves() ? 200 : 503, { ok: serves(), ...(hasMetricsToken(request, metricsToken) && state()) });
		if (request.method !== 'POST' || path !== '/edge/join') {
			if (pages) return void pages.server.emit('request', request, response);
			return answerJson(404, { error: 'There is nothing here.' });
		}
		void answerJoin(request).then(([status, body]) => answerJson(status, body));
	});
	server.on('upgrade', (request, socket, head) => {
		const isEdge = pathOf(request) === '/edge';
		if (!isEdge && pages && !draining) return void pages.server.emit('upgrade', request, socket, head);
		// Browsers send an origin, edges do not.
		if (!isEdge || draining || request.headers.origin !== undefined) return void socket.destroy();
		sockets.handleUpgrade(request, socket, head, (made) => sockets.emit('connection', made, request));
	});
	await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve)).catch(
		async (error: unknown) => {
			await pages?.stop();
			await store.close();
			throw isPortTaken(error) ? new Error(describeTakenPort(port, 'hub')) : error;
		},
	);
	const jobs = startHubJobs({ databaseUrl, database, store: objects, fold: versions.fold, now, log });
	const connected = () => [...live.keys()];
	const stopTakingBack = startGrantTakeBack(
		{ ask: database.ask, origin, grantStore, machines, edges: connected },
		failed,
	);
	const stopEnding = repeat(SILENT_MS, () => edges.endSilent(), failed);
	const stopRounds = startEdgeRounds({ ask: database.ask, commands, identity, live, now, failed });

	const state = () => ({
		edges: live.size,
		waitingBytes: writer.bytes(),
		database: !writer.isFailing(),
		hints: hints.state(),
	});
	const address = server.address();
	return {
		port: typeof address === 'object' && address ? address.port : port,
		state,
		onBatch,
		async drain() {
			draining = true;
			stopRounds();
			stopTakingBack();
			stopEnding();
			connectionWatch.stop();
			for (const connection of connections) connection.end('later', 'the hub ends');
			server.close();
			await writer.stop();
			await fold.keepViews().catch(failed);
			await pages?.stop();
			writeHints.stop();
			await hints.stop();
			sockets.close();
			for (const socket of sockets.clients) socket.terminate();
			server.closeAllConnections();
			await jobs.stop();
			await store.close();
		},
	};
}

const pathOf = ({ url = '' }: http.IncomingMessage) => url.split('?', 1)[0];

const HELLO_MS = 10_000;
const CLOSE_MS = 1000;
const LINE_MS = 60_000;

function createHelloAwait({ log, helloMs = HELLO_MS }: { log: Log; helloMs?: number | undefined }) {
	let untold = 0;
	let toldAt = Number.NEGATIVE_INFINITY;

	function logRefusals() {
		untold += 1;
		if (performance.now() - toldAt < LINE_MS) return;
		log.warn('hub: who connects without a hello is sent away', { since: untold });
		toldAt = performance.now();
		untold = 0;
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

/** So many replacements within a minute are two machines. */
const TURNS = { count: 3, withinMs: 60_000 };

function createTurns(now: () => number) {
	const turns = new Map<number, number[]>();
	const recent = (edge: number) => (turns.get(edge) ?? []).filter((at) => at > now() - TURNS.withinMs);
	return {
		took(edge: number) {
			turns.set(edge, [...recent(edge), now()].slice(-TURNS.count));
		},
		areTooMany: (edge: number): boolean => recent(edge).length >= TURNS.count,
	};
}

const GROWTH = 100;

/** V8 would let the heap grow to several times what is used; a hard limit would end a busy replica. */
export const holdLessMemory = (): void => setFlagsFromString(`--heap-growing-percent=${GROWTH}`);

export interface HubBase {
	database: HubDatabase;
	store: HubStore;
	identity: HubIdentity;
	edges: EdgeStore;
	onBatch(listener: (batch: TailBatch) => void): () => void;
	hints: Hints;
	approvals: HubApprovals;
	grants: HubGrants;
	featureFiles: FeatureFiles | undefined;
	meters: HubMeters;
}
