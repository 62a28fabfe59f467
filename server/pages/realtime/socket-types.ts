import type { DefaultEventsMap, Server, Socket } from 'socket.io';
import type { ClientToServer, ServerToClient } from '#lib/contract/realtime/wire.ts';
import type { Principal } from '../../access/principal.ts';

/** What the server remembers of a connection: who it is, proven at the upgrade. */
export interface SocketData {
	principal: Principal;
}

export type RealtimeServer = Server<ClientToServer, ServerToClient, DefaultEventsMap, SocketData>;
export type ServerSocket = Socket<ClientToServer, ServerToClient, DefaultEventsMap, SocketData>;
