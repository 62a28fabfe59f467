import http from 'node:http';
import { Server as SocketServer } from 'socket.io';
import { AppError } from '#lib/contract/errors.ts';
import { SubscribeRequest, type Topic, Topic as TopicSchema } from '#lib/contract/realtime/wire.ts';
import { WIRE_VERSION } from '#lib/contract/realtime/wire-version.ts';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { isHomeSession, isSessionName } from '#lib/ids/session-name.ts';
import { principalOf } from '../../access/principal.ts';
import { createPresence } from '../../approvals/presence.ts';
import type { IncidentLog } from '../../journal/incidents/incident-log.ts';
import type { Log } from '../../process/log.ts';
import type { Feed, FeedBatch } from '../../timeline/feed.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';
import { createSessionChannel, type SessionChannel } from './session-channel.ts';
import type { RealtimeServer, ServerSocket } from './socket-types.ts';
import { createThrottle } from './throttle.ts';
import { type Budget, createUnsentLimit, defaultBudget, isOverBudget, whenReady } from './unsent.ts';

/** A browser watches a handful of sessions; more is a mistake or an attack. */
const MAX_TOPICS = 64;

const BROKE_OFF: ReadonlySet<string> = new Set(['transport close', 'transport error', 'ping timeout']);

const sessionOf = (topic: Topic): string => topic.slice('session:'.length);

/** The request, or why it is refused. An older client may send fields that no longer fit, so its version comes first. */
function readRequest(message: unknown): SubscribeRequest | 'client-too-old' | 'invalid' {
	const version = typeof message === 'object' && message !== null && 'version' in message ? message.version : undefined;
	if (typeof version === 'number' && version !== WIRE_VERSION) return 'client-too-old';
	const read = SubscribeRequest.safeParse(message);
	return read.success ? read.data : 'invalid';
}

/** Sends each session in seq order without holes: the first event at once, later ones in batches of 25 ms. */
export function createGateway(options: {
	io: RealtimeServer;
	feed: Feed;
	reads: Pick<SessionReads, 'headOf' | 'snapshot' | 'eventsSince'>;
	log: Log;
	now?: () => number;
	steady?: () => number;
	budget?: Budget;
}) {
	const { io, feed, reads, log, now = Date.now, budget = defaultBudget } = options;
	const limitUnsent = createUnsentLimit(budget, log);
	const connectedSockets = () => [...io.of('/').sockets.values()];
	const isOperator = (socket: ServerSocket) => socket.data.principal.role === 'operator';
	const steady = options.steady ?? (() => performance.now());
	const presence = createPresence({ isConnected: () => connectedSockets().some(isOperator), monotonicNow: steady });
	const sessions = new Map<string, { channel: SessionChannel; unwatch: () => void }>();
	const list = createListChannel({
		io,
		feed,
		now,
		budget,
		failed: (error) => log.error('realtime: the list could not be read', error),
	});

	/** An AppError is no bug. */
	const notRead = (session: string) => (error: unknown) => {
		if (error instanceof AppError)
			log.warn('realtime: a session cannot be read now', { session, reason: error.message });
		else log.error('realtime: a session could not be read', error, { session });
	};
	const channelOf = (sessionId: string): SessionChannel => {
		const known = sessions.get(sessionId);
		if (known) return known.channel;
		const channel = createSessionChannel({ io, reads, sessionId, budget, failed: notRead(sessionId) });
		sessions.set(sessionId, { channel, unwatch: feed.watch(`session:${sessionId}`) });
		return channel;
	};

	const leave = (socket: ServerSocket, topic: Topic) => {
		if (topic === 'sessions') return list.leave(socket);
		const sessionId = sessionOf(topic);
		const watched = sessions.get(sessionId);
		watched?.channel.leave(socket);
		if (!watched?.channel.isEmpty) return;
		watched.channel.stop();
		watched.unwatch();
		sessions.delete(sessionId);
	};

	const stopListening = [
		feed.onBatch((batch) => sessions.get(batch.sessionId)?.channel.publish(batch), 'read'),
		feed.onBatch(list.publish),
	];

	io.use((socket, next) => {
		const principal = principalOf(socket.request);
		if (!principal || principal.role === 'edge') return next(new Error('auth/forbidden'));
		socket.data.principal = principal;
		next();
	});

	io.on('connection', (socket) => {
		limitUnsent(socket);
		limitMessages(socket, steady);
		const topics = new Set<Topic>();
		socket.on('subscribe', (message, reply) => {
			if (typeof reply !== 'function') return;
			const request = readRequest(message);
			if (typeof request === 'string') return reply({ ok: false, reason: request });
			const { topic } = request;
			if (!topics.has(topic) && topics.size >= MAX_TOPICS) return reply({ ok: false, reason: 'invalid' });
			// Counted at once: many may be requested before the first is answered.
			topics.add(topic);
			const accept = () => reply({ ok: true });
			if (topic === 'sessions') return list.subscribe(socket, request.zone ?? 0, accept);
			const refuse = () => {
				topics.delete(topic);
				leave(socket, topic);
				reply({ ok: false, reason: 'not-found' });
			};
			const sessionId = sessionOf(topic);
			if (!isSessionName(sessionId)) return refuse();
			channelOf(sessionId)
				.subscribe(socket, request, accept)
				.then((found) => found || refuse())
				.catch((error: unknown) => {
					notRead(sessionId)(error);
					refuse();
				});
		});
		socket.on('unsubscribe', (message) => {
			const topic = TopicSchema.safeParse(message);
			if (!topic.success || !topics.delete(topic.data)) return;
			leave(socket, topic.data);
		});
		socket.on('disconnect', (reason) => {
			for (const topic of topics) leave(socket, topic);
			if (isOperator(socket) && BROKE_OFF.has(reason)) presence.left(socket.data.principal.sessionHash);
		});
		socket.on('error', (error) => log.warn('realtime: a connection failed', { reason: error.message }));
	});

	const dropLogin = (sessionHash: string): void => {
		presence.forget(sessionHash);
		for (const socket of connectedSockets()) {
			if (socket.data.principal.sessionHash === sessionHash) socket.disconnect(true);
		}
	};

	return {
		presence: presence.state,
		dropLogin,
		/** Ends connections of sign-ins and tokens that expired or that another program has ended. */
		dropEnded(isValid: (sessionHash: string) => boolean): void {
			const hashes = new Set(connectedSockets().map((socket) => socket.data.principal.sessionHash));
			for (const hash of hashes) if (!isValid(hash)) dropLogin(hash);
		},
		stop(): void {
			for (const stop of stopListening) stop();
			list.stop();
			for (const { channel, unwatch } of sessions.values()) {
				channel.stop();
				unwatch();
			}
		},
	};
}

