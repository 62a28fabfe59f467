/*
 * The load of the door, in a process of its own: posts bodies over a unix socket with autocannon and prints
 * {accepted, refused, rate, p99}. Its one argument is JSON: socketPath, connections, amount, bodies; `NNNNNNNN` in a
 * body becomes another number at every request. (autocannon's own ids make bodies of a length that it does not tell.)
 */
import autocannon from 'autocannon';

const PLACE = 'NNNNNNNN';
const { socketPath, connections, amount, bodies } = JSON.parse(process.argv[2]);
const requests = bodies.map((body) => {
	const [head, tail = ''] = body.split(PLACE);
	// Counted for each body, so that the n-th result is that of the n-th call.
	let sent = 0;
	const setupRequest = (request) => {
		sent += 1;
		request.body = body.includes(PLACE) ? head + String(sent).padStart(PLACE.length, '0') + tail : body;
		return request;
	};
	const headers = { 'content-type': 'application/json' };
	return { method: 'POST', path: '/hooks/claude-code', headers, body, setupRequest };
});
const began = performance.now();
const result = await autocannon({ url: 'http://localhost', socketPath, connections, amount, requests });
const seconds = (performance.now() - began) / 1000;
const refused = result.non2xx + result.errors;
console.log(
	JSON.stringify({ accepted: result['2xx'], refused, rate: result['2xx'] / seconds, p99: result.latency.p99 }),
);
