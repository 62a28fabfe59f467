import { createECDH, createHmac, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { startWorkflow, workflowStatus } from '#hooks-bridge/engine/workflow/run-workflow.ts';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { createWorkflowControl } from '../../approvals/workflow/workflow-control.ts';
import { createLog } from '../../process/log.ts';
import { type Got, startService } from '../../testing/notify-rig.ts';
import { asLine, createTimelineRig } from '../../testing/timeline-rig.ts';
import { createEscalations, startNotify } from './notifier.ts';
import { openPushStore } from './push-store.ts';

const TOKEN = '123:very-secret';
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const close of open.splice(0).reverse()) await close();
});

async function serviceOf(answer?: Parameters<typeof startService>[0]) {
	const service = await startService(answer);
	open.push(service.stop);
	return service;
}

/** The notifications of a home with a real tail; `at` is the server's clock. */
async function startHome(notify: unknown, env: Record<string, string> = {}, at = () => Date.now()) {
	const files = createTimelineRig();
	mkdirSync(files.home, { recursive: true });
	writeFileSync(join(files.home, 'config.json'), JSON.stringify({ notify }));
	const journaled: Record<string, unknown>[] = [];
	const journal: Parameters<typeof createWorkflowControl>[0]['journal'] = {
		append: async (draft) => {
			journaled.push({ ...draft });
			return null;
		},
	};
	const run = await files.start({ journal: { find: () => undefined } });
	const ports = createNodePorts({ home: files.home, onAppend: (sessionId) => run.tail.noteAppended(sessionId) });
	const workflows = createWorkflowControl({ ports, journal, viewOf: run.tail.viewOf });
	const logged: string[] = [];
	const pushStore = openPushStore(files.home, at);
	const notifier = startNotify({
		pushStore,
		tail: run.tail,
		ports,
		workflows,
		linkTo: ({ approvalId }) => `/link#to-${approvalId}`,
		address: 'http://signalbox.localhost:7777',
		env,
		now: at,
		log: createLog((line) => logged.push(line)),
	});
	open.push(async () => {
		await notifier.stop();
		ports.close();
		await run.stop();
	});
	let n = 0;
	return {
		...run,
		ports,
		files,
		notifier,
		pushStore,
		logged,
		workflows,
		journaled,
		async record(type: string, fields: Record<string, unknown> = {}, ts = new Date().toISOString()) {
			n += 1;
			const envelope = { id: `e${n}`, ts, category: type.split(':')[0], label: type, sessionId: 's1', project: 'shop' };
			files.append('s1', asLine({ ...envelope, type, ...fields }));
			run.tail.noteAppended('s1');
			await run.tail.whenRead();
		},
	};
}

const bodyOf = (got: Got | undefined): Record<string, unknown> => JSON.parse(got?.body ?? '{}');

test('R652 a webhook gets the listed events, and no others, without any browser', async () => {
	const service = await serviceOf();
	const home = await startHome({
		channels: { team: { kind: 'webhook', url: `${service.url}/x`, events: ['error:*'] } },
	});
	await home.record('prompt:submit', { prompt: 'hi', source: 'user' });
	await home.record('error:fatal', { reason: 'three \u001b[31mfailures' });
	await service.has(1);
	expect(service.got).toHaveLength(1);
	expect(bodyOf(service.got[0])).toMatchObject({
		type: 'error:fatal',
		sessionId: 's1',
		title: 'shop: Stopped by an error',
		body: 'three failures',
		url: 'http://signalbox.localhost:7777/sessions/s1',
	});
});

test('a webhook with a secret signs its bytes', async () => {
	const service = await serviceOf();
	const home = await startHome(
		{ channels: { team: { kind: 'webhook', url: service.url, secretEnv: 'HOOK_SECRET', events: ['error:fatal'] } } },
		{ HOOK_SECRET: 's3cret' },
	);
	await home.record('error:fatal', { reason: 'no' });
	await service.has(1);
	const [got] = service.got;
	const expected = createHmac('sha256', 's3cret')
		.update(got?.body ?? '')
		.digest('hex');
	expect(got?.headers['x-signalbox-signature']).toBe(`sha256=${expected}`);
});