const PER_SECOND = 50;

/** Ends a connection with more than fifty messages within a second. */
export function limitMessages(socket: ServerSocket, steady: () => number): void {
	let since = steady();
	let count = 0;
	socket.use((_message, next) => {
		const now = steady();
		if (now - since >= 1000) [since, count] = [now, 0];
		count += 1;
		if (count <= PER_SECOND) return next();
		socket.disconnect(true);
	});
}

/** A browser's message is a subscription; anything larger is a mistake or an attack. */
const MAX_MESSAGE = 64 * 1024;

/** The server never listens: the gate passes it the upgrades that it has checked. */
export function createRealtime(): { io: RealtimeServer; upgrades: http.Server } {
	const upgrades = http.createServer();
	const io: RealtimeServer = new SocketServer(upgrades, {
		serveClient: false,
		transports: ['websocket'],
		perMessageDeflate: false,
		maxHttpBufferSize: MAX_MESSAGE,
	});
	return { io, upgrades };
}

/** Sends the incidents to every page, when it comes and whenever they change. */
export function sendIncidents(io: RealtimeServer, incidents: IncidentLog): void {
	io.on('connection', (socket) => socket.emit('incidents', incidents.list()));
	incidents.onChange((list) => io.emit('incidents', list));
}

interface Watcher {
	socket: ServerSocket;
	zone: number;
	/** Changes during the first page, by session; undefined once it has the page. */
	missed: Map<string, SummaryAt> | undefined;
	left: boolean;
}

type SummaryAt = (now: number) => SessionSummary;

const WINDOW_MS = 100;
const RETRY_MS = 1000;

