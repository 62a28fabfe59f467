/*
 * A browser's part in a process of its own: subscribes to one session and notes when each marked event came. Its
 * arguments: the server's port, a viewer's token, the session's id. Says "ready"; on SIGTERM it prints [[mark, ms]].
 */
import { io } from 'socket.io-client';
import type { EventBatch } from '#lib/contract/realtime/wire.ts';
import { WIRE_VERSION } from '#lib/contract/realtime/wire-version.ts';
import { markOf } from './clocked-server.ts';

const [port, token, sessionId] = process.argv.slice(2);
const arrived: [number, number][] = [];
const socket = io(`http://127.0.0.1:${port}`, {
	transports: ['websocket'],
	extraHeaders: { authorization: `Bearer ${token}` },
});
socket.on('events', (batch: EventBatch) => {
	const now = Number(process.hrtime.bigint()) / 1e6;
	for (const event of batch.events) {
		const mark = markOf(event.toolUseId);
		if (mark !== undefined) arrived.push([mark, now]);
	}
});
socket.on('connect_error', (error) => console.error(`delivery client: ${error.message}`));
socket.on('connect', () => {
	const request = { version: WIRE_VERSION, topic: `session:${sessionId}`, epoch: null, since: 0 };
	socket.emit('subscribe', request, (answer: { ok: boolean }) => console.log(answer.ok ? 'ready' : 'refused'));
});
process.on('SIGTERM', () => {
	process.stdout.write(JSON.stringify(arrived), () => process.exit(0));
});