test('R652 old events and a rebuilt index are no news; a forged question is none either', async () => {
	const service = await serviceOf();
	const home = await startHome({
		channels: { team: { kind: 'webhook', url: service.url, events: ['error:fatal', 'approval:request'] } },
	});
	await home.record('error:fatal', { reason: 'old' }, '2026-01-01T00:00:00.000Z');
	const request = { approvalId: 'approval-1', tool: 'Bash', input: {}, inputDigest: 'd', denials: [] };
	await home.record('approval:request', { ...request, deadline: new Date(Date.now() + 60_000).toISOString() });
	await home.record('error:fatal', { reason: 'new' });
	await service.has(1);
	expect(service.got.map((got) => bodyOf(got).body)).toEqual(['new']);
});

test('a channel that fails is tried again and takes nothing from the others', async () => {
	const broken = await serviceOf((_got, n) => ({ status: n < 2 ? 503 : 200, headers: { 'retry-after': '0.01' } }));
	const good = await serviceOf();
	const home = await startHome({
		events: ['error:fatal'],
		channels: { broken: { kind: 'webhook', url: broken.url }, good: { kind: 'webhook', url: good.url } },
	});
	await home.record('error:fatal', { reason: 'x' });
	await good.has(1);
	await broken.has(3);
	expect(new Set(broken.got.map(({ body }) => body)).size).toBe(1);
	expect(home.logged).toEqual([]);
});

test('a refused message is given up and reported once, without address or token', async () => {
	const service = await serviceOf(() => ({ status: 403 }));
	const home = await startHome(
		{
			events: ['error:fatal'],
			channels: {
				bot: { kind: 'telegram', api: service.url, chats: [5] },
				dead: { kind: 'ntfy', url: 'http://127.0.0.1:9/my-topic', tokenEnv: 'NTFY' },
			},
		},
		{ TELEGRAM_BOT_TOKEN: TOKEN, NTFY: 'ntfy-secret' },
	);
	await home.record('error:fatal', { reason: 'x' });
	await vi.waitUntil(() => home.logged.some((line) => line.includes('not delivered')), { timeout: 20_000 });
	expect(home.logged.join()).toContain('it answered 403');
	expect(home.logged.join()).not.toContain('very-secret');
	expect(home.logged.join()).not.toContain('ntfy-secret');
	expect(home.logged.join()).not.toContain('127.0.0.1');
});

test('a redirect is not followed: it would carry the token away', async () => {
	const thief = await serviceOf();
	const service = await serviceOf(() => ({ status: 307, headers: { location: thief.url } }));
	const home = await startHome(
		{ events: ['error:fatal'], channels: { phone: { kind: 'ntfy', url: `${service.url}/topic`, tokenEnv: 'NTFY' } } },
		{ NTFY: 'ntfy-secret' },
	);
	await home.record('error:fatal', { reason: 'x' });
	await vi.waitUntil(() => home.logged.some((line) => line.includes('it answered 307')), { timeout: 20_000 });
	expect(thief.got).toEqual([]);
});

test('ntfy gets topic, words, link and how urgent it is', async () => {
	const service = await serviceOf();
	const home = await startHome(
		{
			events: ['error:fatal'],
			channels: { phone: { kind: 'ntfy', url: `${service.url}/base/my-topic`, tokenEnv: 'NTFY' } },
		},
		{ NTFY: 'tk_1' },
	);
	await home.record('error:fatal', { reason: 'ü' });
	await service.has(1);
	expect(service.got[0]).toMatchObject({ path: '/base/', headers: { authorization: 'Bearer tk_1' } });
	expect(bodyOf(service.got[0])).toMatchObject({ topic: 'my-topic', message: 'ü', priority: 4 });
});

test('a channel without its secret is left out and named', async () => {
	const home = await startHome({ channels: { bot: { kind: 'telegram', chats: [5] } } });
	expect(home.logged.join()).toContain('TELEGRAM_BOT_TOKEN');
	expect(home.notifier.reachesPerson()).toBe(false);
});

test('in quiet hours nothing is sent and nobody counts as reached', async () => {
	const service = await serviceOf();
	const noon = new Date();
	noon.setHours(12, 30, 0, 0);
	const quiet = { from: '12:00', to: '13:00' };
	const channels = {
		team: { kind: 'webhook', url: service.url, quiet },
		other: { kind: 'webhook', url: `${service.url}/loud` },
	};
	const home = await startHome({ events: ['error:fatal', 'approval:request'], channels }, {}, () => noon.getTime());
	expect(home.notifier.reachesPerson()).toBe(true);
	await home.record('error:fatal', { reason: 'x' }, new Date(noon.getTime() + 1).toISOString());
	await service.has(1);
	expect(service.got.map(({ path }) => path)).toEqual(['/loud']);
	const silent = await startHome({ events: ['approval:request'], channels: { team: channels.team } }, {}, () =>
		noon.getTime(),
	);
	expect(silent.notifier.reachesPerson()).toBe(false);
});

