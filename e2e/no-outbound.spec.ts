import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from './fixtures.ts';
import { bareEnvironment } from './rig/bare-environment.ts';
import { postHook } from './rig/door.ts';
import { recordedRun } from './rig/recorded-runs.ts';
import { agentCall, planFor } from './rig/routing.ts';

/** Runs first in a program under test: writes down where it connects to and which names it looks up. */
const RECORDER = `
import net from 'node:net';
import dns from 'node:dns';
import dgram from 'node:dgram';
import { appendFileSync } from 'node:fs';
const note = (what) => appendFileSync(process.env.SAID_TO, JSON.stringify(what) + '\\n');
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...given) {
	const [first] = Array.isArray(given[0]) ? given[0] : given;
	note({ to: first?.path ?? first?.host ?? (typeof first === 'object' ? 'localhost' : given[1] ?? first) });
	return connect.apply(this, given);
};
const { lookup } = dns;
dns.lookup = (name, ...rest) => (note({ to: name }), lookup(name, ...rest));
const { send } = dgram.Socket.prototype;
dgram.Socket.prototype.send = function (...given) {
	note({ to: 'a datagram' });
	return send.apply(this, given);
};
`;

test('the server connects to no other machine unless it is configured to', async ({
	ownServer,
	operatorPage,
	project,
	hook,
}) => {
	const recordFile = join(mkdtempSync(join(tmpdir(), 'sbx-said-')), 'said.jsonl');
	writeFileSync(recordFile, '');
	const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(RECORDER)}`, SAID_TO: recordFile };
	const saidTo = () =>
		readFileSync(recordFile, 'utf8')
			.split('\n')
			.filter((line) => line !== '')
			.map((line): string => JSON.parse(line).to);

	// The recorder itself: a name and an address that nobody has.
	execFileSync(process.execPath, ['-e', "fetch('http://leak.invalid').catch(() => {})"], { env: bareEnvironment(env) });
	expect(saidTo()).toContain('leak.invalid');
	writeFileSync(recordFile, '');

	const server = await ownServer(env);
	for (const input of recordedRun('a04-parallel-agents', 'quiet')) await postHook(server.socketPath, input);
	const { dir } = await project({ name: 'quiet', plan: planFor('developer'), server });
	const page = await operatorPage('/', { server });
	await expect(page.getByText('Live', { exact: true })).toBeVisible();
	const waiting = hook(agentCall({ sessionId: 'asks', cwd: dir, agent: 'architect' }), { server });
	await page.goto('/approvals');
	await page.getByRole('article').getByRole('button', { name: 'Deny' }).click();
	await waiting.ended;
	for (const path of ['/sessions/quiet', '/features', '/rules', '/status', '/access']) {
		await page.goto(path);
		await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
	}
	await page.close();
	await server.stop();
	const outside = saidTo().filter((to) => !/^(?:\/|localhost$|127\.0\.0\.1$|::1$)/.test(to));
	expect(outside).toEqual([]);
});
