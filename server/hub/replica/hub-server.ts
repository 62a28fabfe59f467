import http from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { SERVER_LIMITS } from '../../http/http-server.ts';
import type { Log } from '../../process/log.ts';
import { describeTakenPort, isPortTaken } from '../../process/port-holder.ts';
import { repeat } from '../../process/repeat.ts';
import type { TailBatch } from '../../timeline/tail/session-reader.ts';
import { createAdmission, createJoinAnswer, EdgeConnections } from '../connections/edge-connections.ts';
import type { HubCore } from '../core/hub-core.ts';
import { createHubJournal } from '../core/hub-journal.ts';
import { type HubDatabase, openHubDatabase } from '../database/database.ts';
import type { HubIdentity } from '../database/hub-key.ts';
import { createEdgeCommands } from '../decisions/edge-commands.ts';
import { createGrantStore } from '../decisions/grant-store.ts';
import { createHubApprovals, type HubApprovals } from '../decisions/hub-approvals.ts';
import { createHubGrants, type HubGrants, startGrantRevocation } from '../decisions/hub-grants.ts';
import { createTicketStore } from '../decisions/ticket-store.ts';
import { createWithdrawal } from '../decisions/withdraw-command.ts';
import { createCiRules } from '../edges/ci-join.ts';
import { createCommandStore } from '../edges/command-store.ts';
import { createEdgeStore, type EdgeStore } from '../edges/edge-store.ts';
import { type FeatureFiles, openFeatureStore } from '../features/feature-intake.ts';
import { createWriteHints, type HintState, openHints } from '../hints/hints.ts';
import { startHubJobs } from '../jobs/hub-jobs.ts';
import { createHubMeters, type HubMeters, meterStore, refusalLabel } from '../metrics/hub-meters.ts';
import { createHubReader, createMetricsAnswer, hasMetricsToken } from '../metrics/hub-metrics.ts';
import { createEdgeJournalStore } from '../timelines/edge-journal-store.ts';
import { createEdgeRateLimits } from '../timelines/edge-rate-limits.ts';
import { HUB_VERSIONS, type HubVersions } from '../timelines/load-session.ts';
import type { ObjectStore } from '../timelines/object-store.ts';
import type { HubStore } from '../timelines/postgres-store.ts';
import { createPostgresStore, openTogether } from '../timelines/postgres-store.ts';
import { RangeFold } from '../timelines/range-fold.ts';
import { createRangeWriter } from '../timelines/range-writer.ts';

const SILENT_MS = 60_000;

export interface HubServer {
	port: number;
	state(): { edges: number; waitingBytes: number; database: boolean; hints: HintState };
	onBatch: HubBase['onBatch'];
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
	pages?: (base: HubBase) => Promise<HubPages>;
}

interface HubPages {
	server: http.Server;
	stop(): Promise<void>;
}

