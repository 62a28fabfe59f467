import { afterEach, expect, test } from 'vitest';
import { FeatureDetail, type FeatureRecord } from '#lib/contract/archives/features.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { FeatureService } from '../../archives/features/feature-service.ts';
import type { ReplayService } from '../../archives/replay/replay-service.ts';
import { type Gate, openGate } from '../../testing/gate-fixture.ts';

const opened: Gate[] = [];
afterEach(async () => {
	for (const gate of opened.splice(0)) await gate.close();
});

const record: FeatureRecord = {
	id: '0123456789ab-user-login',
	project: 'shop',
	name: 'user-login',
	makes: [],
	state: 'in-progress',
	tasks: { done: 1, total: 2, next: ['<b>TEST</b>'], more: 0 },
	sessions: ['s1'],
};

const project = { id: '0123456789ab', name: 'shop', root: '/home/dev/shop' };

async function open() {
	const calls: unknown[] = [];
	const service: FeatureService = {
		list: async () => [record],
		projects: () => [project],
		async create(...given) {
			calls.push(given);
			return record;
		},
		async detail(id) {
			if (id !== record.id) throw new AppError('feature/not-found');
			return {
				feature: record,
				documents: [{ name: 'tasks.md', text: '<b>', cut: false }],
				runs: [],
				manifest: null,
				handoffs: [],
			};
		},
		async file(...given) {
			calls.push(given);
			if (given[2].includes('gone')) throw new AppError('file/not-found');
			return Buffer.from('<b>kept</b>');
		},
		async exported(...given) {
			calls.push(given);
			return '<script>an export</script>';
		},
		redaction: async () => ({ events: 2, touched: 1, ids: 2, fields: [], leftOut: 1 }),
		async act(...given) {
			calls.push(given);
			return { ...record, state: 'paused' };
		},
	};
	const replay: ReplayService = {
		recording: async () => ({ sessions: [], failed: [], reading: 0.5 }),
		async moment(...given) {
			calls.push(given);
			return { happened: 3, previous: 1, next: null };
		},
		async chapters(...given) {
			calls.push(given);
			return { before: [], after: [] };
		},
		async part(...given) {
			calls.push(given);
			throw new AppError('session/not-found');
		},
		async rows(...given) {
			calls.push(given);
			return [];
		},
		async events(...given) {
			calls.push(given);
			return [];
		},
	};
	const gate = await openGate({ features: service, replay });
	opened.push(gate);
	return { gate, asked: calls };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test('features are read by viewers: the list, one with its documents, archived events by range', async () => {
	const { gate, asked } = await open();
	const get = (path: string) => gate.request('GET', path, bearer(gate.tokens.viewer));
	expect(JSON.parse((await get('/api/features')).text)).toEqual({ features: [record], projects: [project] });
	expect(FeatureDetail.parse(JSON.parse((await get(`/api/features/${record.id}`)).text)).feature).toEqual(record);
	expect((await get(`/api/features/${record.id}/sessions/s1/events?after=5&limit=10`)).text).toBe('{"events":[]}');
	expect(asked).toEqual([[record.id, 's1', { after: 5, limit: 10 }]]);
	for (const path of ['x', '0123456789ab-', '0123456789ab-..', '0123456789ab-A', '0123456789ab-other']) {
		expect((await get(`/api/features/${path}`)).status).toBe(404);
	}
	expect((await get(`/api/features/${record.id}/sessions/s.1/events`)).status).toBe(404);
	expect((await get(`/api/features/${record.id}/sessions/s1/events?limit=1001`)).status).toBe(400);
	for (const path of ['/api/features', `/api/features/${record.id}`, `/api/features/${record.id}/sessions/s1/events`]) {
		expect((await gate.request('GET', path)).status).toBe(401);
		expect((await gate.request('GET', path, bearer(gate.tokens.edge))).status).toBe(403);
	}
});

test('a recording is read by viewers at an instant: its outline, moments, chapters, parts and rows', async () => {
	const { gate, asked } = await open();
	const base = `/api/features/${record.id}`;
	const get = (path: string) => gate.request('GET', `${base}/${path}`, bearer(gate.tokens.viewer));
	expect(JSON.parse((await get('recording')).text)).toEqual({ sessions: [], failed: [], reading: 0.5 });
	expect(JSON.parse((await get('recording/moment?at=7')).text)).toEqual({ happened: 3, previous: 1, next: null });
	expect((await get('recording/chapters?at=7&kinds=denial,prompt&limit=5')).status).toBe(200);
	expect((await get('sessions/s1/part?at=7')).status).toBe(404);
	expect((await get('sessions/s1/part?seq=9')).status).toBe(404);
	expect((await get('sessions/s1/rows?seq=9&before=5')).text).toBe('{"rows":[]}');
	expect((await get('sessions/s1/events?row=call:t1&begun=4')).text).toBe('{"events":[]}');
	expect(asked).toEqual([
		[record.id, 7],
		[record.id, 7, ['denial', 'prompt'], 5],
		[record.id, 's1', { at: 7 }],
		[record.id, 's1', { seq: 9 }],
		[record.id, 's1', { seq: 9, before: 5, limit: 200 }],
		[record.id, 's1', { after: 0, limit: 200, row: 'call:t1', begun: 4 }],
	]);
	const wrong = [
		'recording/moment',
		'recording/chapters?at=7&kinds=all',
		'sessions/s1/part',
		'sessions/s1/part?at=7&seq=9',
	];
	for (const path of wrong) expect((await get(path)).status).toBe(400);
	for (const path of ['recording', 'sessions/s1/part?at=7']) {
		expect((await gate.request('GET', `${base}/${path}`)).status).toBe(401);
		expect((await gate.request('GET', `${base}/${path}`, bearer(gate.tokens.edge))).status).toBe(403);
	}
});

test('only an operator moves a feature, by token or by cookie with its header token', async () => {
	const { gate, asked } = await open();
	const { cookie, signedIn } = await gate.logIn();
	const origin = `http://${gate.host}`;
	const act = (headers: Record<string, string>, body = '{"action":"pause"}') =>
		gate.request('POST', `/api/features/${record.id}`, { 'content-type': 'application/json', ...headers }, body);
	expect((await act(bearer(gate.tokens.viewer))).status).toBe(403);
	expect((await act(bearer(gate.tokens.edge))).status).toBe(403);
	expect((await act({ origin, cookie })).status).toBe(401);
	for (const body of [
		'{"action":"delete"}',
		'{"action":"pause","root":"/"}',
		'{}',
		'{"action":"pause","action":"archive"}',
	]) {
		expect((await act(bearer(gate.tokens.operator), body)).status).toBe(400);
	}
	expect(asked).toEqual([]);
	const { status, text } = await act({ origin, ...signedIn });
	expect([status, JSON.parse(text).feature.state]).toEqual([200, 'paused']);
	expect((await act(bearer(gate.tokens.operator), '{"action":"archive"}')).status).toBe(200);
	expect(asked).toEqual([
		[record.id, 'pause', { role: 'operator', via: 'browser', access: expect.any(String) }],
		[record.id, 'archive', { role: 'operator', via: 'token', access: expect.any(String) }],
	]);
});

test('only an operator makes a feature, in a project by its id', async () => {
	const { gate, asked } = await open();
	const createFeature = (headers: Record<string, string>, body: object) =>
		gate.request(
			'POST',
			'/api/features',
			{ 'content-type': 'application/json', ...headers },
			JSON.stringify({ project: project.id, name: 'cart', ...body }),
		);
	expect((await createFeature(bearer(gate.tokens.viewer), {})).status).toBe(403);
	const { cookie } = await gate.logIn();
	expect((await createFeature({ origin: `http://${gate.host}`, cookie }, {})).status).toBe(401);
	for (const body of [{ project: '/etc' }, { workflow: 'nonsense' }, { root: '/' }, { name: 1 }]) {
		expect((await createFeature(bearer(gate.tokens.operator), body)).status).toBe(400);
	}
	expect(asked).toEqual([]);
	expect((await createFeature(bearer(gate.tokens.operator), { workflow: 'quick', backlog: true })).status).toBe(200);
	expect(asked).toEqual([
		[
			{ project: project.id, name: 'cart', workflow: 'quick', backlog: true },
			{ role: 'operator', via: 'token', access: expect.any(String) },
		],
	]);
});

test('kept files are plain text for readers, by names that are none but their own', async () => {
	const { gate, asked } = await open();
	const base = `/api/features/${record.id}/sessions/s1`;
	const get = (path: string) => gate.request('GET', `${base}/${path}`, bearer(gate.tokens.viewer));
	const sha = 'a'.repeat(64);
	const { status, text, headers } = await get(`blobs/${sha}`);
	expect([status, text, headers['content-type']]).toEqual([200, '<b>kept</b>', 'text/plain; charset=utf-8']);
	expect((await get('handoffs/DEV-to-TEST.md')).status).toBe(200);
	expect((await get('handoffs/gone.md')).status).toBe(404);
	for (const path of ['blobs/x', `blobs/${sha}0`, 'handoffs/.x', 'handoffs/a%20b']) {
		expect((await get(path)).status).toBe(404);
	}
	expect(asked).toEqual([
		[record.id, 's1', `blobs/${sha}`],
		[record.id, 's1', 'handoffs/DEV-to-TEST.md'],
		[record.id, 's1', 'handoffs/gone.md'],
	]);
	expect((await gate.request('GET', `${base}/blobs/${sha}`)).status).toBe(401);
});

test('a viewer gets an archive as plain text in the format asked for, and the counts of a redaction; an edge gets nothing', async () => {
	const { gate, asked } = await open();
	const path = `/api/features/${record.id}/export`;
	const get = (where: string, token = gate.tokens.viewer) => gate.request('GET', where, bearer(token));
	const page = await get(`${path}?format=html&redact=true`);
	expect([page.status, page.text, page.headers['content-type']]).toEqual([
		...[200, '<script>an export</script>', 'text/plain; charset=utf-8'],
	]);
	expect(asked.at(-1)).toEqual([record.id, 'html', true]);
	expect((await get(`${path}?format=csv`)).status).toBe(200);
	expect(asked.at(-1)).toEqual([record.id, 'csv', false]);
	for (const wrong of ['', '?format=exe', '?format=html&redact=maybe'])
		expect((await get(`${path}${wrong}`)).status).toBe(400);
	const counts = await get(`/api/features/${record.id}/redaction`);
	expect(JSON.parse(counts.text)).toMatchObject({ touched: 1, leftOut: 1 });
	expect((await get(`${path}?format=csv`, gate.tokens.edge)).status).toBe(403);
});
