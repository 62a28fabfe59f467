import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { readPush } from '#server/testing/read-push.ts';
import { expect, test } from './fixtures.ts';
import { launchOptions, WHOLE_BROWSER } from './rig/chromium.ts';
import { watchWorker } from './rig/notice-worker.ts';
import { startReceiver } from './rig/receiver.ts';
import { agentCall, planFor } from './rig/routing.ts';

test.use({ launchOptions: { ...launchOptions, executablePath: WHOLE_BROWSER } });

/** The page takes itself for hidden. */
const hide = (page: Page) =>
	page.addInitScript(() => void Object.defineProperty(document, 'hidden', { get: () => true }));

test('after a click on the switch a hidden page notifies of a waiting call; its card opens, or it is denied, from there', async ({
	ownServer,
	operatorPage,
	project,
	hook,
}) => {
	const server = await ownServer();
	const page = await operatorPage('/features', { server });
	await page.context().grantPermissions(['notifications']);
	await hide(page);
	await page.reload();
	const worker = await watchWorker(page);
	const { dir } = await project({ name: 'checkout', plan: planFor('developer'), server });
	await page.getByRole('button', { name: /^Access: / }).click();
	await page.getByRole('button', { name: 'While a page is open: off' }).click();
	await expect(page.getByRole('button', { name: 'While a page is open: on' })).toBeVisible();
	await page.keyboard.press('Escape');
	const waiting = hook(agentCall({ sessionId: 'hidden', cwd: dir, agent: 'architect' }), { server });
	await expect.poll(() => worker.shown()).toMatchObject([{ actions: ['Approve…', 'Deny'] }]);
	const [notice] = await worker.shown();
	expect(notice?.title).toContain('architect');
	expect(notice?.body).toContain('checkout');

	await worker.click('approve');
	await expect(page.getByRole('article')).toBeFocused();
	expect(page.url()).toContain('/approvals?card=');
	expect(waiting.isWaiting()).toBe(true);
	await page.getByRole('article').getByRole('button', { name: 'Deny' }).click();
	await waiting.ended;
	await expect.poll(() => worker.shown()).toEqual([]);

	const second = hook(agentCall({ sessionId: 'again', cwd: dir, agent: 'architect' }), { server });
	await expect.poll(() => worker.shown()).toHaveLength(1);
	await worker.click('deny');
	expect((await second.ended).stdout).toContain('architect');
	expect(JSON.parse((await second.ended).stdout).hookSpecificOutput.permissionDecision).toBe('deny');
});

/** Chromium's own push service is not to be had here: the browser makes the keys, and another service has the address. */
async function standInPushService(page: Page): Promise<void> {
	await page.addInitScript(() => {
		const text = (bytes: ArrayBuffer) =>
			btoa(String.fromCharCode(...new Uint8Array(bytes)))
				.replaceAll('+', '-')
				.replaceAll('/', '_')
				.replaceAll('=', '');
		let made: object | null = null;
		const proto = PushManager.prototype as unknown as Record<string, unknown>;
		proto.getSubscription = async () => made;
		proto.subscribe = async () => {
			const keys = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
			const auth = text(crypto.getRandomValues(new Uint8Array(16)).buffer);
			const p256dh = text(await crypto.subtle.exportKey('raw', keys.publicKey));
			const { d } = await crypto.subtle.exportKey('jwk', keys.privateKey);
			const endpoint = 'https://push.example.org/to/this-browser';
			Object.assign(window, { ownKeys: { d, auth } });
			made = { endpoint, toJSON: () => ({ endpoint, keys: { p256dh, auth } }), unsubscribe: async () => true };
			return made;
		};
	});
}

test('from the switch to the button: what is pushed is sealed for this browser, shown by its worker, and denied there', async ({
	ownServer,
	operatorPage,
	project,
	hook,
}) => {
	const service = await startReceiver();
	const alias = join(import.meta.dirname, 'rig/push-service-alias.mjs');
	const server = await ownServer({ NODE_OPTIONS: `--import ${alias}`, PUSH_STAND_IN: service.url });
	const page = await operatorPage('/features', { server, viewport: { width: 390, height: 844 } });
	await page.context().grantPermissions(['notifications']);
	await standInPushService(page);
	await page.reload();
	const worker = await watchWorker(page);
	await page.getByRole('button', { name: /^Access: / }).click();
	await page.getByRole('button', { name: 'Also when none is: off' }).click();
	await expect(page.getByRole('button', { name: 'Also when none is: on' })).toBeVisible();
	const { d, auth } = await page.evaluate(
		() => (window as unknown as { ownKeys: { d: string; auth: string } }).ownKeys,
	);

	const { dir } = await project({ name: 'checkout', plan: planFor('developer'), server });
	const waiting = hook(agentCall({ sessionId: 'pushed', cwd: dir, agent: 'architect' }), { server });
	const sealed = await service.bytes();
	expect(sealed.includes('architect')).toBe(false);
	const keys = { privateKey: Buffer.from(d, 'base64url'), auth: Buffer.from(auth, 'base64url') };
	const text = readPush(sealed, keys);
	expect(text).toContain('architect');
	expect(text).not.toContain('/link');
	await worker.push(text);
	await expect
		.poll(() => worker.shown())
		.toMatchObject([{ title: 'checkout: Approval asked', actions: ['Approve…', 'Deny'] }]);
	expect(waiting.isWaiting()).toBe(true);
	await worker.click('deny');
	expect(JSON.parse((await waiting.ended).stdout).hookSpecificOutput.permissionDecision).toBe('deny');
	expect(await worker.shown()).toMatchObject([{ title: 'Denied; the agent receives it' }]);
	await page.goto('/approvals');
	await expect(page.getByRole('region', { name: 'Decided' })).toContainText('architect');
	service.close();
});

test('the worker shows what is pushed as text and leads nowhere but to this server', async ({
	ownServer,
	operatorPage,
	expectConsole,
}) => {
	expectConsole(/status of 404/);
	const server = await ownServer();
	const page = await operatorPage('/', { server });
	await page.context().grantPermissions(['notifications']);
	const worker = await watchWorker(page);
	await page.evaluate(async () => {
		await navigator.serviceWorker.register('/push-worker.js');
		await navigator.serviceWorker.ready;
	});
	const origin = new URL(page.url()).origin;
	const path = '/approvals?card=no-such-approval';
	const pushes = [
		JSON.stringify({ id: 'e1', title: 'shop: Approval asked', body: '<b>Bash</b>', path }),
		JSON.stringify({ id: 'e2', title: 'evil', body: '', path: 'https://example.org/steal?card=approval-1' }),
		'no JSON at all',
	];
	// The browser's tools drop a push now and then; what comes again takes the place of the same notice.
	await expect(async () => {
		for (const push of pushes) await worker.push(push);
		expect(await worker.shown()).toHaveLength(3);
	}).toPass();
	expect(await worker.shown()).toEqual(
		expect.arrayContaining([
			{ title: 'shop: Approval asked', body: '<b>Bash</b>', place: `${origin}${path}`, actions: ['Approve…', 'Deny'] },
			{ title: 'evil', body: '', place: `${origin}/`, actions: ['Open'] },
			{ title: 'Signalbox', body: '', place: `${origin}/`, actions: ['Open'] },
		]),
	);
	// A denial that nobody waits for is no end: the page opens instead.
	await worker.click('deny');
	await page.waitForURL(`${origin}${path}`);
});
