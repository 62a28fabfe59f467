import type { CDPSession, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { agentCall, planFor } from './rig/routing.ts';

/** What a page showed as a desktop notification, and the click on it. */
interface Shown {
	title: string;
	body: string;
	onclick: (() => void) | null;
}
type NoticeWindow = Window & { shown: Shown[] };

/** The page takes itself for hidden, and notifications are kept where the test can click them. */
async function standInNotifications(page: Page): Promise<void> {
	await page.addInitScript(() => {
		const shown: Shown[] = [];
		Object.assign(window, { shown });
		Object.defineProperty(document, 'hidden', { get: () => true });
		class StandIn {
			static permission = 'default';
			static requestPermission() {
				StandIn.permission = 'granted';
				return Promise.resolve('granted');
			}
			onclick: (() => void) | null = null;
			title: string;
			body: string;
			constructor(title: string, { body }: { body: string }) {
				this.title = title;
				this.body = body;
				shown.push(this);
			}
			close() {}
		}
		Object.assign(window, { Notification: StandIn });
	});
}

test('R774 after a click on the switch a hidden page tells of a waiting call, and a click on that opens its card', async ({
	ownServer,
	operatorPage,
	project,
	hook,
}) => {
	const server = await ownServer();
	const page = await operatorPage('/features', { server });
	await standInNotifications(page);
	await page.reload();
	const { dir } = await project({ name: 'checkout', plan: planFor('developer'), server });
	await page.getByRole('button', { name: /this sign-in/ }).click();
	await page.getByRole('button', { name: 'While a page is open: off' }).click();
	await expect(page.getByRole('button', { name: 'While a page is open: on' })).toBeVisible();
	await page.keyboard.press('Escape');
	hook(agentCall({ sessionId: 'hidden', cwd: dir, agent: 'architect' }), { server });
	await page.waitForFunction(() => (window as unknown as NoticeWindow).shown.length === 1);
	const notice = await page.evaluate(() => {
		const [first] = (window as unknown as NoticeWindow).shown;
		first?.onclick?.();
		return { title: first?.title, body: first?.body };
	});
	expect(notice.title).toContain('architect');
	expect(notice.body).toContain('checkout');
	await expect(page.getByRole('article')).toBeFocused();
	expect(page.url()).toContain('/approvals?card=');
});

/** The registration that the browser has made for the worker. */
function registrationOf(devtools: CDPSession): Promise<string> {
	return new Promise((resolve) => {
		devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
			const [first] = registrations;
			if (first) resolve(first.registrationId);
		});
	});
}

test('R775 the worker shows what is pushed and leads nowhere but to this server', async ({
	ownServer,
	operatorPage,
}) => {
	const server = await ownServer();
	const page = await operatorPage('/', { server });
	await page.context().grantPermissions(['notifications']);
	const devtools = await page.context().newCDPSession(page);
	const registered = registrationOf(devtools);
	await devtools.send('ServiceWorker.enable');
	await page.evaluate(async () => {
		await navigator.serviceWorker.register('/push-worker.js');
		await navigator.serviceWorker.ready;
	});
	const registrationId = await registered;
	const origin = new URL(page.url()).origin;
	const push = (data: unknown) =>
		devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(data) });
	await push({ id: 'e1', title: 'shop: Approval asked', body: '<b>Bash</b>', path: '/approvals?card=a1' });
	await push({ id: 'e2', title: 'evil', body: '', path: 'https://example.org/steal' });
	const shown = () =>
		page.evaluate(async () => {
			const registration = await navigator.serviceWorker.ready;
			const all = await registration.getNotifications();
			return all.map(({ title, body, data }) => ({ title, body, place: data.place as string }));
		});
	await expect.poll(async () => (await shown()).length).toBe(2);
	expect(await shown()).toEqual(
		expect.arrayContaining([
			{ title: 'shop: Approval asked', body: '<b>Bash</b>', place: `${origin}/approvals?card=a1` },
			{ title: 'evil', body: '', place: `${origin}/` },
		]),
	);
});
