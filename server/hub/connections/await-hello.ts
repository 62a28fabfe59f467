import type { WebSocket } from 'ws';
import type { Log } from '../../process/log.ts';
import type { EdgeConnection } from './hub-parts.ts';

/** A hello that does not come within this was none. */
const HELLO_MS = 10_000;
/** So long somebody may take to end as they were told, before the connection is broken off. */
const CLOSE_MS = 1000;
/** Anybody can connect and say nothing: it stands in the log no more often than this. */
const LINE_MS = 60_000;

/** Sends away who connects and does not say which edge it is; `helloMs` is for tests. */
export function createHelloAwait({ log, helloMs = HELLO_MS }: { log: Log; helloMs?: number | undefined }) {
	let untold = 0;
	let toldAt = Number.NEGATIVE_INFINITY;

	function tell() {
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
			tell();
			timer = setTimeout(() => socket.terminate(), CLOSE_MS).unref();
		}, helloMs).unref();
		socket.once('close', () => clearTimeout(timer));
	};
}
