import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures.ts';
import { axeFindings } from './rig/axe-findings.ts';
import { type Receiver, startReceiver } from './rig/receiver.ts';
import { agentCall, planFor } from './rig/routing.ts';
import type { RunningServer } from './rig/running-server.ts';
import { addAuthenticator } from './rig/virtual-authenticator.ts';

const PHONE = { width: 390, height: 844 };

/** Restarts the server with a webhook that receives questions. */
async function tellOf(server: RunningServer, receiver: Receiver): Promise<void> {
	await server.stop();
	const notify = { channels: { phone: { kind: 'webhook', url: receiver.url, events: ['approval:request'] } } };
	writeFileSync(join(server.home, 'config.json'), JSON.stringify({ notify }));
	await server.start();
}

test('a link opens exactly its card in a browser that is signed in, once, and asks another to sign in', async ({
	ownServer,
	operatorPage,
	browser,
	project,
	hook,
	expectConsole,
}) => {
	expectConsole(/status of 4(?:01|10)/);
	const server = await ownServer();
	const receiver = await startReceiver();
	await tellOf(server, receiver);
	const { dir } = await project({ name: 'checkout', plan: planFor('developer'), server });
	const hooks = ['architect', 'tester'].map((agent) =>
		hook(agentCall({ sessionId: `asks-${agent}`, cwd: dir, agent }), { server }),
	);
	const messages = await Promise.all(hooks.map((_, n) => receiver.message(n)));
	const { url = '' } = messages.find(({ body }) => body?.includes('architect')) ?? {};
	expect(url).toContain(`${server.url}/link#`);

	// A chat app looks at the link, with scripts; and somebody opens it who is not signed in.
	const stranger = await browser.newContext({ viewport: PHONE });
	const strange = await stranger.newPage();
	await strange.goto(url);
	await expect(strange.getByText('but this browser is not signed in')).toBeVisible();
	await expect(strange.locator('body')).not.toContainText('architect');
	expect(await axeFindings(strange)).toEqual([]);

	const page = await operatorPage('/', { server, viewport: PHONE });
	await page.goto(url);
	const card = page.getByRole('article').filter({ hasText: 'architect' });
	await expect(card).toBeFocused();
	expect(hooks.map((one) => one.isWaiting())).toEqual([true, true]);
	await strange.getByRole('button', { name: 'Try again' }).click();
	await expect(strange.getByText('used already')).toBeVisible();
	await stranger.close();

	await card.getByRole('button', { name: 'Approve once' }).click();
	const [first, second] = hooks;
	expect(JSON.parse((await first?.ended)?.stdout ?? '').hookSpecificOutput.permissionDecision).toBe('allow');
	expect(second?.isWaiting()).toBe(true);
	const address = page.url();
	await page.goto('/');
	await page.goto(address);
	await expect(page.getByText('The call that you were led to no longer waits')).toBeVisible();
	receiver.close();
});

test('on a phone without a sign-in a link and the passkey decide that one call, and no other', async ({
	ownServer,
	operatorPage,
	browser,
	project,
	hook,
	expectConsole,
}) => {
	expectConsole(/status of 403/);
	const server = await ownServer({}, { terminal: true });
	const receiver = await startReceiver();
	await tellOf(server, receiver);
	const service = await operatorPage('/access', { server });
	const authenticator = await addAuthenticator(service);
	await service.getByRole('button', { name: 'Add a passkey' }).click();
	await service.getByLabel('Its name').fill('phone');
	await expect.poll(() => server.output()).toMatch(/passkey: \S+/);
	const code = /passkey: (?<code>\S+) /.exec(server.output())?.groups?.code ?? '';
	await service.getByLabel('The code on the server’s terminal').fill(code);
	await service.getByRole('button', { name: 'Make the passkey' }).click();
	await expect(service.getByRole('region', { name: 'Passkeys' }).getByRole('listitem')).toContainText('phone');

	const { dir } = await project({ name: 'checkout', plan: planFor('developer'), server });
	const other = hook(agentCall({ sessionId: 'other', cwd: dir, agent: 'tester' }), { server });
	await receiver.message(0);
	const waiting = hook(agentCall({ sessionId: 'one', cwd: dir, agent: 'architect' }), { server });
	const { url = '' } = await receiver.message(1);

	const context = await browser.newContext({ baseURL: server.url, viewport: PHONE, colorScheme: 'dark' });
	const phone = await context.newPage();
	await authenticator.copyTo(phone);
	await phone.goto(url);
	const prove = phone.getByRole('button', { name: 'Use my passkey' });
	await expect(prove).toBeVisible();
	expect((await context.cookies()).length).toBe(0);
	await prove.click();
	const card = phone.getByRole('article').filter({ hasText: 'architect' });
	await expect(card).toBeFocused();
	const closed = phone.getByRole('article').filter({ hasText: 'tester' });
	await expect(closed.getByText('an operator has to decide')).toBeVisible();
	await expect(closed.getByRole('button', { name: 'Approve once' })).toHaveCount(0);
	await card.getByRole('button', { name: 'Approve once' }).click();
	expect(JSON.parse((await waiting.ended).stdout).hookSpecificOutput.permissionDecision).toBe('allow');
	expect(other.isWaiting()).toBe(true);
	await service.reload();
	await expect(service.getByText('by a one-time link')).toBeVisible();
	await context.close();
	receiver.close();
});