test('a second channel gets a question only if it still waits near its deadline', async () => {
	const at = Date.now();
	const escalations = createEscalations(() => at);
	const pushed: number[] = [];
	const requestEvent = (n: number, inMs: number): IndexedEvent => ({
		...{ id: `a${n}`, ts: new Date(at).toISOString(), seq: n, sessionId: 's1', category: 'approval', label: '' },
		...{ type: 'approval:request' as const, approvalId: `approval-${n}`, tool: 'Bash', input: {}, inputDigest: 'd' },
		...{ denials: [], deadline: new Date(at + inMs).toISOString() },
	});
	const ended = (n: number): IndexedEvent => ({ ...requestEvent(n, 0), type: 'approval:expire' }) as IndexedEvent;
	vi.useFakeTimers();
	escalations.plan(requestEvent(1, 60_000), 20, () => pushed.push(1));
	escalations.plan(requestEvent(2, 60_000), 20, () => pushed.push(2));
	escalations.plan(requestEvent(3, 10_000), 20, () => pushed.push(3));
	vi.advanceTimersByTime(1);
	expect(pushed).toEqual([3]);
	escalations.cancel(ended(2));
	vi.advanceTimersByTime(40_000);
	expect(pushed).toEqual([3, 1]);
	escalations.stop();
	vi.useRealTimers();
});

test('a channel that is only for escalation reaches nobody at once', async () => {
	const service = await serviceOf();
	const channels = { phone: { kind: 'webhook', url: service.url, escalateSeconds: 30 } };
	expect((await startHome({ channels })).notifier.reachesPerson()).toBe(false);
});

/** A Bot API whose chats have written `texts`; keeps what it was told to send. */
async function startBotApi(updates: { chat: number; text: string; date?: number }[]) {
	const sent: { chat_id: string; text: string }[] = [];
	const service = await serviceOf(({ path, body }) => {
		if (!path.startsWith(`/bot${TOKEN}/`)) return { status: 404 };
		if (path.endsWith('/sendMessage')) {
			sent.push(JSON.parse(body));
			return { body: '{"ok":true}' };
		}
		const { offset } = JSON.parse(body);
		const result = updates
			.map(({ chat, text, date }, index) => ({
				update_id: index + 1,
				message: { date: date ?? Math.ceil(Date.now() / 1000) + 1, text, chat: { id: chat } },
			}))
			.filter(({ update_id }) => update_id >= offset);
		return result.length > 0 ? { body: JSON.stringify({ ok: true, result }) } : null;
	});
	return { service, sent, has: (count: number) => vi.waitUntil(() => sent.length >= count, { timeout: 20_000 }) };
}

test('R656 a listed chat receives the message, and its link is no login', async () => {
	const api = await startBotApi([]);
	const home = await startHome(
		{ events: ['error:fatal'], channels: { bot: { kind: 'telegram', api: api.service.url, chats: [5, '-7'] } } },
		{ TELEGRAM_BOT_TOKEN: TOKEN },
	);
	await home.record('error:fatal', { reason: '<b>*x*</b>' });
	await api.has(2);
	expect(api.sent.map(({ chat_id }) => chat_id).sort()).toEqual(['-7', '5']);
	expect(api.sent[0]?.text).toBe('shop: Stopped by an error\n<b>*x*</b>\nhttp://signalbox.localhost:7777/sessions/s1');
	expect(api.sent[0]).not.toHaveProperty('parse_mode');
});