function createListChannel(options: {
	io: RealtimeServer;
	feed: Pick<Feed, 'summaries' | 'counts' | 'listEpoch' | 'watch'>;
	now: () => number;
	budget: Budget;
	failed: (error: unknown) => void;
}) {
	const { io, feed, now, budget, failed } = options;
	const watchers = new Map<string, Watcher>();
	let changed = new Map<string, SummaryAt>();
	let unwatch: (() => void) | undefined;
	let epoch = feed.listEpoch();
	let sending = Promise.resolve();

	/** A client that asks repeatedly and reads nothing gets one page only. */
	const begin = (watcher: Watcher): void => {
		whenReady(watcher.socket, budget, () => {
			sendFirst(watcher).catch((error: unknown) => {
				failed(error);
				if (!watcher.left) setTimeout(begin, RETRY_MS, watcher).unref();
			});
		});
	};

	const sendFirst = async (watcher: Watcher): Promise<void> => {
		while (!watcher.left) {
			const missed = new Map<string, SummaryAt>();
			watcher.missed = missed;
			const of = epoch;
			const at = now();
			const page = await feed.summaries({ first: true, now: at, zone: watcher.zone });
			if (watcher.left || of !== epoch) continue;
			watcher.socket.emit('sessions', { topic: 'sessions', epoch, full: true, now: at, ...page });
			watcher.missed = undefined;
			for (const [id, summaryAt] of missed) changed.set(id, summaryAt);
			if (missed.size > 0) throttle.request();
			return;
		}
	};

	const remove = (watcher: Watcher): void => {
		watcher.left = true;
		watchers.delete(watcher.socket.id);
		if (watchers.size > 0) return;
		unwatch?.();
		unwatch = undefined;
	};

	const leaveOut = (watcher: Watcher): void => {
		remove(watcher);
		watcher.socket.emit('behind', { topic: 'sessions' });
		whenReady(watcher.socket, budget, () => undefined);
	};

	const send = async (lines: ReadonlyMap<string, SummaryAt>, of: string): Promise<void> => {
		const at = now();
		const sessions = [...lines.values()].map((summaryAt) => summaryAt(at));
		// Lists differ only by the reader's zone, so one is encoded for each zone.
		for (const zone of new Set([...watchers.values()].map((watcher) => watcher.zone))) {
			const counts = await feed.counts(zone);
			if (of !== epoch) return;
			const live = [...watchers.values()].filter((watcher) => watcher.zone === zone && !watcher.missed);
			const ids = live.map(({ socket }) => socket.id);
			if (ids.length === 0) continue;
			io.to(ids).emit('sessions', { topic: 'sessions', epoch, full: false, sessions, counts, now: at });
		}
	};

	const flush = (): void => {
		const lines = changed;
		const of = epoch;
		changed = new Map();
		for (const watcher of watchers.values()) if (isOverBudget(watcher.socket, budget)) leaveOut(watcher);
		sending = sending
			.then(() => send(lines, of))
			.catch((error: unknown) => {
				// They are sent with the next change.
				if (of === epoch) for (const [id, summaryAt] of lines) if (!changed.has(id)) changed.set(id, summaryAt);
				failed(error);
			});
	};
	const throttle = createThrottle(WINDOW_MS, flush);

	return {
		/** `zone`: how many minutes UTC is ahead of the reader's clock. */
		subscribe(socket: ServerSocket, zone: number, accept: () => void): void {
			if (watchers.size === 0) epoch = feed.listEpoch();
			unwatch ??= feed.watch('sessions');
			const former = watchers.get(socket.id);
			if (former) former.left = true;
			const watcher: Watcher = { socket, zone, missed: new Map(), left: false };
			watchers.set(socket.id, watcher);
			accept();
			begin(watcher);
		},
		leave(socket: ServerSocket): void {
			const watcher = watchers.get(socket.id);
			if (watcher) remove(watcher);
		},
		publish({ sessionId, summary }: FeedBatch): void {
			if (watchers.size === 0 || !summary || isHomeSession(sessionId)) return;
			if (feed.listEpoch() !== epoch) {
				epoch = feed.listEpoch();
				changed.clear();
				// Watchers that wait for a first page get one of the new epoch.
				for (const watcher of watchers.values()) if (!watcher.missed) begin(watcher);
			}
			changed.set(sessionId, summary);
			for (const { missed } of watchers.values()) missed?.set(sessionId, summary);
			throttle.request();
		},
		stop(): void {
			throttle.stop();
			unwatch?.();
		},
	};
}
