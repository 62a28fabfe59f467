import type { DefaultEventsMap, Server, Socket } from 'socket.io';
import type { ClientToServer, ServerToClient } from '#lib/contract/realtime/wire.ts';
import type { Principal } from '../../access/principal.ts';

export interface SocketData {
	principal: Principal;
}

export type RealtimeServer = Server<ClientToServer, ServerToClient, DefaultEventsMap, SocketData>;
export type ServerSocket = Socket<ClientToServer, ServerToClient, DefaultEventsMap, SocketData>;
