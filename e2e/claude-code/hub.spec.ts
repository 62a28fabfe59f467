import { CURRENT_CLIENT } from '#e2e/claude-code/install-client.ts';
import { call, delegate } from '#e2e/claude-code/script.ts';
import { expect, test } from '#e2e/fixtures.ts';
import { startHub } from '#e2e/rig/hub.ts';
import { planFor } from '#e2e/rig/routing.ts';
import { postgresPrograms } from '#server/hub/testing/postgres-cluster.ts';

test.describe.configure({ timeout: 120_000 });
test.skip(postgresPrograms === undefined, 'there is no Postgres on this machine');

test('Claude Code 2.1.330 on two machines: both are seen on the pages of their hub, and what waits at one of them is approved there', async ({
	browser,
	ownServer,
	project,
}) => {
	const hub = await startHub();
	const [laptop, desktop] = [await ownServer({ SIGNALBOX_HOLD_SECONDS: '60' }), await ownServer()];
	for (const [server, name, decide] of [[laptop, 'laptop', 'hub'] as const, [desktop, 'desktop', 'watch'] as const]) {
		await hub.joinAt(server.home, name, 'shop', decide);
		await server.stop();
		await server.start();
	}
	const context = await browser.newContext();
	const errors: string[] = [];
	context.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
	context.on('weberror', (error) => errors.push(String(error.error())));
	const page = await context.newPage();
	await page.goto(hub.link());
	await page.getByRole('banner').getByRole('link', { name: 'Approvals' }).click();

	const cart = await project({ name: 'cart', agents: ['architect'], plan: planFor('developer'), server: laptop });
	const imprint = await project({ name: 'imprint', server: desktop });
	const asking = await cart.agent({
		version: CURRENT_CLIENT,
		script: {
			main: [
				{ blocks: [delegate('architect', 'Design the cart.', { background: false })] },
				{ blocks: [{ text: 'Designed.' }] },
			],
			architect: [{ blocks: [{ text: 'Use a map of lines.' }] }],
		},
	});
	const alone = await imprint.agent({
		version: CURRENT_CLIENT,
		script: { main: [call('Bash', { command: 'echo the imprint' }), { blocks: [{ text: 'Written.' }] }] },
	});
	const card = page.getByRole('article').filter({ hasText: 'architect' });
	await expect(card).toContainText('H1: laptop (shop) believes this hub, without a passkey');
	await card.getByRole('textbox', { name: 'Reason' }).fill('the data model comes first');
	await card.getByRole('button', { name: 'Approve once' }).click();
	expect(await asking.ended).toMatchObject({ exitCode: 0, result: 'Designed.' });
	expect(await alone.ended).toMatchObject({ exitCode: 0, result: 'Written.' });

	await page.getByRole('banner').getByRole('link', { name: 'Sessions' }).click();
	const rows = page.getByRole('main').getByRole('link');
	await expect(rows.filter({ hasText: 'imprint' })).toContainText('desktop');
	await rows.filter({ hasText: 'laptop' }).click();
	await expect(page.getByText('laptop · shop')).toBeVisible();
	await page.getByRole('tab', { name: 'Story' }).click();
	await page.getByRole('button', { name: 'Rows', exact: true }).click();
	const story = page.getByRole('list', { name: 'Story' }).getByRole('button');
	await expect(story.filter({ hasText: 'Design the cart' })).toContainText('approved');
	await expect(story.filter({ hasText: 'Use a map of lines.' }).first()).toBeVisible();
	expect(errors, 'console and page errors').toEqual([]);
	await context.close();
	expect(hub.errors()).toEqual([]);
	await hub.stop();
});
