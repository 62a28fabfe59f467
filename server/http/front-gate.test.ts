import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sessionProtocols } from '#lib/contract/access/session-token.ts';
import { routeTable } from '#lib/contract/routes/route-table.ts';
import { soakCounts } from '#soak/rig/soak-runs.ts';
import { type Gate, openGate } from '../testing/gate-fixture.ts';

let gate: Gate;
let login: Awaited<ReturnType<Gate['logIn']>>;
let other: typeof login;

beforeAll(async () => {
	gate = await openGate();
	[login, other] = [await gate.logIn(), await gate.logIn()];
});
afterAll(() => gate.close());

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const STRANGER = 'A'.repeat(43);
const WEBSOCKET = {
	connection: 'Upgrade',
	upgrade: 'websocket',
	'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
	'sec-websocket-version': '13',
};
const DENY = '{"decision":"deny"}';
const SOCKET_PATH = '/socket.io/?EIO=4&transport=websocket';

/** Every combination of one value from each list. */
function* combine<T extends Record<string, readonly unknown[]>>(lists: T): Generator<{ [K in keyof T]: T[K][number] }> {
	const names = Object.keys(lists) as (keyof T)[];
	const total = names.reduce((product, name) => product * (lists[name]?.length ?? 0), 1);
	for (let nth = 0; nth < total; nth++) {
		let rest = nth;
		const picked: Partial<Record<keyof T, unknown>> = {};
		for (const name of names) {
			const list = lists[name] ?? [];
			picked[name] = list[rest % list.length];
			rest = Math.floor(rest / list.length);
		}
		yield picked as { [K in keyof T]: T[K][number] };
	}
}

const HOSTS = ({ host, port }: Gate) => ({
	[host]: 'cookie',
	[host.toUpperCase()]: 'cookie',
	[`signalbox.localhost:${port}`]: 'known',
	[`127.0.0.1:${port}`]: 'known',
	[`localhost:${port}`]: 'known',
	[`[::1]:${port}`]: 'known',
	[`evil.example:${port}`]: 'unknown',
	[`0.0.0.0:${port}`]: 'unknown',
	[`x.signalbox.localhost:${port}`]: 'unknown',
	[`signalbox.localhost:${port + 1}`]: 'unknown',
	'signalbox.localhost': 'unknown',
	'': 'unknown',
});

const SENDERS = () => ({
	none: {},
	stranger: bearer(STRANGER),
	garbage: { authorization: 'Basic eDp5' },
	viewer: bearer(gate.tokens.viewer),
	operator: bearer(gate.tokens.operator),
	edge: bearer(gate.tokens.edge),
	cookie: { cookie: login.cookie },
	'cookie and header': { ...login.signedIn, cookie: `other=1; ${login.cookie}` },
	'cookie and wrong header': { cookie: login.cookie, 'x-signalbox-session': other.sessionToken },
	'wrong cookie': { cookie: `signalbox-${gate.port}=${STRANGER}` },
	'cookie of another instance': { cookie: login.cookie.replace('-', '-1') },
	'stranger with a cookie': { cookie: login.cookie, ...bearer(STRANGER) },
});

type Sender = keyof ReturnType<typeof SENDERS>;
const isBearer = (sender: Sender) =>
	['stranger', 'viewer', 'operator', 'edge', 'stranger with a cookie'].includes(sender);

/** Whether a sender has the cookie without its token: a page is all that this gets. */
const isHalf = (sender: Sender) => sender === 'cookie' || sender === 'cookie and wrong header';

/** Which role a sender proves on a kind of host. */
function roleOf(sender: Sender, host: string) {
	if (sender === 'viewer' || sender === 'operator' || sender === 'edge') return sender;
	return (isHalf(sender) || sender === 'cookie and header') && host === 'cookie' ? 'operator' : null;
}

const ORIGINS = ['absent', 'own', 'null', 'http://evil.example', 'https', 'other port'] as const;
const SITES = ['absent', 'same-origin', 'none', 'same-site', 'cross-site', 'cross-site navigation'] as const;

