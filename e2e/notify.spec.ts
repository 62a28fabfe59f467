import { writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from './fixtures.ts';
import { agentCall, planFor } from './rig/routing.ts';

test('R656 with no browser open a denied call waits, a webhook tells of it, and an operator lets it run', async ({
	ownServer,
	project,
	hook,
	token,
	api,
}) => {
	const told: Record<string, string>[] = [];
	let tell = (): void => undefined;
	const heard = new Promise<void>((resolve) => {
		tell = resolve;
	});
	const receiver = http.createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		told.push(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, string>);
		response.end();
		tell();
	});
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
	const { port } = receiver.address() as AddressInfo;

	const server = await ownServer();
	await server.stop();
	const notify = { channels: { phone: { kind: 'webhook', url: `http://127.0.0.1:${port}/`, events: ['approval:*'] } } };
	writeFileSync(join(server.home, 'config.json'), JSON.stringify({ notify }));
	await server.start();
	const { dir } = await project({ name: 'checkout', plan: planFor('developer'), server });
	const waiting = hook(agentCall({ sessionId: 'nobody-looks', cwd: dir, agent: 'architect' }), { server });
	await heard;
	expect(told[0]).toMatchObject({
		type: 'approval:request',
		title: 'checkout: Approval asked',
		url: expect.stringContaining(`${server.url}/approvals?card=`),
	});
	expect(waiting.isWaiting()).toBe(true);

	const operator = await token('operator', server);
	const { approvals } = await (await api('/api/approvals?state=waiting', operator, { server })).json();
	await api(`/api/approvals/${approvals[0].id}`, operator, { server, data: { decision: 'approve', reason: 'go' } });
	expect(JSON.parse((await waiting.ended).stdout).hookSpecificOutput.permissionDecision).toBe('allow');
	receiver.close();
});
