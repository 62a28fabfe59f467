import { afterEach, expect, test } from 'vitest';
import { AccessList } from '#lib/contract/access/access.ts';
import type { ApprovalRecord } from '#lib/contract/approvals/approval-record.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import { routeTable } from '#lib/contract/routes/route-table.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { emptyView } from '#lib/session/fold.ts';
import { type Gate, openGate } from '../../testing/gate-fixture.ts';
import type { ApiOptions } from './api.ts';

const opened: Gate[] = [];
async function open(...given: Parameters<typeof openGate>) {
	const gate = await openGate(...given);
	opened.push(gate);
	return gate;
}
afterEach(async () => {
	for (const gate of opened.splice(0)) await gate.close();
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const JSON_TYPE = { 'content-type': 'application/json' };

const waiting: ApprovalRecord = {
	id: 'approval-1',
	state: 'waiting',
	sessionId: 's1',
	tool: 'Task',
	title: 'reviewer',
	input: { prompt: '<img src=x onerror=alert(1)>' },
	denials: [{ gate: 'routing', rule: 'not-in-plan', reason: 'expected builder' }],
	requestedAt: '2026-05-01T12:00:00.000Z',
	deadline: '2026-05-01T12:02:00.000Z',
};

function createService(): ApiOptions['service'] & { decided: unknown[] } {
	const decided: unknown[] = [];
	return {
		decided,
		list: (state) => (state === undefined || state === 'waiting' ? [waiting] : []),
		similar: () => [],
		get: (id) => (id === waiting.id ? waiting : null),
		async decide(id, body, by) {
			if (id !== waiting.id) throw new AppError('approval/not-found');
			if (decided.length > 0) throw new AppError('approval/decided');
			decided.push({ body, by });
			return { ...waiting, state: 'approved', by };
		},
	};
}

const ofMachines = () => routeTable.flatMap(({ at, method, path }) => (at === 'hub' ? [] : `${method} ${path}`)).sort();

test('R143 B2: every route of the router is in the table, and every route of the table exists, but for those of a hub', async () => {
	const { api } = await open();
	const routed = api.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`);
	expect([...new Set(routed)].sort()).toEqual(ofMachines());
});

test('of the routes of a hub a machine knows nothing', async () => {
	const gate = await open();
	const viewer = { authorization: `Bearer ${gate.tokens.viewer}` };
	for (const { status, text } of [
		await gate.request('GET', '/api/hub/edges', viewer),
		await gate.request('GET', '/api/unheard-of', viewer),
	])
		expect([status, JSON.parse(text).error.code]).toEqual([404, 'route/not-found']);
});

test('health says ok only once the door accepts, without credentials', async () => {
	let accepts = false;
	const gate = await open({ ready: () => accepts });
	expect(await gate.request('GET', '/health')).toMatchObject({ status: 503 });
	accepts = true;
	const { status, text } = await gate.request('GET', '/health', { host: `127.0.0.1:${gate.port}` });
	expect([status, JSON.parse(text)]).toEqual([200, { status: 'ok' }]);
	const page = await gate.request('GET', '/health', { accept: 'text/html,*/*' });
	expect(page.status, 'a browser is led to the page').toBe(302);
});

test('while the index is built, a session that it does not have yet is announced as coming', async () => {
	let building: { read: number; total: number } | null = { read: 1, total: 9 };
	const gate = await open({ tail: { views: () => [], viewOf: () => undefined, building: () => building } });
	const ask = () => gate.request('GET', '/api/sessions/s7', bearer(gate.tokens.viewer));
	expect(await ask()).toMatchObject({ status: 503, text: expect.stringContaining('index/building') });
	const status = await gate.request('GET', '/api/status', bearer(gate.tokens.viewer));
	expect(JSON.parse(status.text)).toMatchObject({ building });
	building = null;
	expect(await ask()).toMatchObject({ status: 404, text: expect.stringContaining('session/not-found') });
});

test('the list leaves out what belongs to no session, and begins with the last active', async () => {
	const at = (sessionId: string, lastAt: string): SessionView => ({ ...emptyView(sessionId), lastAt });
	const views = [
		at('old', '2026-05-01T10:00:00Z'),
		at('_home', '2026-05-01T12:00:00Z'),
		at('new', '2026-05-01T11:00:00Z'),
	];
	const gate = await open({ tail: { views: () => views, viewOf: () => undefined, building: () => null } });
	const { text } = await gate.request('GET', '/api/sessions', bearer(gate.tokens.viewer));
	const { sessions } = JSON.parse(text) as { sessions: { sessionId: string; status: string }[] };
	expect(sessions.map(({ sessionId, status }) => [sessionId, status])).toEqual([
		['new', 'idle'],
		['old', 'idle'],
	]);
});

test('the list is read in pages, by words and by ids; without a query it is whole', async () => {
	const views = Array.from({ length: 7 }, (_, index) => ({
		...emptyView(`s${index}`),
		lastAt: `2026-05-01T1${index}:00:00Z`,
		project: index === 2 ? 'billing' : 'shop',
	}));
	const gate = await open({ tail: { views: () => views, viewOf: () => undefined, building: () => null } });
	const get = async (query: string) => {
		const { text } = await gate.request('GET', `/api/sessions${query}`, bearer(gate.tokens.viewer));
		const { sessions, ...rest } = JSON.parse(text) as { sessions: { sessionId: string }[]; next: string | null };
		return { ids: sessions?.map(({ sessionId }) => sessionId), ...rest };
	};
	expect(await get('')).toMatchObject({ ids: ['s6', 's5', 's4', 's3', 's2', 's1', 's0'], next: null });
	const { ids, next } = await get('?limit=3');
	expect(ids).toEqual(['s6', 's5', 's4']);
	expect(await get(`?limit=4&before=${encodeURIComponent(next ?? '')}`)).toMatchObject({
		...{ ids: ['s3', 's2', 's1', 's0'], next: null, counts: { all: 7 } },
	});
	expect(await get('?q=BILLING')).toMatchObject({ ids: ['s2'], counts: { all: 1 } });
	expect((await get('?ids=s1,s5,none')).ids).toEqual(['s5', 's1']);
	expect((await gate.request('GET', '/api/sessions?limit=0', bearer(gate.tokens.viewer))).status).toBe(400);
});

test('events and rows are read by range, and a session that does not exist is not found', async () => {
	const reads: unknown[] = [];
	const remember = async (...given: unknown[]) => {
		reads.push(given);
		return [];
	};
	const gate = await open({ reads: { events: remember, rows: remember } });
	const get = (path: string) => gate.request('GET', path, bearer(gate.tokens.viewer));
	expect(JSON.parse((await get('/api/sessions/s1')).text)).toEqual({ session: emptyView('s1') });
	expect((await get('/api/sessions/s1/events?after=5&limit=10&row=call:a')).text).toBe('{"events":[]}');
	expect((await get('/api/sessions/s1/events')).status).toBe(200);
	expect((await get('/api/sessions/s1/rows?before=9')).text).toBe('{"rows":[]}');
	expect(reads).toEqual([
		['s1', { after: 5, limit: 10, row: 'call:a' }],
		['s1', { after: 0, limit: 200 }],
		['s1', { before: 9, limit: 200 }],
	]);
	for (const path of ['/api/sessions/s2', '/api/sessions/s2/events', '/api/sessions/..s1', '/api/sessions/s.1/rows']) {
		expect((await get(path)).status).toBe(404);
	}
	for (const query of ['after=-1', 'after=x', 'limit=0', 'limit=1001']) {
		const { status, text } = await get(`/api/sessions/s1/events?${query}`);
		expect([status, JSON.parse(text).error.code]).toEqual([400, 'request/invalid']);
	}
});

test('R137 R138 an operator decides by token, or by cookie with its header token; the decision says which', async () => {
	const service = createService();
	const gate = await open({ service });
	const { cookie, signedIn } = await gate.logIn();
	const origin = `http://${gate.host}`;
	const decide = (headers: Record<string, string>, body = '{"decision":"approve","reason":" fine "}') =>
		gate.request('POST', '/api/approvals/approval-1', { ...JSON_TYPE, ...headers }, body);
	expect((await decide({ origin, cookie })).status).toBe(401);
	expect((await decide(bearer(gate.tokens.viewer))).status).toBe(403);
	expect((await decide(bearer(gate.tokens.operator), '{"decision":"approve","decision":"deny"}')).status).toBe(400);
	expect((await decide(bearer(gate.tokens.operator), '{"decision":"approve","by":{"role":"x"}}')).status).toBe(400);
	expect((await decide(bearer(gate.tokens.operator), '{"decision":"maybe"}')).status).toBe(400);
	expect(service.decided).toEqual([]);
	const { status, text } = await decide({ origin, ...signedIn });
	expect([status, JSON.parse(text).approval.state]).toEqual([200, 'approved']);
	expect(service.decided).toEqual([
		{
			body: { decision: 'approve', reason: 'fine' },
			by: { role: 'operator', via: 'browser', access: expect.any(String) },
		},
	]);
	expect((await decide(bearer(gate.tokens.operator))).status).toBe(409);
	const missing = await gate.request(
		'POST',
		'/api/approvals/other-one',
		{ ...JSON_TYPE, ...bearer(gate.tokens.operator) },
		'{"decision":"deny"}',
	);
	expect(missing.status).toBe(404);
});

test('of two tokens each decision names its own, as the access list does', async () => {
	const deciders: Decider[] = [];
	const service: ApiOptions['service'] = {
		...createService(),
		decide: async (_id, _body, by) => ({
			...waiting,
			state: 'approved',
			by: deciders[deciders.push(by) - 1] as Decider,
		}),
	};
	const gate = await open({ service });
	const ids: string[] = [];
	for (const token of [await gate.auth.mintToken('operator'), gate.tokens.operator]) {
		const headers = { ...JSON_TYPE, ...bearer(token) };
		await gate.request('POST', '/api/approvals/approval-1', headers, '{"decision":"approve"}');
		const { entries } = AccessList.parse(JSON.parse((await gate.request('GET', '/api/access', headers)).text));
		ids.push(...entries.filter(({ mine }) => mine).map(({ id }) => id));
	}
	expect(new Set(ids).size).toBe(2);
	expect(deciders).toEqual(ids.map((access) => ({ role: 'operator', via: 'token', access })));
});

test('approvals are listed by state', async () => {
	const gate = await open({ service: createService() });
	const get = (path: string) => gate.request('GET', path, bearer(gate.tokens.viewer));
	expect(JSON.parse((await get('/api/approvals?state=waiting')).text)).toEqual({ approvals: [waiting] });
	expect(JSON.parse((await get('/api/approvals?state=denied')).text)).toEqual({ approvals: [] });
	expect((await get('/api/approvals?state=maybe')).status).toBe(400);
	expect(JSON.parse((await get('/api/approvals/approval-1')).text)).toEqual({ approval: waiting });
	expect((await get('/api/approvals/approval-2')).status).toBe(404);
});

test('a failure of ours is logged and answered without its details; JSON is never a page', async () => {
	const gate = await open();
	const headers = { ...JSON_TYPE, ...bearer(gate.tokens.operator) };
	const {
		status,
		text,
		headers: got,
	} = await gate.request('POST', '/api/approvals/approval-1', headers, '{"decision":"deny"}');
	expect([status, JSON.parse(text).error.code]).toEqual([500, 'server/failed']);
	expect(text).not.toContain('decided approval-1');
	expect(gate.lines.join('')).toContain('decided approval-1');
	expect(got).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
	expect(got['content-type']).toMatch(/^application\/json/);
	expect(got['content-security-policy']).toContain("default-src 'none'");
});

test('the description names every route, its roles and its schemas', async () => {
	const gate = await open();
	const { text } = await gate.request('GET', '/api/openapi.json', bearer(gate.tokens.viewer));
	const { openapi, paths } = JSON.parse(text);
	expect(openapi).toBe('3.1.0');
	const described = Object.entries(paths).flatMap(([path, item]) =>
		Object.keys(item as object).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
	);
	expect(described.sort()).toEqual(ofMachines());
	const { post } = paths['/api/approvals/{id}'];
	expect(post['x-roles']).toEqual(['operator']);
	expect(post.requestBody.content['application/json'].schema.properties.decision.enum).toEqual([
		'approve',
		'deny',
		'answer',
	]);
	expect(post.parameters).toMatchObject([{ name: 'id', in: 'path', required: true }]);
	expect(paths['/api/sessions/{id}/events'].get.parameters.map(({ name }: { name: string }) => name)).toEqual([
		'id',
		'after',
		'limit',
		'row',
	]);
});

test('a signed-in person learns their role and what was minted, and no secret that lets anybody in', async () => {
	const gate = await open();
	const { cookie, signedIn } = await gate.logIn();
	const me = async (headers: Record<string, string>) =>
		JSON.parse((await gate.request('GET', '/api/me', headers)).text);
	expect(await me({ cookie })).toMatchObject({ error: { code: 'auth/half' } });
	expect(await me(signedIn)).toEqual({
		role: 'operator',
		tier: 'T1',
		minted: [
			{ at: expect.any(String), kind: 'token:mint', role: 'operator' },
			{ at: expect.any(String), kind: 'link:mint', role: 'operator' },
		],
		epoch: 'epoch-1',
		undoSeconds: 0,
		home: '/home/of/tests',
		program: 'signalbox',
	});
	expect(await me(bearer(gate.tokens.viewer))).toMatchObject({ role: 'viewer' });
});

test('R139 signing in and out over HTTP', async () => {
	const gate = await open();
	const headers = { ...JSON_TYPE, origin: `http://${gate.host}` };
	const body = JSON.stringify({ token: await gate.auth.mintLink() });
	const first = await gate.request('POST', '/login', headers, body);
	expect(first.status).toBe(200);
	expect(first.headers['set-cookie']).toEqual([
		expect.stringMatching(
			new RegExp(`^signalbox-${gate.port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000$`),
		),
	]);
	expect((await gate.request('POST', '/login', headers, body)).status).toBe(410);
	const cookie = String(first.headers['set-cookie']?.[0]).split(';', 1)[0] ?? '';
	const both = { cookie, 'x-signalbox-session': JSON.parse(first.text).sessionToken };
	expect((await gate.request('GET', '/api/me', both)).status).toBe(200);
	const out = await gate.request('POST', '/logout', { origin: headers.origin, ...both });
	expect([out.status, out.headers['set-cookie']?.[0]]).toEqual([204, expect.stringContaining('Max-Age=0')]);
	expect((await gate.request('GET', '/api/me', both)).status).toBe(401);
	expect((await gate.request('POST', '/logout', bearer(gate.tokens.operator))).status).toBe(403);
});

test('a link is not used up where its cookie would not count', async () => {
	const gate = await open();
	const body = JSON.stringify({ token: await gate.auth.mintLink() });
	const at = (host: string) => gate.request('POST', '/login', { ...JSON_TYPE, host, origin: `http://${host}` }, body);
	for (const host of ['localhost', 'signalbox.localhost']) expect((await at(`${host}:${gate.port}`)).status).toBe(421);
	expect((await at(gate.host)).status).toBe(200);
});

test('by a name that everybody can guess a page says how to get in, and not where', async () => {
	const gate = await open();
	const [label = ''] = gate.host.split('.');
	for (const name of ['signalbox.localhost', 'localhost', '127.0.0.1', '[::1]']) {
		const host = `${name}:${gate.port}`;
		for (const path of ['/login', '/link', '/login?to=%2Fapprovals']) {
			const { status, text } = await gate.request('GET', path, { host });
			expect([status, text]).toEqual([200, expect.stringContaining('Run <code>signalbox open</code>')]);
			expect(text).not.toContain(label);
		}
		const sent = await gate.request('GET', '/approvals', { host, accept: 'text/html' });
		expect([sent.status, sent.headers.location]).toEqual([303, '/login?to=%2Fapprovals']);
	}
	const elsewhere = await gate.request('GET', '/', { host: `x.signalbox.localhost:${gate.port}` });
	expect([elsewhere.status, elsewhere.text]).toEqual([421, expect.not.stringContaining(label)]);
});

test('guessing links is slowed down', async () => {
	const gate = await open();
	const guess = () =>
		gate.request(
			'POST',
			'/login',
			{ ...JSON_TYPE, origin: `http://${gate.host}` },
			JSON.stringify({ token: 'x'.repeat(43) }),
		);
	const statuses = [];
	for (let n = 0; n < 11; n++) statuses.push((await guess()).status);
	expect(statuses).toEqual([...Array.from({ length: 10 }, () => 410), 429]);
});

test('the sign-in page is independent: its own policy, words without scripts, nothing of Next', async () => {
	const gate = await open();
	const { status, headers, text } = await gate.request('GET', '/login');
	const nonce = /script-src 'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1] ?? '';
	expect(status).toBe(200);
	expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/);
	expect(text.match(/<(?:script|style)[^>]*>/g)).toEqual([`<style nonce="${nonce}">`, `<script nonce="${nonce}">`]);
	expect(text).toMatch(/<noscript>.*needs JavaScript/);
	expect(text).toMatch(/<p id="none">You are not signed in\. Run <code>(?:signalbox|node \S+) open/);
	expect(gate.reached.pages).toEqual([]);
});

test('the sign-in page speaks the language that was chosen, else the browser’s', async () => {
	const gate = await open();
	const loginPage = async (headers: Record<string, string>) => (await gate.request('GET', '/login', headers)).text;
	expect(await loginPage({ 'accept-language': 'zh-CN,zh;q=0.9' })).toContain('你尚未登录');
	const chosen = { 'accept-language': 'zh-CN', cookie: 'signalbox-language=en' };
	expect(await loginPage(chosen)).toContain('You are not signed in');
});

test('the counters are plain text, for readers only', async () => {
	const gate = await open({ sockets: () => 3, service: createService() });
	expect((await gate.request('GET', '/metrics')).status).toBe(401);
	const { headers, text } = await gate.request('GET', '/metrics', bearer(gate.tokens.viewer));
	expect(headers['content-type']).toMatch(/^text\/plain/);
	expect(text.split('\n').filter((line) => line && !line.startsWith('#'))).toEqual([
		'signalbox_events_total 0',
		'signalbox_sessions 2',
		'signalbox_sockets 3',
		'signalbox_tickets 1',
	]);
});

test('features are an empty list', async () => {
	const gate = await open();
	const { text } = await gate.request('GET', '/api/features', bearer(gate.tokens.viewer));
	expect(JSON.parse(text)).toEqual({ features: [], projects: [] });
});
