/*
 * The load of the door, in a process of its own: posts bodies over a unix socket with autocannon and prints
 * {accepted, refused, rate, p99}. Its one argument is JSON: socketPath, connections, amount, bodies, of which each
 * connection takes its share in turn; `NNNNNNNN` in a body becomes the number of its use.
 */
import autocannon from 'autocannon';

const PLACE = 'NNNNNNNN';
const { socketPath, connections, amount, bodies } = JSON.parse(process.argv[2]);

/** All requests are made before the first is sent: making them costs as much as the server's whole answer. */
const requests = Array.from({ length: amount }, (_, n) => {
	const use = Math.floor(n / bodies.length);
	const body = bodies[n % bodies.length].replaceAll(PLACE, String(use).padStart(PLACE.length, '0'));
	return { method: 'POST', path: '/hooks/claude-code', headers: { 'content-type': 'application/json' }, body };
});
const share = Math.floor(amount / connections);
let clients = 0;
const run = autocannon({
	url: 'http://localhost',
	socketPath,
	connections,
	amount: share * connections,
	setupClient(client) {
		client.setRequests(requests.slice(clients * share, (clients + 1) * share));
		clients += 1;
	},
});
// autocannon begins with making requests and ends only at the next whole second.
let first;
let last;
run.on('response', () => {
	last = performance.now();
	first ??= last;
});
const result = await run;
const accepted = result['2xx'];
const refused = result.non2xx + result.errors;
console.log(JSON.stringify({ accepted, refused, rate: (accepted / (last - first)) * 1000, p99: result.latency.p99 }));
