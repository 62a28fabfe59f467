import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { io as connect, type Socket } from 'socket.io-client';
import type {
	ClientToServer,
	EventBatch,
	ServerToClient,
	SessionSnapshot,
	SessionsUpdate,
	SubscribeReply,
	SubscribeRequest,
	Topic,
} from '#lib/contract/realtime/wire.ts';
import { WIRE_VERSION } from '#lib/contract/realtime/wire-version.ts';
import type { AuthenticatedRequest, Principal } from '../access/principal.ts';
import { createGateway } from '../pages/realtime/gateway.ts';
import type { RealtimeServer } from '../pages/realtime/socket-types.ts';
import { createTailFeed } from '../pages/realtime/tail-feed.ts';
import type { Budget } from '../pages/realtime/unsent.ts';
import { createLog, type Log } from '../process/log.ts';
import { sessionReadsOf } from '../timeline/store/index-store.ts';
import type { SessionReads } from '../timeline/store/session-reads.ts';
import { asLine, createTimelineRig, samplePrompt } from './timeline-rig.ts';

/** Everything that a client got for one topic, and the seq up to which it has all. */
export interface Received {
	batches: EventBatch[];
	snapshots: SessionSnapshot[];
	updates: SessionsUpdate[];
	behind: Topic[];
}

const viewer: Principal = { role: 'viewer', via: 'token', sessionHash: 'viewer-hash' };

/** A real http server with socket.io, the gateway, a tail and timelines; the login is a query parameter. */
export async function startRealtime(
	options: {
		budget?: Budget;
		steady?: () => number;
		log?: Log;
		/** Puts something between the gateway and the index. */
		readsOver?: (reads: SessionReads) => SessionReads;
	} = {},
) {
	const files = createTimelineRig();
	const run = await files.start();
	const server = http.createServer();
	const principals = new Map<string, Principal>([
		['viewer', viewer],
		['operator', { role: 'operator', via: 'browser', sessionHash: 'operator-hash' }],
		['edge', { role: 'edge', via: 'token', sessionHash: 'edge-hash' }],
	]);
	const io: RealtimeServer = new Server(server, {
		serveClient: false,
		transports: ['websocket'],
		perMessageDeflate: false,
		allowRequest: (request: AuthenticatedRequest, accept) => {
			const login = new URL(request.url ?? '', 'http://localhost').searchParams.get('login') ?? '';
			request.principal = principals.get(login);
			accept(null, true);
		},
	});
	const reads = options.readsOver?.(sessionReadsOf(run.index)) ?? sessionReadsOf(run.index);
	const gateway = createGateway({
		io,
		feed: createTailFeed({ ...run, now: Date.now }),
		reads,
		log: createLog(() => undefined),
		...options,
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const clients: Socket[] = [];
	let written = 0;

	return {
		...run,
		reads,
		files,
		io,
		gateway,
		/** Appends `count` prompts and resolves when they are indexed. */
		async write(sessionId: string, count: number, extra?: Record<string, unknown>) {
			for (let n = 0; n < count; n += 1) {
				written += 1;
				files.append(sessionId, asLine(samplePrompt(sessionId, written, extra)));
			}
			run.tail.noteAppended(sessionId);
			await run.tail.whenRead();
		},
		client(login = 'viewer'): Socket<ServerToClient, ClientToServer> {
			const socket: Socket<ServerToClient, ClientToServer> = connect(`http://127.0.0.1:${port}`, {
				transports: ['websocket'],
				query: { login },
				forceNew: true,
				reconnection: false,
			});
			clients.push(socket);
			return socket;
		},
		async close() {
			for (const client of clients) client.disconnect();
			gateway.stop();
			await io.close();
			await run.stop();
		},
	};
}

/** Collects what a client gets. */
export function collect(socket: Socket<ServerToClient, ClientToServer>): Received {
	const received: Received = { batches: [], snapshots: [], updates: [], behind: [] };
	socket.on('events', (batch) => received.batches.push(batch));
	socket.on('snapshot', (snapshot) => received.snapshots.push(snapshot));
	socket.on('sessions', (update) => received.updates.push(update));
	socket.on('behind', ({ topic }) => received.behind.push(topic));
	return received;
}

export function subscribe(
	socket: Socket<ServerToClient, ClientToServer>,
	topic: Topic,
	from: Partial<SubscribeRequest> = {},
): Promise<SubscribeReply> {
	return new Promise((resolve) => {
		socket.emit('subscribe', { version: WIRE_VERSION, topic, epoch: null, since: 0, ...from }, resolve);
	});
}

/** Stops the client's kernel socket, as a frozen browser tab would; the function that it gives lets it read again. */
export function stopReading(client: Socket): () => void {
	const { ws } = client.io.engine.transport as unknown as { ws: { _socket: { pause(): void; resume(): void } } };
	ws._socket.pause();
	return () => ws._socket.resume();
}

/** The seqs of all events in the order in which they came. */
export const seqs = (received: Received) => received.batches.flatMap((batch) => batch.events.map((event) => event.seq));

/** Resolves when `ready` holds, asked at each message that the client gets. */
export function until(socket: Socket<ServerToClient, ClientToServer>, ready: () => boolean): Promise<void> {
	return new Promise((resolve) => {
		// Catch-all listeners are called before the others, which collect.
		const checkSoon = () => setImmediate(check);
		const check = () => {
			if (!ready()) return;
			socket.offAny(checkSoon);
			resolve();
		};
		socket.onAny(checkSoon);
		check();
	});
}

export const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
