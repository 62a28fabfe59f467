import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures.ts';
import { startReceiver } from './rig/receiver.ts';
import { agentCall, planFor } from './rig/routing.ts';

test('R656 with no browser open a denied call waits, a webhook reports it, and an operator lets it run', async ({
	ownServer,
	project,
	hook,
	token,
	api,
}) => {
	const receiver = await startReceiver();
	const server = await ownServer();
	await server.stop();
	const notify = { channels: { phone: { kind: 'webhook', url: receiver.url, events: ['approval:*'] } } };
	writeFileSync(join(server.home, 'config.json'), JSON.stringify({ notify }));
	await server.start();
	const { dir } = await project({ name: 'checkout', plan: planFor('developer'), server });
	const waiting = hook(agentCall({ sessionId: 'nobody-looks', cwd: dir, agent: 'architect' }), { server });
	expect(await receiver.message()).toMatchObject({
		type: 'approval:request',
		title: 'checkout: Approval asked',
		url: expect.stringContaining(`${server.url}/link#`),
	});
	expect(waiting.isWaiting()).toBe(true);

	const operator = await token('operator', server);
	const { approvals } = await (await api('/api/approvals?state=waiting', operator, { server })).json();
	await api(`/api/approvals/${approvals[0].id}`, operator, { server, data: { decision: 'approve', reason: 'go' } });
	expect(JSON.parse((await waiting.ended).stdout).hookSpecificOutput.permissionDecision).toBe('allow');
	receiver.close();
});