/** Starts a replica: connections of machines, pages and jobs over one database. */
export async function startHub(options: HubServerOptions): Promise<HubServer> {
	const { databaseUrl, redisUrl, identity, host, port, log, now = Date.now } = options;
	const { metricsToken: token, helloMs, mostSessions, versions = HUB_VERSIONS, objects } = options;
	const failed = (error: unknown) =>
		log.warn('hub: the database failed, and is asked again', { reason: String(error) });
	const database = openHubDatabase(databaseUrl, (error) => {
		connections.mayHaveLost();
		failed(error);
	});
	const { query } = database;
	const hints = openHints({ redisUrl, privateKey: identity.privateKey, log });
	const hub: HubCore = { query, identity, hints, journal: createHubJournal(query, identity.privateKey, now), now };
	const meters = createHubMeters(now);
	const { fold: version, wire } = versions;
	const store = meterStore(
		createPostgresStore(database, { now, failed, objects, fold: version, mostSessions }),
		meters,
	);
	const edges = createEdgeStore(query);
	const journals = createEdgeJournalStore(query);
	const commands = createCommandStore(query, identity);
	const tickets = createTicketStore(query, journals.histories, now);
	const grantStore = createGrantStore(query, journals.histories, now);
	const edgeCommands = createEdgeCommands(hub, commands);
	const features = openFeatureStore(query, objects, now);
	const fold = new RangeFold({
		store,
		journalRows: journals.rows,
		now,
		quarantined(error) {
			meters.signalbox_hub_ranges_quarantined_total.add();
			log.warn('hub: what an edge has sent could not be kept, and is shown as a gap', { reason: String(error) });
		},
	});
	const writer = createRangeWriter(fold, log);
	const writeHints = createWriteHints(hints);
	const listeners = new Set<(batch: TailBatch) => void>();
	const onBatch: HubBase['onBatch'] = (listener) => {
		listeners.add(listener);
		return () => listeners.delete(listener);
	};
	const connections = new EdgeConnections(
		{
			...hub,
			wire,
			store,
			edges,
			journals,
			commands,
			tickets,
			writer,
			features,
			log,
			failed,
			open: openTogether(store),
			rateLimits: createEdgeRateLimits(now),
			admit: createAdmission(now),
			withdraw: createWithdrawal(hub, { commands, tickets }),
			onCommitted({ batch, listed }) {
				if (!batch) return;
				for (const listener of listeners) listener(batch);
				writeHints.noteWritten(batch, listed);
			},
			onAnswered({ state, why }) {
				if (state === 'refused') meters.signalbox_hub_refusals_total.add(1, refusalLabel(why));
			},
			onEnded: (why) => meters.signalbox_hub_connections_ended_total.add(1, why),
		},
		helloMs,
	);
	const state = () => ({
		edges: connections.edges().length,
		waitingBytes: writer.bytes(),
		database: !writer.isFailing(),
		hints: hints.state(),
	});
	const approvals = createHubApprovals(hub, { tickets, commands, edgeCommands, meters });
	const grants = createHubGrants(hub, { grantStore, tickets, edgeCommands });
	const pages = await options.pages?.({
		hub,
		database,
		store,
		edges,
		onBatch,
		approvals,
		grants,
		meters,
		featureFiles: features.files,
	});
	let draining = false;
	const server = createHubHttp({
		pages,
		connections,
		state,
		token,
		isServing: () => !writer.isFailing() && !draining,
		answerJoin: createJoinAnswer({ edges, identity, log, now, ci: createCiRules(query) }),
		answerMetrics: createMetricsAnswer({
			token,
			read: createHubReader(hub, meters, () => ({ ...state(), standings: connections.statuses() })),
		}),
		isDraining: () => draining,
	});
	await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve)).catch(
		async (error: unknown) => {
			await pages?.stop();
			await store.close();
			throw isPortTaken(error) ? new Error(describeTakenPort(port, 'hub')) : error;
		},
	);
	const jobs = startHubJobs({ databaseUrl, database, store: objects, fold: version, now, log });
	const stops = [
		startGrantRevocation(hub, { grantStore, edgeCommands, edges: connections.edges }, failed),
		repeat(SILENT_MS, () => edges.endSilent(), failed),
	];
	const address = server.address();
	return {
		port: typeof address === 'object' && address ? address.port : port,
		state,
		onBatch,
		async drain() {
			draining = true;
			for (const stop of stops) stop();
			connections.endAll();
			server.close();
			await writer.stop();
			await fold.storeViews().catch(failed);
			await pages?.stop();
			writeHints.stop();
			await hints.stop();
			connections.close();
			server.closeAllConnections();
			await jobs.stop();
			await store.close();
		},
	};
}

interface HubHttpParts {
	pages: HubPages | undefined;
	connections: Pick<EdgeConnections, 'accept'>;
	state: HubServer['state'];
	token: string | undefined;
	isServing: () => boolean;
	isDraining: () => boolean;
	answerJoin: ReturnType<typeof createJoinAnswer>;
	answerMetrics: ReturnType<typeof createMetricsAnswer>;
}

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** HTTP requests of machines, probes and browsers to a replica. */
function createHubHttp(parts: HubHttpParts): http.Server {
	const { pages, connections, state, token, isServing, isDraining, answerJoin, answerMetrics } = parts;
	const server = http.createServer(SERVER_LIMITS, (request, response) => {
		const answer = (status: number, text: string, type = 'application/json') => {
			const more = status === 401 && { 'www-authenticate': 'Bearer' };
			response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', ...more }).end(text);
		};
		const answerJson = (status: number, body: object) => answer(status, `${JSON.stringify(body)}\n`);
		const [path, query = ''] = (request.url ?? '').split('?', 2);
		if (request.method === 'GET' && (path === '/metrics' || path === '/health')) {
			if (path === '/metrics' || new URLSearchParams(query).has('deep'))
				return void answerMetrics(path, request).then(([status, text]) =>
					answer(status, text, path === '/metrics' && status === 200 ? METRICS_TYPE : undefined),
				);
			const ok = isServing();
			return answerJson(ok ? 200 : 503, { ok, ...(hasMetricsToken(request, token) && state()) });
		}
		if (request.method === 'POST' && path === '/edge/join')
			return void answerJoin(request).then(([status, body]) => answerJson(status, body));
		if (pages) return void pages.server.emit('request', request, response);
		answerJson(404, { error: 'There is nothing here.' });
	});
	return server.on('upgrade', (request, socket, head) => {
		const isEdge = request.url?.split('?', 1)[0] === '/edge';
		if (!isEdge && pages && !isDraining()) return void pages.server.emit('upgrade', request, socket, head);
		// Browsers send an origin, edges do not.
		if (!isEdge || isDraining() || request.headers.origin !== undefined) return void socket.destroy();
		connections.accept(request, socket, head);
	});
}

const GROWTH = 100;

/** V8 would let the heap grow to several times what is used; a hard limit would end a busy replica. */
export const holdLessMemory = (): void => setFlagsFromString(`--heap-growing-percent=${GROWTH}`);

export interface HubBase {
	hub: HubCore;
	database: HubDatabase;
	store: HubStore;
	edges: EdgeStore;
	onBatch(listener: (batch: TailBatch) => void): () => void;
	approvals: HubApprovals;
	grants: HubGrants;
	featureFiles: FeatureFiles | undefined;
	meters: HubMeters;
}
