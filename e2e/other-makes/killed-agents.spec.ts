import { expect, test } from '#e2e/fixtures.ts';
import { realClients } from './real-clients.ts';
import { killClient, programOf, runClient } from './run-client.ts';

for (const client of realClients) {
	test(`${client.title} ${client.version}: killed in the middle of a call, its session is lost and the page says what is known`, {
		tag: '@full',
	}, async ({ server, operatorPage }) => {
		test.setTimeout(240_000);
		const program = await programOf(client);
		const name = `killed-${client.name}`;
		const script = [client.runs('echo begun; sleep 40; touch ran.txt')];
		// Copilot CLI asks its hook for permission, too, where everything is allowed: it would wait for this page's person.
		const config = '{"gates": {"permissionRequest": {"hold": false}}}';
		const run = await runClient(client, { home: server.home, name, config, script, program });
		try {
			const page = await operatorPage('/');
			await page
				.getByRole('link', { name: new RegExp(name) })
				.first()
				.click({ timeout: 90_000 });
			const row = page.getByRole('list', { name: 'Story' }).getByRole('button').filter({ hasText: 'sleep 40' });
			await expect(row).toContainText('running');
			killClient(run.child);
			expect((await run.ended).code).toBeNull();
			await expect(page.locator('header').getByText('Lost')).toBeVisible();
			await expect(row).not.toContainText('running');
			await row.click();
			await expect(page.getByRole('region', { name: 'Detail' })).toContainText('closed because the agent is gone');
		} finally {
			await run.close();
		}
	});
}
