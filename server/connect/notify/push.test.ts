import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PushBody, PushState } from '#lib/contract/access/access.ts';
import type { Notification } from '#lib/notify/notification.ts';
import { openGate } from '../../testing/gate-fixture.ts';
import { startService } from '../../testing/notify-rig.ts';
import { readPush } from '../../testing/read-push.ts';
import { createPushChannel } from './open-channel.ts';
import { openPushStore } from './push-store.ts';

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'sbx-push-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const notification: Notification = {
	id: 'e1',
	type: 'approval:request',
	ts: '2026-01-01T00:00:00.000Z',
	sessionId: 's1',
	title: 'shop: Approval asked',
	body: 'Bash: rm -rf build',
	url: 'https://example.org/approvals?card=a1',
	tone: 'wait',
};

/** A browser's own keys, and how it reads what it is sent (RFC 8291, one record). */
function makeBrowser(endpoint: string) {
	const own = createECDH('prime256v1');
	own.generateKeys();
	const auth = randomBytes(16);
	const p256dh = own.getPublicKey();
	return {
		subscription: { endpoint, keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') } },
		read: (bytes: Buffer) => readPush(bytes, { privateKey: own.getPrivateKey(), auth }),
	};
}

const never = new AbortController().signal;

/** What the token of `Authorization: vapid t=, k=` claims, if the key in it signed it. */
function claimsOf(header: string | undefined): { key: string; claims: Record<string, unknown> } {
	const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header ?? '') ?? [];
	const [head, body = '', signature = ''] = token.split('.');
	const raw = Buffer.from(key, 'base64url');
	const [x, y] = [raw.subarray(1, 33), raw.subarray(33)].map((part) => part.toString('base64url'));
	const jwk = { kty: 'EC', crv: 'P-256', x, y };
	const publicKey = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
	expect(verify('sha256', Buffer.from(`${head}.${body}`), publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
	return { key, claims: JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) };
}

test('only the browser can read a push, and the push service can verify its sender', async () => {
	const service = await startService(() => ({ status: 201 }));
	try {
		const browser = makeBrowser(`${service.url}/to/me`);
		const pushStore = openPushStore(home, Date.now);
		pushStore.add(browser.subscription, 'login');
		await createPushChannel(pushStore, 'https://example.org').send(notification, never);
		const [got] = service.got;
		expect(got?.headers).toMatchObject({ ttl: '300', urgency: 'high', 'content-encoding': 'aes128gcm' });
		expect(got?.bytes.includes('rm -rf')).toBe(false);
		const { key, claims } = claimsOf(got?.headers.authorization);
		expect(key).toBe(pushStore.keys().publicKey);
		expect(claims).toMatchObject({ aud: service.url, sub: 'https://example.org' });
		expect(JSON.parse(browser.read(got?.bytes ?? Buffer.alloc(0)))).toEqual({
			id: 'e1',
			title: notification.title,
			body: notification.body,
			path: '/approvals?card=a1',
		});
	} finally {
		await service.stop();
	}
});

test('a browser that is gone is forgotten; one that fails takes nothing from the others and is tried again alone', async () => {
	const service = await startService(({ path }, n) => ({
		status: path === '/gone' ? 410 : path === '/bad' && n < 3 ? 503 : 201,
	}));
	try {
		const pushStore = openPushStore(home, Date.now);
		for (const path of ['/gone', '/bad', '/good'])
			pushStore.add(makeBrowser(`${service.url}${path}`).subscription, 'login');
		const channel = createPushChannel(pushStore, undefined);
		await expect(channel.send(notification, never)).rejects.toThrow('it answered 503');
		await channel.send(notification, never);
		expect(service.got.map(({ path }) => path).toSorted()).toEqual(['/bad', '/bad', '/gone', '/good']);
		expect(pushStore.browsers().map(({ endpoint }) => new URL(endpoint).pathname)).toEqual(['/bad', '/good']);
	} finally {
		await service.stop();
	}
});

test('keys are made once and only for their owner; a browser goes with its sign-in', () => {
	const pushStore = openPushStore(home, Date.now);
	expect(createPushChannel(pushStore, undefined).reaches?.()).toBe(false);
	const { publicKey } = pushStore.keys();
	pushStore.add(makeBrowser('https://push.example.org/a').subscription, 'login-1');
	pushStore.add(makeBrowser('https://push.example.org/b').subscription, 'login-2');
	const path = join(home, 'push.json');
	expect(statSync(path).mode & 0o777).toBe(0o600);
	pushStore.removeOf('login-1');
	const again = openPushStore(home, Date.now);
	expect(again.keys().publicKey).toBe(publicKey);
	expect(again.browsers().map(({ login }) => login)).toEqual(['login-2']);
	chmodSync(path, 0o644);
	expect(openPushStore(home, Date.now).browsers()).toEqual([]);
	for (let n = 0; n < 18; n += 1) again.add(makeBrowser(`https://push.example.org/${n}`).subscription, 'x');
	again.add(makeBrowser('https://push.example.org/last').subscription, 'x');
	expect(() => again.add(makeBrowser('https://push.example.org/more').subscription, 'x')).toThrow('Twenty');
	expect(readFileSync(path, 'utf8')).not.toContain('/more');
});

test('only an operator chooses which browsers are notified; it is journaled without the address', async () => {
	const gate = await openGate();
	try {
		const as = (role: 'operator' | 'viewer') => ({
			authorization: `Bearer ${gate.tokens[role]}`,
			'content-type': 'application/json',
		});
		const { subscription } = makeBrowser('https://push.example.org/secret');
		const body = JSON.stringify({ action: 'subscribe', subscription });
		expect((await gate.request('POST', '/api/push', as('viewer'), body)).status).toBe(403);
		expect((await gate.request('GET', '/api/push', as('viewer'))).status).toBe(403);
		const { cookie } = await gate.logIn();
		const json = { cookie, origin: `http://${gate.host}`, 'content-type': 'application/json' };
		expect((await gate.request('POST', '/api/push', json, body)).status).toBe(401);
		const answer = await gate.request('POST', '/api/push', as('operator'), body);
		const { browsers } = PushState.parse(JSON.parse(answer.text));
		expect(browsers).toMatchObject([{ service: 'push.example.org' }]);
		expect(answer.text).not.toContain('secret');
		const remove = JSON.stringify({ action: 'remove', id: browsers[0]?.id });
		expect(JSON.parse((await gate.request('POST', '/api/push', as('operator'), remove)).text).browsers).toEqual([]);
		expect((await gate.request('POST', '/api/push', as('operator'), remove)).status).toBe(404);
	} finally {
		await gate.close();
	}
});

test('nothing of this machine or its network can be named as a push service', () => {
	const keys = makeBrowser('https://x.example').subscription.keys;
	const takes = (endpoint: string) =>
		PushBody.safeParse({ action: 'subscribe', subscription: { endpoint, keys } }).success;
	const good = ['https://fcm.googleapis.com/fcm/send/abc:def', 'https://updates.push.services.mozilla.com/wpush/v2/x'];
	expect(good.map(takes)).toEqual([true, true]);
	const bad = [
		'http://push.example.org/x',
		'https://localhost/x',
		'https://signalbox.localhost:7777/api/push',
		'https://127.0.0.1/x',
		'https://[::1]/x',
		'https://2130706433/x',
		'https://printer.local/x',
		'https://metadata.google.internal/x',
		'https://user:pass@push.example.org/x',
	];
	expect(bad.filter(takes)).toEqual([]);
	fc.assert(fc.property(fc.ipV4(), (ip) => !takes(`https://${ip}/x`)));
});
