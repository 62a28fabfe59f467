import { appendFileSync, renameSync, rmSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { expect, test } from './fixtures.ts';
import { findingsInBothThemes } from './rig/axe-findings.ts';
import { postHook } from './rig/door.ts';
import { signalbox } from './rig/signalbox-command.ts';

/** As long as an incident may take to be on screen. */
const SHOWN = { timeout: 5000 };

test('R801 R807 C3: an impostor on the hooks’ socket is on every page within five seconds, and loses the place', async ({
	ownServer,
	operatorPage,
}) => {
	const server = await ownServer();
	const page = await operatorPage('/features', { server });
	const phone = await operatorPage('/approvals', { server, viewport: { width: 390, height: 844 } });
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const incidents = (on: typeof page) => on.getByRole('complementary', { name: 'Incidents' });
	renameSync(server.socketPath, `${server.socketPath}.away`);
	const impostor = http.createServer((request, response) => request.resume().on('end', () => response.end()));
	await new Promise<void>((resolve) => impostor.listen(server.socketPath, resolve));
	await expect(incidents(page)).toContainText('another program put its own socket in the place', SHOWN);
	await expect(incidents(phone)).toContainText('and was put back', SHOWN);
	impostor.closeAllConnections();
	await new Promise((resolve) => impostor.close(resolve));

	expect(await findingsInBothThemes(phone)).toEqual([]);
	expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
	await incidents(page)
		.getByRole('link', { name: /^Health/ })
		.click();
	const list = page.getByRole('list', { name: 'Needs you' });
	await expect(list.getByRole('listitem').first()).toContainText('socket');
	await page.reload();
	await expect(incidents(page)).toBeVisible();
});

test('R802 R804 R807 a changed hook shows as an incident; open pages learn of a new token', async ({
	ownServer,
	operatorPage,
	project,
	token,
}) => {
	const server = await ownServer();
	const { dir } = await project({ name: 'watched', registered: 'entries', server });
	const page = await operatorPage('/', { server });
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const incidents = page.getByRole('complementary', { name: 'Incidents' });
	await token('operator', server);
	await expect(incidents).toContainText('An operator’s token was made', SHOWN);
	await page.reload();
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	await expect(incidents).toHaveCount(0);

	const hook = join(server.home, 'bin/hook.sh');
	appendFileSync(hook, '\nexit 0\n');
	await expect(incidents).toContainText('hook.sh was changed', SHOWN);
	rmSync(hook);
	await page.goto('/status');
	await expect(page.getByRole('list', { name: 'Needs you' })).toContainText(
		/run OVERTONE_HOME=\S+ .*signalbox(?:\.js)? init/,
	);
	await signalbox(server.home, ['init', '--project', dir]);
	await expect(incidents).toContainText('over', { timeout: 10_000 });
	await expect(page.getByRole('list', { name: 'Needs you' })).toHaveCount(0);
	await expect(page.getByRole('region', { name: 'incidents' }).getByText('over').first()).toBeVisible();
});

test('R1143 another input than was judged and an agent that nobody asked for are on every page', async ({
	ownServer,
	operatorPage,
}) => {
	const server = await ownServer();
	const page = await operatorPage('/features', { server });
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const incidents = page.getByRole('complementary', { name: 'Incidents' });
	const about = { session_id: 'judged', cwd: '/tmp' };
	const hook = (hook_event_name: string, fields: object) =>
		postHook(server.socketPath, { ...about, hook_event_name, ...fields });
	const bash = (command: string) => ({ tool_name: 'Bash', tool_use_id: 'toolu_1', tool_input: { command } });
	await hook('SessionStart', { source: 'startup' });
	await hook('PreToolUse', bash('ls'));
	await hook('PostToolUse', { ...bash('rm -r src'), tool_response: {} });
	await expect(incidents).toContainText('Another input of Bash ran', SHOWN);
	await hook('SubagentStart', { agent_id: 'a1', agent_type: 'architect' });
	await expect(incidents).toContainText('The sub-agent architect appeared', SHOWN);
	await incidents.getByRole('link', { name: 'Session' }).click();
	await expect(page).toHaveURL(/\/sessions\/judged/);
	await expect(incidents).toContainText('architect');
});
