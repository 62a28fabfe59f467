import type { IncidentLog } from '../../journal/incidents/incident-log.ts';
import type { RealtimeServer } from './socket-types.ts';

/** Tells every page of the incidents, when it comes and whenever they change. */
export function pushIncidents(io: RealtimeServer, incidents: IncidentLog): void {
	io.on('connection', (socket) => socket.emit('incidents', incidents.list()));
	incidents.onChange((list) => io.emit('incidents', list));
}
