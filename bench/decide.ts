/*
 * `npm run bench decide`: from a person's decision to the end of the agent's hook that waited for it, beside a whole run
 * of a hook that has nothing to wait for, through the same door; in turns. The decision is the request that a click sends.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { runHook } from '#e2e/rig/hook-process.ts';
import { agentCall, planFor } from '#e2e/rig/routing.ts';
import { startServer } from '#e2e/rig/running-server.ts';
import { signalbox } from '#e2e/rig/signalbox-command.ts';
import { bashCall } from './rig/bash-call.ts';
import { quantile } from './rig/quantile.ts';
import { begin, ms, report } from './rig/report.ts';

const ROUNDS = 200;
const WARM_UP = 10;
const LOOK_MS = 5;

const server = await startServer({ SIGNALBOX_HOLD_SECONDS: '60' });
try {
	const authorization = `Bearer ${await signalbox(server.home, ['token', 'create', '--role', 'operator'])}`;
	const cwd = join(server.home, 'project');
	mkdirSync(join(cwd, '.vibe-engine'), { recursive: true });
	writeFileSync(join(cwd, '.vibe-engine/routing-state.json'), JSON.stringify(planFor('developer')));
	const agent = new http.Agent({ keepAlive: true });
	const ask = (method: string, path: string, body = '') =>
		new Promise<{ status: number; text: string }>((resolve, reject) => {
			const headers = { authorization, host: `127.0.0.1:${server.port}`, 'content-type': 'application/json' };
			const to = { host: '127.0.0.1', port: server.port, method, path, headers, agent };
			const request = http.request(to, (response) => {
				let text = '';
				response.setEncoding('utf8').on('data', (part: string) => {
					text += part;
				});
				response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
			});
			request.on('error', reject).end(body);
		});
	const waitingId = async (): Promise<string> => {
		for (;;) {
			const { text } = await ask('GET', '/api/approvals?state=waiting');
			const [first] = (JSON.parse(text) as { approvals: { id: string }[] }).approvals;
			if (first) return first.id;
			await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
		}
	};
	const decided = async (n: number) => {
		const call = agentCall({ sessionId: 'decide', cwd, agent: 'architect', toolUseId: `toolu_decide_${n}` });
		const hook = runHook(server.home, call);
		const id = await waitingId();
		// The hook polls its ticket only after it received its address.
		await new Promise((resolve) => setTimeout(resolve, 30));
		const began = performance.now();
		const [{ status }] = await Promise.all([ask('POST', `/api/approvals/${id}`, '{"decision":"approve"}'), hook.ended]);
		if (status !== 200) throw new Error(`The decision was answered with ${status}.`);
		return performance.now() - began;
	};
	const empty = async (n: number) => {
		const began = performance.now();
		await runHook(server.home, JSON.parse(bashCall('decide-empty', `toolu_empty_${n}`))).ended;
		return performance.now() - began;
	};

	begin(`a decision until its hook has ended, ${ROUNDS} of them`);
	const took = { decided: [] as number[], empty: [] as number[] };
	for (let nth = 0; nth < WARM_UP + ROUNDS; nth += 1) {
		const [one, other] = [await decided(nth), await empty(nth)];
		if (nth < WARM_UP) continue;
		took.decided.push(one);
		took.empty.push(other);
	}
	const more = quantile(took.decided, 0.5) - quantile(took.empty, 0.5);
	report('decision to the hook’s end, p50', ms(quantile(took.decided, 0.5)));
	report('the same, p99', ms(quantile(took.decided, 0.99)));
	report('an empty hook through the same door, p50', ms(quantile(took.empty, 0.5)));
	report('more than the empty hook, p50', ms(more), '< 15 ms');
	agent.destroy();
} finally {
	await server.dispose();
}
