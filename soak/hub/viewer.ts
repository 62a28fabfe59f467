import { io as connect, type Socket } from 'socket.io-client';
import { sessionProtocols } from '#lib/contract/access/session-token.ts';
import type { ClientToServer, ServerToClient, Topic } from '#lib/contract/realtime/wire.ts';
import { WIRE_VERSION } from '#lib/contract/realtime/wire-version.ts';
import { applyBatches, applySnapshot, loadingSession, type SessionState } from '#lib/session/session-state.ts';

/** What a page does that cannot be reached: it asks again. */
const AGAIN_MS = 200;

/** A browser's sign-in. */
export interface SignedIn {
	headers: Readonly<Record<string, string>>;
	sessionToken: string;
}

/** A browser that follows sessions as a page does, with the page's own fold. */
export interface Viewer {
	stateOf(name: string): SessionState;
	/** How often it had to ask again: after a lost connection, and when events were missing between two batches. */
	counts: { connected: number; holes: number };
	stop(): void;
}

/** Opens one at the port of a replica, under the address that all replicas share. */
export function openViewer(
	{ port, url, signedIn }: { port: number; url: URL; signedIn: SignedIn },
	names: readonly string[],
): Viewer {
	const states = new Map(names.map((name) => [name, loadingSession(name)]));
	const counts = { connected: 0, holes: 0 };
	let stopped = false;
	const socket: Socket<ServerToClient, ClientToServer> = connect(`http://127.0.0.1:${port}`, {
		transports: ['websocket'],
		forceNew: true,
		reconnectionDelay: 50,
		reconnectionDelayMax: AGAIN_MS,
		timeout: 5000,
		protocols: sessionProtocols(signedIn.sessionToken),
		extraHeaders: { ...signedIn.headers, origin: url.origin, host: url.host },
	});
	const stateOf = (name: string) => states.get(name) ?? loadingSession(name);
	const later = (work: () => void) => void setTimeout(() => !stopped && work(), AGAIN_MS);
	const nameOf = (topic: Topic) => topic.slice('session:'.length);

	function subscribe(name: string) {
		const { epoch, view } = stateOf(name);
		const request = { version: WIRE_VERSION, topic: `session:${name}` as const, epoch, since: view?.seq ?? 0 };
		socket.emit('subscribe', request, (reply) => {
			if (!reply.ok) later(() => socket.connected && subscribe(name));
		});
	}

	socket.on('connect', () => {
		counts.connected += 1;
		for (const name of names) subscribe(name);
	});
	socket.on('connect_error', () => {
		if (!socket.active) later(() => socket.connect());
	});
	socket.on('disconnect', () => {
		if (!socket.active) later(() => socket.connect());
	});
	socket.on('snapshot', (snapshot) => {
		const name = nameOf(snapshot.topic);
		states.set(name, applySnapshot(stateOf(name), snapshot));
	});
	socket.on('events', (batch) => {
		const name = nameOf(batch.topic);
		const next = applyBatches(stateOf(name), [batch]);
		if (next) return void states.set(name, next);
		counts.holes += 1;
		subscribe(name);
	});
	socket.on('behind', ({ topic }) => subscribe(nameOf(topic)));
	return {
		...{ stateOf, counts },
		stop() {
			stopped = true;
			socket.disconnect();
		},
	};
}
