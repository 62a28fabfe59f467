/*
 * The load of the door, in a process of its own: posts bodies over a unix socket and prints {accepted, refused, rate, p99}.
 * Its one argument is JSON, the options of `load-door.ts`; `NNNNNNNN` in a body or a header becomes the request's number.
 */
import net from 'node:net';

const PLACE = 'NNNNNNNN';
const { socketPath, connections, amount, bodies, headers, kept } = JSON.parse(process.argv[2]);

/** All requests are made before the first is sent: making them costs as much as the server's whole answer. */
const requests = Array.from({ length: amount }, (_, n) => {
	const number = String(n).padStart(PLACE.length, '0');
	const body = bodies[n % bodies.length].replaceAll(PLACE, number);
	const lines = ['POST /hooks/claude-code HTTP/1.1', 'Host: localhost', ...headers];
	const head = [...lines, `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n').replaceAll(PLACE, number);
	return Buffer.from(`${head}\r\n\r\n${body}`);
});

function isWhole(answer) {
	const end = answer.indexOf('\r\n\r\n');
	if (end === -1) return false;
	const head = answer.slice(0, end).toLowerCase();
	if (head.includes('\r\ntransfer-encoding: chunked')) return answer.endsWith('\r\n0\r\n\r\n');
	return answer.length >= end + 4 + Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0);
}

/** One connection; `ask` gives the status of the answer, 0 where none came. */
function connect() {
	let answer = '';
	let settle = () => undefined;
	const socket = net.connect(socketPath).setEncoding('latin1');
	socket.on('data', (text) => {
		answer += text;
		if (isWhole(answer)) settle(Number(answer.slice('HTTP/1.1 '.length).slice(0, 3)));
	});
	socket.on('error', () => undefined).on('close', () => settle(0));
	const ask = (request) =>
		new Promise((resolve) => {
			answer = '';
			settle = resolve;
			socket.write(request, (error) => error && resolve(0));
		});
	return { ask, close: () => socket.destroy() };
}

let sent = 0;
let accepted = 0;
const took = [];

/** Sends one request after the other, over one connection or, as hooks do, each over its own. */
async function post() {
	let connection;
	while (sent < amount) {
		const began = performance.now();
		connection ??= connect();
		const status = await connection.ask(requests[sent++]);
		took.push(performance.now() - began);
		if (status === 200) accepted += 1;
		if (kept && status !== 0) continue;
		connection.close();
		connection = undefined;
	}
	connection?.close();
}

const began = performance.now();
await Promise.all(Array.from({ length: connections }, post));
const rate = (accepted / (performance.now() - began)) * 1000;
const p99 = took.sort((a, b) => a - b)[Math.floor(took.length * 0.99)];
console.log(JSON.stringify({ accepted, refused: amount - accepted, rate, p99 }));