function placeHeaders(host: string, origin: (typeof ORIGINS)[number], site: (typeof SITES)[number]) {
	const own = `http://${host.toLowerCase()}`;
	const origins = { own, null: 'null', https: own.replace('http', 'https'), 'other port': `${own}1` };
	return {
		host,
		...(origin === 'absent' ? {} : { origin: origins[origin as keyof typeof origins] ?? origin }),
		...(site === 'absent' ? {} : { 'sec-fetch-site': site.split(' ')[0] }),
		...(site === 'cross-site navigation' ? { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' } : {}),
	};
}

interface Case {
	kind: string;
	origin: (typeof ORIGINS)[number];
	site: (typeof SITES)[number];
	sender: Sender;
	isRead: boolean;
	isUpgrade: boolean;
}

/** The refusal before any credential is looked at. */
function placeStatus({ kind, origin, site, sender, isRead, isUpgrade }: Case): number | null {
	if (kind === 'unknown') return 421;
	if (origin !== 'absent' && origin !== 'own') return 403;
	if (origin === 'absent' && (!isRead || isUpgrade) && !isBearer(sender)) return 403;
	if (site === 'absent' || site === 'same-origin') return null;
	const isNavigation = site === 'none' || site === 'cross-site navigation';
	return isRead && !isUpgrade && isNavigation ? null : 403;
}

/** Who would be accepted from the right place, and who shows nothing. */
const TELLING: ReadonlySet<Sender> = new Set(['none', 'viewer', 'operator', 'edge', 'cookie and header']);

/**
 * Two faults at once say no more than one: such cases are left out, save that the host is judged first. Unless the whole matrix
 * is asked for, other spellings of a kind of host are tried from their own place, and wrong places by whom they could help.
 */
function isWorthAsking(from: Case, isFirstOfKind: boolean) {
	const { kind, origin, site, sender } = from;
	if (site !== 'absent' && (kind === 'unknown' || (origin !== 'absent' && origin !== 'own'))) return false;
	if (process.env.SIGNALBOX_SOAK) return true;
	if (!isFirstOfKind && (site !== 'absent' || (origin !== 'absent' && origin !== 'own'))) return false;
	return placeStatus(from) === null || TELLING.has(sender);
}

/** The first spelling of each kind of host. */
function firstOfKind(kinds: Record<string, string>): ReadonlySet<string> {
	const hosts = Object.keys(kinds);
	return new Set(hosts.filter((host, at) => hosts.findIndex((other) => kinds[other] === kinds[host]) === at));
}

const inParallel = <T>(cases: Iterable<T>, check: (each: T) => Promise<void>) => {
	const shared = cases[Symbol.iterator]();
	const work = async () => {
		for (let next = shared.next(); !next.done; next = shared.next()) await check(next.value);
	};
	return Promise.all(Array.from({ length: 8 }, work));
};

const TARGETS = [
	{ method: 'GET', path: '/', may: ['viewer', 'operator'], ok: 200 },
	{ method: 'GET', path: '/_next/static/chunks/main.js', may: ['viewer', 'operator'], ok: 200 },
	{ method: 'GET', path: '/api/sessions', may: ['viewer', 'operator'], ok: 200 },
	{ method: 'GET', path: '/api/nothing', may: ['viewer', 'operator'], ok: 404 },
	{ method: 'POST', path: '/api/approvals/approval-1', may: ['operator'], ok: 500 },
	{ method: 'POST', path: '/a/page', may: ['viewer', 'operator'], ok: 405 },
	{ method: 'GET', path: '/health', may: 'anybody', ok: 200 },
] as const;
type Target = (typeof TARGETS)[number];
const isPage = ({ path, ok }: Target) => ok === 200 && !/^.(?:api|health)/.test(path);

/** The answer to a sender whose place is right. */
function senderStatus(target: Target, sender: Sender, kind: string): number {
	if (target.may === 'anybody') return target.ok;
	const role = roleOf(sender, kind);
	if (role === null || (isHalf(sender) && !isPage(target))) return 401;
	return (target.may as readonly string[]).includes(role) ? target.ok : 403;
}

/** Failing ten times a minute turns a refusal into "too many"; the sender is out either way. */
const isSame = (status: number, expected: number) =>
	status === expected || (status === 429 && (expected === 401 || expected === 403));

describe('the matrix of senders, places and routes', () => {
	test('R130 R131 R137 R138 B1, CCAM GHSA-gr74-4xfh-6jw9: every request gets the answer that its place and sender deserve', async () => {
		const senders = SENDERS();
		const kinds = HOSTS(gate);
		const first = firstOfKind(kinds);
		const lists = { host: Object.keys(kinds), origin: ORIGINS, site: SITES, sender: Object.keys(senders) as Sender[] };
		const wrong: string[] = [];
		const before = gate.reached.pages.length;
		let pages = 0;
		let cases = 0;
		await inParallel(combine({ ...lists, target: TARGETS }), async ({ host, origin, site, sender, target }) => {
			const kind = kinds[host] ?? '';
			const isRead = target.method === 'GET';
			const from = { kind, origin, site, sender, isRead, isUpgrade: false };
			if (!isWorthAsking(from, first.has(host))) return;
			cases += 1;
			const refusal = placeStatus(from);
			const expected = refusal ?? senderStatus(target, sender, kind);
			const headers = { ...placeHeaders(host, origin, site), ...senders[sender] };
			const { status } = isRead
				? await gate.request('GET', target.path, headers)
				: await gate.request('POST', target.path, { ...headers, 'content-type': 'application/json' }, DENY);
			if (!isSame(status, expected)) wrong.push([target.path, host, origin, site, sender, status, expected].join(' '));
			if (expected === 200 && isPage(target)) pages++;
		});
		soakCounts('B1 requests', { cases, 'wrongly answered': wrong.length });
		expect(wrong).toEqual([]);
		expect(pages).toBeGreaterThan(50);
		expect(gate.reached.pages.length - before).toBe(pages);
	}, 120_000);

	test('R130 B1: every upgrade gets the answer that its place and sender deserve', async () => {
		const senders = SENDERS();
		const kinds = HOSTS(gate);
		const first = firstOfKind(kinds);
		const lists = { host: Object.keys(kinds), origin: ORIGINS, site: SITES, sender: Object.keys(senders) as Sender[] };
		const paths = [
			{ path: SOCKET_PATH, ok: 101 },
			{ path: '/_next/hmr', ok: 404 },
			{ path: '/', ok: 404 },
		];
		const wrong: string[] = [];
		let live = 0;
		let cases = 0;
		await inParallel(combine({ ...lists, target: paths }), async ({ host, origin, site, sender, target }) => {
			const kind = kinds[host] ?? '';
			const from = { kind, origin, site, sender, isRead: true, isUpgrade: true };
			if (!isWorthAsking(from, first.has(host))) return;
			cases += 1;
			const refusal = placeStatus(from);
			const role = roleOf(sender, kind);
			const expected = refusal ?? (role === null || isHalf(sender) ? 401 : role === 'edge' ? 403 : target.ok);
			const headers = { ...placeHeaders(host, origin, site), ...senders[sender], ...WEBSOCKET };
			const { status } = await gate.request('GET', target.path, headers);
			if (!isSame(status, expected)) wrong.push([target.path, host, origin, site, sender, status, expected].join(' '));
			if (expected === 101) live++;
		});
		soakCounts('B1 upgrades', { cases, 'wrongly answered': wrong.length });
		expect(wrong).toEqual([]);
		expect(live).toBeGreaterThan(10);
		expect(gate.reached.live.length).toBe(live);
		expect(gate.reached.live.every((request) => gate.principalOf(request) !== undefined)).toBe(true);
		expect(gate.reached.dev).toEqual([]);
	}, 120_000);

	test('a stolen cookie alone gets 401 of every route but the open ones, and of the websocket', async () => {
		const closed = routeTable.filter(({ access }) => access !== 'open');
		expect(closed.length).toBeGreaterThan(25);
		const origin = `http://${gate.host}`;
		for (const { method, path } of closed) {
			const at = path.replaceAll(/:\w+/g, 'anything1');
			const headers = { cookie: login.cookie, origin, 'content-type': 'application/json' };
			const { status, text } = await gate.request(method, at, headers, method === 'POST' ? DENY : undefined);
			expect([path, status, JSON.parse(text).error.code]).toEqual([path, 401, 'auth/half']);
		}
		const upgrade = { ...WEBSOCKET, origin };
		// What was tried before has used up this minute's wrong guesses.
		gate.clock.now += 60_000;
		expect((await gate.request('GET', SOCKET_PATH, { ...upgrade, cookie: login.cookie })).status).toBe(401);
		const protocols = (token: string) => ({ 'sec-websocket-protocol': sessionProtocols(token).join(', ') });
		const wrong = { ...upgrade, cookie: login.cookie, ...protocols(other.sessionToken) };
		expect((await gate.request('GET', SOCKET_PATH, wrong)).status).toBe(401);
		const right = { ...upgrade, cookie: login.cookie, ...protocols(login.sessionToken) };
		expect((await gate.request('GET', SOCKET_PATH, right)).status).toBe(101);
	});

	test('no answer to a cookie, or to a whole sign-in, holds a session token', async () => {
		for (const headers of [{ cookie: login.cookie }, login.signedIn]) {
			for (const { method, path } of routeTable) {
				if (method !== 'GET') continue;
				const answer = await gate.request('GET', path.replaceAll(/:\w+/g, 'anything1'), headers);
				expect(JSON.stringify(answer)).not.toContain(login.sessionToken);
			}
		}
	});

	test('R137 an edge token may use no route but the open ones', async () => {
		for (const { method, path, access } of routeTable) {
			if (access === 'open') continue;
			const { status } = await gate.request(method, path.replace(':id', 'anything1'), bearer(gate.tokens.edge));
			expect([path, status]).toEqual([path, 403]);
		}
	});
});

test('no body at all is refused like any other that does not fit; a body in pieces of unknown length is refused, with and without credentials', async () => {
	const head = `Host: ${gate.host}\r\nOrigin: http://${gate.host}\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json`;
	const bare = await gate.raw(`POST /login HTTP/1.1\r\nHost: ${gate.host}\r\nOrigin: http://${gate.host}\r\n\r\n`);
	expect(bare).toMatch(/^HTTP\/1\.1 4/);
	for (const [path, who] of [
		['/login', ''],
		['/api/approvals/approval-1', `\r\nAuthorization: Bearer ${gate.tokens.operator}`],
	]) {
		const answer = await gate.raw(`POST ${path} HTTP/1.1\r\n${head}${who}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`);
		expect(answer).toMatch(/^HTTP\/1\.1 411 /);
	}
});

test.each([
	['POST', 'text/plain'],
	['POST', 'application/x-www-form-urlencoded'],
	['POST', 'application/json, text/plain'],
	['POST', 'application/jsonp'],
	['POST', ''],
])('a decision as %s %s is refused', async (method, type) => {
	const headers = { ...bearer(gate.tokens.operator), 'content-type': type };
	const { status } = await gate.request(method, '/api/approvals/approval-1', headers, DENY);
	expect(status).toBe(415);
});

test.each([
	'http://signalbox.localhost/',
	'//evil.example/',
	'/\\evil.example',
	'/a/../_next/static/x.js',
	'/login/../_next',
	'/./x',
	'/api/%2e%2e/x',
	'/a%2fb',
	'/a%5cb',
	'/a%00',
	'/a%0d%0ab',
	'/%252e',
	'/a%zz',
	'/a#b',
	`/${'a'.repeat(9000)}`,
	'*',
	'x',
])('the target %s is refused', async (target) => {
	const answer = await gate.raw(
		`GET ${target} HTTP/1.1\r\nHost: ${gate.host}\r\nAuthorization: Bearer ${gate.tokens.operator}\r\nConnection: close\r\n\r\n`,
	);
	expect(answer).toMatch(/^HTTP\/1\.1 400 /);
});

test.each([
	['/login/x', 404],
	['/api/sessions/', 404],
	['/api//sessions', 404],
	['/api/%73essions', 404],
	['/API/sessions', 200],
	['/health/..%3b/', 404],
	['/_next/image', 404],
	['/_next/mcp', 404],
	['/socket.io/?EIO=4&transport=polling', 404],
])('R143 %s is no way around the table of routes', async (path, status) => {
	expect((await gate.request('GET', path)).status).toBe(401);
	expect((await gate.request('GET', path, bearer(gate.tokens.viewer))).status).toBe(status);
});

test('R131 a request with two hosts is refused', async () => {
	const answer = await gate.raw(
		`GET /health HTTP/1.1\r\nHost: ${gate.host}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
	);
	expect(answer).toMatch(/^HTTP\/1\.1 400 /);
});

test.each(['PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE'])(
	'R143 the method %s is refused, and no CORS header is given',
	async (method) => {
		const { status, headers } = await gate.request(method, '/api/sessions', bearer(gate.tokens.operator));
		expect(status).toBe(405);
		expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
	},
);

test('a person without a session is sent to the login page, everybody else gets 401', async () => {
	const html = { accept: 'text/html,*/*' };
	expect(await gate.request('GET', '/', html)).toMatchObject({ status: 303, headers: { location: '/login' } });
	expect(await gate.request('GET', '/sessions/a?row=b', html)).toMatchObject({
		status: 303,
		headers: { location: '/login?to=%2Fsessions%2Fa%3Frow%3Db' },
	});
	expect((await gate.request('GET', '/')).status).toBe(401);
	expect((await gate.request('GET', '/api/sessions', html)).status).toBe(401);
	const stale = { ...html, cookie: `signalbox-${gate.port}=${STRANGER}` };
	for (let attempt = 0; attempt < 15; attempt++) expect((await gate.request('GET', '/', stale)).status).toBe(303);
});

test('who is not signed in reads the command as it is typed here', async () => {
	const named = await openGate({ openly: { name: 'node dist/signalbox.js', where: '' } });
	try {
		const { status, text } = await named.request('GET', '/api/sessions');
		expect([status, text]).toEqual([401, expect.stringContaining('run `node dist/signalbox.js open` for')]);
	} finally {
		await named.close();
	}
});

test('a page gets a fresh nonce, and nothing from outside that steers Next', async () => {
	const before = gate.reached.pages.length;
	const hostile = {
		...bearer(gate.tokens.viewer),
		cookie: '__prerender_bypass=x',
		'x-middleware-subrequest': 'middleware',
		'x-forwarded-host': 'evil.example',
		'next-action': 'abc',
		'content-security-policy': "script-src 'nonce-known'",
		'content-security-policy-report-only': "script-src 'nonce-known'",
	};
	const first = await gate.request('GET', '/', hostile);
	const second = await gate.request('GET', '/', hostile);
	const policy = first.headers['content-security-policy'] ?? '';
	expect(policy).toMatch(/script-src 'self' 'nonce-[A-Za-z0-9+/]{22}=='; style-src 'self' 'nonce-/);
	expect(policy).not.toContain('unsafe-eval');
	expect(policy).not.toBe(second.headers['content-security-policy']);
	expect(first.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
	const given = gate.reached.pages[before]?.headers ?? {};
	expect(given['content-security-policy']).toBe(policy);
	expect(Object.keys(given).sort()).toEqual(['connection', 'content-security-policy', 'host']);
});

test('an upgrade to something else than a websocket is refused', async () => {
	const headers = { ...bearer(gate.tokens.operator), ...WEBSOCKET, upgrade: 'h2c' };
	expect((await gate.request('GET', SOCKET_PATH, headers)).status).toBe(400);
	expect((await gate.request('POST', SOCKET_PATH, { ...bearer(gate.tokens.operator), ...WEBSOCKET })).status).toBe(400);
});

test('hot reload exists in development only, and only for who may read', async () => {
	const dev = await openGate({ dev: true });
	try {
		expect((await dev.request('GET', '/_next/hmr', { ...WEBSOCKET, ...bearer(STRANGER) })).status).toBe(401);
		expect((await dev.request('GET', '/_next/hmr', { ...WEBSOCKET, ...bearer(dev.tokens.edge) })).status).toBe(403);
		expect(dev.reached.dev.length).toBe(0);
		expect((await dev.request('GET', '/_next/hmr', { ...WEBSOCKET, ...bearer(dev.tokens.viewer) })).status).toBe(101);
		expect(dev.reached.dev.length).toBe(1);
	} finally {
		await dev.close();
	}
});

describe('size limits', () => {
	const head = () =>
		`POST /api/approvals/approval-1 HTTP/1.1\r\nHost: ${gate.host}\r\nAuthorization: Bearer ${gate.tokens.operator}\r\nContent-Type: application/json\r\nConnection: close\r\n`;

	test('a body that says it is over 1 MiB is refused unread', async () => {
		expect(await gate.raw(`${head()}Content-Length: 1048577\r\n\r\n{}`)).toMatch(/^HTTP\/1\.1 413 /);
	});

	test('a body in chunks is refused: its length is not known before it has come', async () => {
		const body = JSON.stringify({ decision: 'deny', reason: 'x'.repeat(1024 * 1024) });
		const { status } = await gate.request(
			'POST',
			'/api/approvals/approval-1',
			{ ...bearer(gate.tokens.operator), 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
			body,
		);
		expect(status).toBe(411);
	});

	test('headers over 16 KiB are refused', async () => {
		expect(await gate.raw(`${head()}X-Long: ${'x'.repeat(17_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /);
	});
});
