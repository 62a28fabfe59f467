import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { adapterOf } from '#hooks-bridge/agents/adapter-of.ts';
import { doorProof } from '#hooks-bridge/door/hook-run.ts';
import type { InstalledHook } from '#hooks-bridge/testing/installed-hook.ts';
import { type AgentName, agentTable, FIRST_AGENT } from '#lib/agents/agent-table.ts';
import { installClosedHook } from '../testing/closed-hook.ts';
import { agentEntries } from './agents/plan-agent.ts';
import { closedCommand } from './closed-command.ts';

vi.setConfig({ testTimeout: 120_000 });

let hook: InstalledHook;
let key: string;
beforeEach(async () => {
	({ hook, key } = await installClosedHook());
});
afterEach(() => hook.remove());

const held = agentTable.filter(({ name, can }) => name !== FIRST_AGENT && can.onFailure !== 'runs');

/** A call of a command as each make tells it. */
function callOf(agent: AgentName, command: string): string {
	const row = agentTable.find(({ name }) => name === agent);
	const [tool] = row?.tools['run-command'] ?? [];
	const shared = { session_id: 's1', hook_event_name: row?.events.call, tool_name: tool, tool_input: { command } };
	const copilot = { sessionId: 's1', toolName: tool, toolArgs: { command } };
	return JSON.stringify({ ...(agent === 'copilot' ? copilot : shared), cwd: hook.project });
}
const run = (agent: AgentName, command: string, more = '', timeout = 15) =>
	hook.run(['-c', `${closedCommand(timeout, agent)}${more}`], callOf(agent, command), { command: '/bin/sh' });
/** The make's own denial, or how the call passed. */
const verdictOf = async (...call: Parameters<typeof run>): Promise<string> => {
	const { code, stdout, stderr } = await run(...call);
	if (code === 2) return `2: ${stderr}`;
	if (code !== 0 || stdout === '') return `passed with ${code}`;
	const { decision, reason } = adapterOf(call[0]).readPrinted(JSON.parse(stdout));
	return decision === 'deny' ? String(reason) : `passed: ${stdout}`;
};
const program = (text: string) => {
	writeFileSync(join(hook.bin, 'hook.sh'), text);
	chmodSync(join(hook.bin, 'hook.sh'), 0o755);
};

describe.each(held.map(({ name }) => name))('the fail-closed entry of %s', (agent) => {
	it('lets pass what was judged, without a server and with one, and denies what is excluded', async () => {
		expect(await verdictOf(agent, 'ls')).toBe('passed with 0');
		expect(await verdictOf(agent, 'ls; rm x')).toContain('rm is not allowed here');
		const requests: IncomingMessage[] = [];
		await hook.serve((request, response) => {
			requests.push(request);
			const type = `application/json; proof=${doorProof(key, String(request.headers['x-signalbox-request']), '')}`;
			request.resume().on('end', () => response.writeHead(200, { 'content-type': type }).end());
		});
		expect(await verdictOf(agent, 'ls')).toBe('passed with 0');
		expect([requests[0]?.url, requests[0]?.headers['x-signalbox-pid']]).toEqual([
			`/hooks/${agent}`,
			String(process.pid),
		]);
	});

	it.each([
		['says nothing', '#!/bin/sh\nexit 0\n', 'did not prove that it judged this call'],
		['says garbage', '#!/bin/sh\necho "{"\n', 'did not prove that it judged this call'],
		['fails', '#!/bin/sh\nexit 7\n', 'broke down'],
		['is killed', '#!/bin/sh\nkill -9 $$\n', 'broke down'],
		['ends with 2 and no words', '#!/bin/sh\nexit 2\n', '2: Signalbox denies this call.'],
	])('denies where the hook %s', async (_, text, says) => {
		program(text);
		expect(await verdictOf(agent, 'ls')).toContain(says);
	});

	it('denies where the hook is missing, where it hangs, and by 2 with words where nothing can be printed', async () => {
		program('#!/bin/sh\ntrap "" TERM\nwhile :; do sleep 60; done\n');
		expect(await verdictOf(agent, 'ls', '', 2)).toContain('did not end in time');
		rmSync(join(hook.bin, 'hook.sh'));
		expect(await verdictOf(agent, 'ls')).toContain('the hook is missing');
		expect(await verdictOf(agent, 'ls', ' >/dev/full')).toContain('2: ');
	});

	it('denies where a server falls silent or answers without a proof, and where node breaks down', async () => {
		const server = await hook.serve((request, response) => void request.resume().on('end', () => response.end('')));
		expect(await verdictOf(agent, 'ls')).toContain('not the server of this home');
		server.removeAllListeners('request');
		server.on('request', (request) => void request.resume());
		expect(await verdictOf(agent, 'ls', '', 7)).toContain('fell silent');
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
		writeFileSync(join(hook.bin, 'hook.cjs'), 'process.exit(3)');
		expect(await verdictOf(agent, 'ls')).toMatch(/^2: Signalbox: the hook failed\.\n/);
	});
});

it('it is registered for calls in the place of the plain one, where the make keeps to it, and ends before its client gives up', () => {
	for (const { name, events, can } of agentTable.filter((row) => row.name !== FIRST_AGENT)) {
		const [plain, closed] = [false, true].map((isClosed) => agentEntries(name, { holdSeconds: 120, isClosed }));
		const changed = closed?.filter((entry, index) => entry.command !== plain?.[index]?.command) ?? [];
		expect(
			changed.map(({ event }) => event),
			name,
		).toEqual(can.onFailure === 'runs' ? [] : [events.call]);
		for (const { command, seconds } of changed) {
			expect(Number(/ask closed (\d+)$/.exec(command)?.[1])).toBeLessThan(seconds - 2);
		}
	}
	const seconds = agentEntries('qwen', { holdSeconds: 120, isClosed: true }).map((entry) => entry.seconds);
	expect(Math.max(...seconds)).toBe(60);
});
