/** The state of the socket as the header's quiet word. */
export type Connection =
	| { state: 'connecting' }
	| { state: 'live' }
	| { state: 'reconnecting'; since: number }
	| { state: 'offline'; since: number }
	/** The server speaks another version of the protocol: only a reload helps. */
	| { state: 'outdated' }
	/** The sign-in has ended or never was. */
	| { state: 'signed-out' };

/** Reconnecting for longer than this (ms) is called offline. */
export const OFFLINE_AFTER_MS = 8_000;

/** What a connection becomes when the socket is lost at `now` (ms). */
export function lost(connection: Connection, now: number): Connection {
	switch (connection.state) {
		case 'connecting':
		case 'live':
			return { state: 'reconnecting', since: now };
		case 'reconnecting':
			return now - connection.since > OFFLINE_AFTER_MS ? { state: 'offline', since: connection.since } : connection;
		case 'offline':
		case 'outdated':
		case 'signed-out':
			return connection;
	}
}
