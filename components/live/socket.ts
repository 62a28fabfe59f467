import { io, type Socket } from 'socket.io-client';
import { SESSION_KEY, sessionProtocols } from '#lib/contract/access/session-token.ts';
import type { ClientToServer, EventBatch, ServerToClient, SessionsUpdate, Topic } from '#lib/contract/realtime/wire.ts';
import { WIRE_VERSION } from '#lib/contract/realtime/wire-version.ts';
import { mergeSummaries } from '#lib/session/session-list.ts';
import { applyBatches, applySnapshot, loadingSession } from '#lib/session/session-state.ts';
import { sessionToken } from './browser-storage.ts';
import { callRoute } from './call-route.ts';
import { liveStore, lost } from './store.ts';

/** Minimum interval (ms) between renders, because rendering takes longer than receiving an event. */
const UPDATE_MS = 20;

type LiveSocket = Socket<ServerToClient, ClientToServer>;

const topicOf = (sessionId: string): Topic => `session:${sessionId}`;

const CUT_PAUSE_MS = 1_000;

/** Connects this tab and reconnects when necessary. Returns a function that disconnects. */
export function startLive(): () => void {
	const socket: LiveSocket = io({ transports: ['websocket'], reconnectionDelayMax: 4000, autoConnect: false });
	const { getState, setState } = liveStore;
	let waiting: EventBatch[] = [];
	let flushedAt = 0;
	let again: ReturnType<typeof setTimeout> | undefined;

	/** Used for the first load and to resume. */
	function subscribe(topic: Topic, epoch: string | null, since: number): void {
		const zone = new Date().getTimezoneOffset();
		socket.emit('subscribe', { version: WIRE_VERSION, topic, epoch, since, zone }, (answer) => {
			if (answer.ok) return;
			if (answer.reason === 'client-too-old') setState({ connection: { state: 'outdated' } });
			const { session } = getState();
			if (session && topic === topicOf(session.sessionId)) setState({ session: { ...session, status: 'not-found' } });
		});
	}

	function subscribeSession(fresh = false): void {
		const { session } = getState();
		if (!session || !socket.connected) return;
		subscribe(topicOf(session.sessionId), fresh ? null : session.epoch, fresh ? 0 : (session.view?.seq ?? 0));
	}

	/** Merges close batches into one store update. Uses timers, because frames stop in hidden tabs. */
	function flush(): void {
		const batches = waiting;
		waiting = [];
		flushedAt = performance.now();
		const { session } = getState();
		if (!session) return;
		const mine = batches.filter((batch) => batch.topic === topicOf(session.sessionId));
		const next = applyBatches(session, mine);
		if (!next) subscribeSession(mine.some((batch) => batch.epoch !== session.epoch));
		else if (next !== session) setState({ session: next });
	}

	function onSessions(update: SessionsUpdate): void {
		const { epoch, full, counts, next = null, now } = update;
		const { sessions: before, list, session } = getState();
		const sessions = mergeSummaries(full ? {} : (before ?? {}), update.sessions);
		const known = full
			? { next, reloads: (list?.reloads ?? 0) + 1 }
			: { next: list?.next ?? null, reloads: list?.reloads ?? 0 };
		setState({ sessions, list: { epoch, counts, ...known }, clockOffset: now - Date.now() });
		// A link may be opened before the first line of its session has been read.
		const isListed = update.sessions.some(({ sessionId }) => sessionId === session?.sessionId);
		if (session?.status !== 'not-found' || !isListed) return;
		setState({ session: loadingSession(session.sessionId) });
		subscribeSession(true);
	}

	function onLost(): void {
		setState({ connection: lost(getState().connection, Date.now()) });
	}

	async function readMe(): Promise<void> {
		const answer = await callRoute('GET /api/me');
		if (answer.ok) setState({ me: answer.data });
		else if (answer.status === 401) {
			setState({ connection: { state: 'signed-out' } });
			// Nothing on screen could be lost, and the sign-in page explains what is missing.
			if (answer.code === 'auth/half' && getState().sessions === null) return leaveForLogin();
			// Further attempts would count as failed sign-ins; try again at the next focus.
			socket.disconnect();
		}
	}

	/** Read the token again: another tab may have signed in. */
	function present(): void {
		const token = sessionToken();
		if (token !== null) socket.io.opts.protocols = sessionProtocols(token);
	}

	function connect(): void {
		present();
		socket.connect();
	}

	function wake(): void {
		if (document.visibilityState === 'hidden' || socket.connected) return;
		socket.disconnect();
		connect();
	}

	socket.io.on('reconnect_attempt', present);

	socket.on('connect', () => {
		setState({ connection: { state: 'live' } });
		void readMe();
		subscribe('sessions', null, 0);
		subscribeSession();
	});
	socket.on('disconnect', (reason) => {
		onLost();
		// The server disconnected this tab (too slow, or signed out). The library reconnects only after other disconnects.
		if (reason === 'io server disconnect') again = setTimeout(connect, CUT_PAUSE_MS);
	});
	socket.on('connect_error', () => {
		onLost();
		void readMe();
	});
	socket.on('sessions', onSessions);
	socket.on('incidents', (incidents) => {
		const known = new Set(getState().incidents.map(({ about }) => about));
		setState({ incidents });
		// Added or removed passkeys change how well this sign-in's decisions are protected.
		if (incidents.some(({ code, about }) => code === 'access/minted' && !known.has(about))) void readMe();
	});
	socket.on('snapshot', (snapshot) => {
		const { session } = getState();
		if (session && snapshot.topic === topicOf(session.sessionId)) {
			// The snapshot includes all earlier batches.
			waiting = [];
			setState({ session: applySnapshot(session, snapshot) });
		}
	});
	socket.on('events', (batch) => {
		if (waiting.push(batch) > 1) return;
		const waitMs = flushedAt + UPDATE_MS - performance.now();
		if (waitMs > 0) setTimeout(flush, waitMs);
		else queueMicrotask(flush);
	});
	socket.on('behind', ({ topic }) => (topic === 'sessions' ? subscribe(topic, null, 0) : subscribeSession()));
	const stopWatching = liveStore.subscribe((state, before) => {
		const [now, then] = [state.session?.sessionId, before.session?.sessionId];
		if (now === then) return;
		if (then) socket.emit('unsubscribe', topicOf(then));
		if (now) subscribeSession();
	});
	/** Signed out in another tab: this user may no longer see what is on screen. */
	function onStored({ key, newValue }: StorageEvent): void {
		if (key === SESSION_KEY && newValue === null) leaveForLogin();
	}

	window.addEventListener('storage', onStored);
	window.addEventListener('online', wake);
	window.addEventListener('focus', wake);
	connect();
	return () => {
		clearTimeout(again);
		stopWatching();
		window.removeEventListener('storage', onStored);
		window.removeEventListener('online', wake);
		window.removeEventListener('focus', wake);
		socket.disconnect();
	};
}

function leaveForLogin(): void {
	location.replace(`/login?to=${encodeURIComponent(location.pathname + location.search)}`);
}

/** Makes a session the one on screen. Returns the function that ends it, unless another one has taken its place. */
export function watchSession(sessionId: string): () => void {
	liveStore.setState({ session: loadingSession(sessionId) });
	return () => {
		if (liveStore.getState().session?.sessionId === sessionId) liveStore.setState({ session: null });
	};
}
