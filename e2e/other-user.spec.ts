import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canBeOther, startAsOther } from '#server/testing/other-user.ts';
import { expect, test } from './fixtures.ts';
import { bareEnvironment } from './rig/bare-environment.ts';
import { SIGNALBOX } from './rig/repository.ts';

/**
 * A program of another user of this machine. It serves a page on [::1] and on 127.0.0.1, at a port of its own, and says
 * which; for each line `{name, port, home}` it says what it got hold of: the browser's cookies, and what answers whom.
 */
const THIEF = `
	const fs = require('node:fs'), http = require('node:http'), net = require('node:net');
	const cookies = [];
	const page = (request, response) => {
		if (request.headers.cookie) cookies.push(request.headers.cookie);
		response.setHeader('content-type', 'text/html').end('<!doctype html><title>Not Signalbox</title>');
	};
	const six = http.createServer(page), four = http.createServer(page);
	six.listen(0, '::1', () => {
		const { port } = six.address();
		four.listen(port, '127.0.0.1', () => console.log(port));
	});
	const tried = (work) => { try { work(); return 'done'; } catch (error) { return error.code; } };
	const connected = (path) => new Promise((resolve) => {
		const socket = net.connect(path, () => { socket.destroy(); resolve('done'); });
		socket.on('error', (error) => resolve(error.code));
	});
	const ask = (host, port, path, headers, method = 'GET') => new Promise((resolve) => {
		const request = http.request({ host, port, path, method, headers, agent: false }, (response) => {
			response.resume();
			resolve(response.statusCode);
		});
		request.on('upgrade', (_, socket) => { socket.destroy(); resolve(101); });
		request.on('error', (error) => resolve(error.code));
		request.end(method === 'POST' ? '{"decision":"approve"}' : undefined);
	});
	const UPGRADE = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
	require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
		const { name, port, home } = JSON.parse(line);
		const host = name + ':' + port, cookie = cookies.join('; '), origin = 'http://' + host;
		const whole = { host, cookie, origin, 'content-type': 'application/json' };
		const at = async (address) => ({
			read: await ask(address, port, '/api/sessions', { host, cookie }),
			me: await ask(address, port, '/api/me', { host, cookie }),
			decide: await ask(address, port, '/api/approvals/approval-1', whole, 'POST'),
			push: await ask(address, port, '/api/push', whole, 'POST'),
			socket: await ask(address, port, '/socket.io/?EIO=4&transport=websocket', { ...whole, ...UPGRADE }),
			nobody: await ask(address, port, '/api/sessions', { host: '127.0.0.1:' + port }),
		});
		console.log(JSON.stringify({
			uid: process.getuid(), cookie, four: await at('127.0.0.1'), six: await at('::1'),
			files: ['', 'journal.db', 'host-label', 'server.lock.json', 'sessions'].map((file) => tried(() => {
				const path = home + '/' + file;
				fs.statSync(path).isDirectory() ? fs.readdirSync(path) : fs.readFileSync(path);
			})),
			door: await connected(home + '/bridge.sock'),
		}));
	});
`;

test('R1130 row 2: another user who gets the cookie, by a page of the same name, can neither read, listen nor decide', async ({
	server,
	operatorPage,
	expectConsole,
}) => {
	expectConsole(/blocked by CORS policy|net::ERR_FAILED|WebSocket connection/);
	const thief = startAsOther(THIEF);
	try {
		const theirs = Number(await thief.receivedLine());
		const signedIn = await operatorPage('/');
		await expect(signedIn.getByText('Live', { exact: true })).toBeVisible();
		const { hostname } = new URL(server.url);
		const page = await signedIn.context().newPage();
		await page.goto(`http://${hostname}:${theirs}/`);
		await page.reload();
		await expect(page).toHaveTitle('Not Signalbox');
		const reached = await page.evaluate(async (target) => {
			const read = await fetch(`${target}/api/sessions`, { credentials: 'include' }).then(
				({ status }) => status,
				() => 'refused',
			);
			const socket = await new Promise((resolve) => {
				const ws = new WebSocket(`${target.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
				ws.onopen = () => resolve('open');
				ws.onerror = () => resolve('refused');
			});
			return { read, socket, kept: Object.keys(localStorage), boxes: await caches.keys() };
		}, server.url);
		expect(reached).toEqual({ read: 'refused', socket: 'refused', kept: [], boxes: [] });

		thief.sendLine({ name: hostname, port: server.port, home: server.home });
		const got = await thief.receivedLine();
		const refused = { read: 401, me: 401, decide: 401, push: 401, socket: 401, nobody: 401 };
		// The theft itself: this is what a cookie is worth between ports.
		expect(got).toMatchObject({ cookie: expect.stringContaining(`signalbox-${server.port}=`) });
		expect(got).toMatchObject({ uid: thief.uid, four: refused, six: refused });
		const files = Array.from({ length: 5 }, () => 'EACCES');
		if (canBeOther) expect(got).toMatchObject({ uid: 65_534, files, door: 'EACCES' });
	} finally {
		await thief.stop();
	}
});

test('row 1: a start at a port that another user holds on [::1] alone is refused, and prints no link', async () => {
	const thief = startAsOther(
		"const server = require('node:net').createServer().listen(0, '::1', () => console.log(server.address().port));",
	);
	const home = mkdtempSync(join(tmpdir(), 'sbx-home-'));
	try {
		const port = String(await thief.receivedLine());
		const env = bareEnvironment({ OVERTONE_HOME: home, HOME: home });
		const start = spawn(process.execPath, [SIGNALBOX, 'start', '--port', port], { cwd: home, env });
		let [out, errors] = ['', ''];
		start.stdout.on('data', (text) => {
			out += text;
		});
		start.stderr.on('data', (text) => {
			errors += text;
		});
		expect(await once(start, 'close')).toEqual([1, null]);
		expect([out, errors]).toEqual(['', expect.stringMatching(new RegExp(`^Port ${port} is taken by (a )?process `))]);
	} finally {
		await thief.stop();
		rmSync(home, { recursive: true });
	}
});
