import type { AlarmBook } from '../alarms/alarm-book.ts';
import type { RealtimeServer } from './socket-types.ts';

/** Tells every page of the alarms, when it comes and whenever they change. */
export function pushAlarms(io: RealtimeServer, alarms: AlarmBook): void {
	io.on('connection', (socket) => socket.emit('alarms', alarms.list()));
	alarms.onChange((list) => io.emit('alarms', list));
}
