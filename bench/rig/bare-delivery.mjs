/*
 * The least that brings a hook's line to a browser, to compare ours with: a unix-socket server that appends the body to
 * a file, answers 200 and emits it to every socket.io client. Its arguments: the socket's path, the file, a free port.
 */
import { openSync, writeSync } from 'node:fs';
import http from 'node:http';
// biome-ignore lint/style/noRestrictedImports: it stands beside the server, not in it.
import { Server } from 'socket.io';

const [socketPath, file, port] = process.argv.slice(2);
const fd = openSync(file, 'a');
const web = http.createServer();
const io = new Server(web, { serveClient: false, transports: ['websocket'], perMessageDeflate: false });
io.on('connection', (socket) => socket.on('subscribe', (_request, reply) => reply({ ok: true })));
const door = http.createServer((request, response) => {
	const chunks = [];
	request
		.on('data', (chunk) => chunks.push(chunk))
		.on('end', () => {
			const line = Buffer.concat([...chunks, Buffer.from('\n')]);
			writeSync(fd, line);
			response.end();
			const event = JSON.parse(line.toString('utf8'));
			io.emit('events', { events: [{ ...event, toolUseId: event.tool_use_id }] });
		});
});
web.listen(Number(port), '127.0.0.1', () => door.listen(socketPath, () => console.log('open')));
process.on('SIGTERM', () => process.exit(0));