test('R657 /sessions, /status and /stop answer a listed chat; others and old messages are ignored', async () => {
	const home = await startHome({});
	startWorkflow({ sessionId: 's1', project: '', requestId: 'r1', ports: home.ports }, 'quick');
	await home.tail.whenRead();
	const api = await startBotApi([
		{ chat: 666, text: '/stop' },
		{ chat: 5, text: '/stop', date: 1000 },
		{ chat: 5, text: '/sessions' },
		{ chat: 5, text: '/status s1' },
		{ chat: 5, text: '/status nobody' },
	]);
	writeFileSync(
		join(home.files.home, 'config.json'),
		JSON.stringify({ notify: { channels: { bot: { kind: 'telegram', api: api.service.url, chats: [5] } } } }),
	);
	const logged: string[] = [];
	const bot = startNotify({
		linkTo: () => '/link',
		pushStore: home.pushStore,
		tail: home.tail,
		ports: home.ports,
		workflows: home.workflows,
		address: 'http://x',
		env: { TELEGRAM_BOT_TOKEN: TOKEN },
		now: Date.now,
		log: createLog((line) => logged.push(line)),
	});
	open.push(() => bot.stop());
	await api.has(3);
	expect(api.sent.map(({ text }) => text.split('\n')[0])).toEqual([
		expect.stringContaining('quick'),
		expect.stringContaining('quick'),
		'There is no such session. /sessions lists them.',
	]);
	expect(api.sent.every(({ chat_id }) => chat_id === '5')).toBe(true);
	expect(workflowStatus(home.ports, 's1')?.workflow.ended).toBeUndefined();
	expect(home.journaled).toEqual([]);
	expect(logged.join()).toContain('chat=666');
});

test('R657 /stop ends the newest active session and is in the journal first', async () => {
	const api = await startBotApi([{ chat: 5, text: '/stop' }]);
	const home = await startHome({});
	startWorkflow({ sessionId: 's1', project: '', requestId: 'r1', ports: home.ports }, 'quick');
	await home.tail.whenRead();
	writeFileSync(
		join(home.files.home, 'config.json'),
		JSON.stringify({ notify: { channels: { bot: { kind: 'telegram', api: api.service.url, chats: [5] } } } }),
	);
	const bot = startNotify({
		linkTo: () => '/link',
		pushStore: home.pushStore,
		tail: home.tail,
		ports: home.ports,
		workflows: home.workflows,
		address: 'http://x',
		env: { TELEGRAM_BOT_TOKEN: TOKEN },
		now: Date.now,
		log: createLog(() => undefined),
	});
	open.push(() => bot.stop());
	await api.has(2);
	const texts = api.sent.map(({ text }) => text.split('\n')[0]);
	expect(texts).toContain('Stopped: s1 · idle · quick');
	// The other chats learn of it by the event.
	expect(texts).toContain('s1: Workflow aborted');
	expect(workflowStatus(home.ports, 's1')?.workflow.ended?.how).toBe('abort');
	expect(home.journaled).toMatchObject([
		{ kind: 'setting:change', subject: 'session:s1', payload: { by: { role: 'chat', via: 'telegram' } } },
	]);
});

test('browsers need no settings: with one a question reaches a person, without one nobody', async () => {
	const service = await serviceOf(() => ({ status: 201 }));
	const home = await startHome({});
	expect([home.notifier.reachesPerson(), home.notifier.channels()]).toEqual([false, []]);
	const p256dh = createECDH('prime256v1').generateKeys('base64url');
	const keys = { p256dh, auth: randomBytes(16).toString('base64url') };
	home.pushStore.add({ endpoint: `${service.url}/me`, keys }, 'login');
	expect(home.notifier.reachesPerson()).toBe(true);
	await home.record('error:fatal', { reason: 'three failures' });
	await service.has(1);
	expect(service.got[0]?.headers).toMatchObject({ ttl: '3600', urgency: 'normal' });
	await vi.waitUntil(() => home.notifier.channels()[0]?.last, { timeout: 20_000, interval: 5 });
	expect(home.notifier.channels()).toMatchObject([{ name: 'push', kind: 'push', missing: null, last: { ok: true } }]);
});

test('a channel that is left out or fails is reported by name, without its address', async () => {
	const service = await serviceOf(() => ({ status: 403 }));
	const home = await startHome({
		events: ['error:fatal'],
		channels: {
			team: { kind: 'webhook', url: `${service.url}/secret-path` },
			phone: { kind: 'ntfy', url: 'https://ntfy.sh/secret-topic', tokenEnv: 'NO_SUCH_TOKEN' },
		},
	});
	await home.record('error:fatal', { reason: 'x' });
	await vi.waitUntil(() => home.notifier.channels()[0]?.last, { timeout: 20_000, interval: 5 });
	const channels = home.notifier.channels();
	expect(channels).toMatchObject([
		{ name: 'team', last: { ok: false, reason: 'it answered 403' } },
		{ name: 'phone', missing: 'NO_SUCH_TOKEN', last: null },
	]);
	expect(JSON.stringify(channels)).not.toContain('secret');
});
