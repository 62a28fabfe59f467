import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordedInputs } from '#hooks-bridge/testing/recorded-agent.ts';
import { recordedEvents } from '#hooks-bridge/testing/recorded-events.ts';
import type { CallView } from '#lib/contract/sessions/read-model/call-view.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { outcomeOf } from '#lib/session/call.ts';
import { isAgentOpen } from '#lib/session/fold-agents.ts';
import { statusOf } from '#lib/session/status.ts';
import { expect, test } from './fixtures.ts';
import { postHook } from './rig/door.ts';
import { runFallback } from './rig/hook-process.ts';
import { type Recorded, readRecorded, recordedRun } from './rig/recorded-runs.ts';

/** One JSON object or nothing (R1). */
function expectObjectOrNothing(printed: string, input: Recorded['input']): void {
	if (printed === '') return;
	const value: unknown = JSON.parse(printed);
	expect(typeof value === 'object' && value !== null && !Array.isArray(value), input.hook_event_name).toBe(true);
}

const callsOf = (rows: readonly Row[]): CallView[] => rows.flatMap(({ call }) => (call ? [call] : []));

/** What must hold at the end of every run, however it ended. */
function expectClosed(view: SessionView, calls: readonly CallView[]): void {
	expect(view.agents.filter(isAgentOpen)).toEqual([]);
	const open = calls.filter((call) => ['running', 'waiting'].includes(outcomeOf(call)));
	expect(open).toEqual([]);
}

test.describe('recorded runs of the real client', () => {
	test('R1 R6 all 1,258 inputs pass the door of a server, and every run is folded to a sensible end', async ({
		ownServer,
		token,
		api,
	}) => {
		test.setTimeout(180_000);
		const server = await ownServer();
		const recorded = readRecorded();
		expect(recorded).toHaveLength(1258);
		for (const { input } of recorded) {
			const answer = await postHook(server.socketPath, input);
			expect(answer.status).toBe(200);
			expectObjectOrNothing(answer.body, input);
		}

		const operator = await token('operator', server);
		const read = async <T>(path: string): Promise<T> => (await api(path, operator, { server })).json() as Promise<T>;
		const sessionIds = [...new Set(recorded.map(({ input }) => input.session_id))];
		for (const sessionId of sessionIds) {
			const inputs = recorded.filter(({ input }) => input.session_id === sessionId).map(({ input }) => input);
			const lines = recordedEvents(server.home, sessionId).length;
			await expect
				.poll(async () => {
					const { session } = await read<{ session: SessionView }>(`/api/sessions/${sessionId}`);
					return session.counters.events;
				})
				.toBe(lines);
			const { session } = await read<{ session: SessionView }>(`/api/sessions/${sessionId}`);
			const { events } = await read<{ events: IndexedEvent[] }>(`/api/sessions/${sessionId}/events?limit=1000`);
			const { rows } = await read<{ rows: Row[] }>(`/api/sessions/${sessionId}/rows?limit=500`);
			expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: lines }, (_, at) => at + 1));

			const run = recorded.find(({ input }) => input.session_id === sessionId)?.run;
			await test.step(`${run}`, () => {
				const calls = callsOf(rows);
				const requested = new Set(
					inputs.flatMap((input) => (input.hook_event_name === 'PreToolUse' ? [input.tool_use_id] : [])),
				);
				expect(new Set(calls.map(({ toolUseId }) => toolUseId))).toEqual(requested);
				const ended = inputs.some(({ hook_event_name }) => hook_event_name === 'SessionEnd');
				expect(statusOf(session, Date.now()) === 'ended').toBe(ended);
				if (ended) expectClosed(session, calls);
				const ran = new Set(
					inputs.flatMap((input) => (input.hook_event_name === 'PostToolUse' ? [input.tool_use_id] : [])),
				);
				for (const call of calls) expect(outcomeOf(call) === 'ran').toBe(ran.has(call.toolUseId));
				const counters = session.counters;
				expect(counters).toMatchObject({ gaps: 0, unverified: 0, deniedButRan: 0 });
			});
		}
	});

	for (const run of ['b01-deny-agent-json', 'c03-deny-plus-continue-false', 'cmp330-b01-deny-agent-json']) {
		test(`R10 ${run}: a call outside the plan is denied, and the fold shows it stopped`, async ({
			server,
			project,
			token,
			api,
		}) => {
			const { dir, writePlan } = await project();
			writePlan({
				planId: 'route-9',
				status: 'in_progress',
				phases: [{ phase: 1, tasks: [{ id: 't1', agent: 'nobody-else', description: 'x', status: 'pending' }] }],
			});
			const sessionId = `denied-${run}`;
			const operator = await token('operator');
			const answers = [];
			for (const input of recordedRun(run, sessionId)) {
				const answer = await postHook(server.socketPath, { ...input, cwd: dir });
				if (input.hook_event_name === 'PreToolUse') answers.push(JSON.parse(answer.body));
			}
			expect(answers).toMatchObject([{ hookSpecificOutput: { permissionDecision: 'deny' } }]);
			await expect.poll(async () => (await api(`/api/sessions/${sessionId}/rows`, operator)).status()).toBe(200);
			const rows = async () =>
				((await (await api(`/api/sessions/${sessionId}/rows`, operator)).json()) as { rows: Row[] }).rows;
			await expect.poll(async () => callsOf(await rows()).map(outcomeOf)).toEqual(['stopped']);
			const { session } = (await (await api(`/api/sessions/${sessionId}`, operator)).json()) as {
				session: SessionView;
			};
			expectClosed(session, callsOf(await rows()));
			expect(session.counters).toMatchObject({ denials: 1, mismatches: 1, deniedButRan: 0 });
		});
	}

	test('R93 c13-sigkill-during-tool: a killed client loses the session, and its agents and calls are closed', async ({
		server,
		standIn,
		token,
		api,
	}) => {
		const client = standIn();
		const operator = await token('operator');
		for (const input of recordedRun('c13-sigkill-during-tool', 'killed-c13')) {
			await postHook(server.socketPath, input, {
				'x-signalbox-request': crypto.randomUUID(),
				'x-signalbox-pid': `${client.pid}`,
			});
		}
		const view = async () =>
			((await (await api('/api/sessions/killed-c13', operator)).json()) as { session: SessionView }).session;
		await expect.poll(async () => Object.values((await view()).agents).filter(isAgentOpen)).toHaveLength(1);
		client.kill();
		await expect.poll(async () => statusOf(await view(), Date.now())).toBe('lost');
		const { rows } = (await (await api('/api/sessions/killed-c13/rows', operator)).json()) as { rows: Row[] };
		expectClosed(await view(), callsOf(rows));
		expect(callsOf(rows).map(({ closed }) => closed?.why)).toEqual(['client-gone', 'client-gone']);
	});

	test('a sub-agent of each other client that reports sub-agents has a lane under its parent, with its own call', async ({
		server,
		operatorPage,
	}) => {
		for (const { agent, run, name } of [
			{ agent: 'codex', run: 'full6', name: 'general-purpose' },
			{ agent: 'qwen', run: 'full', name: 'general-purpose' },
			{ agent: 'copilot', run: 'full', name: 'task' },
			{ agent: 'opencode', run: 'full', name: 'general' },
		] as const) {
			const inputs = recordedInputs(agent, run).map(({ input }) => input);
			for (const input of inputs) await postHook(server.socketPath, input, {}, agent);
			const page = await operatorPage(`/sessions/${inputs[0]?.session_id ?? inputs[0]?.sessionId}?tab=lanes`);
			const lanes = page.getByRole('region', { name: 'Lanes', exact: true });
			const names = lanes.getByRole('list', { name: /^Calls of/ });
			await expect(names.nth(1).getByRole('button', { name: /echo from-sub/ }), agent).toHaveCount(1);
			expect(await names.evaluateAll((lists) => lists.map((list) => list.ariaLabel)), agent).toEqual([
				'Calls of main',
				`Calls of ${name}`,
			]);
			await expect(names.first().getByRole('button', { name: /echo from-sub/ }), agent).toHaveCount(0);
			await page.close();
		}
		// Gemini CLI names no sub-agent: its calls appear as the main agent's, beside the call that started it.
		const inputs = recordedInputs('gemini', 'full').map(({ input }) => input);
		for (const input of inputs) await postHook(server.socketPath, input, {}, 'gemini');
		const page = await operatorPage(`/sessions/${inputs[0]?.session_id}?tab=lanes`);
		const names = page.getByRole('list', { name: /^Calls of/ });
		await expect(names.getByRole('button', { name: /invoke_agent/ })).toHaveCount(1);
		await expect(names).toHaveCount(1);
	});

	test('one input of each kind passes the fallback without a server, and leaves the same events', async ({
		ownServer,
		token,
		api,
	}) => {
		test.setTimeout(120_000);
		const home = mkdtempSync(join(tmpdir(), 'sbx-offline-'));
		try {
			const kinds = new Map<string, Recorded['input']>();
			for (const { input } of readRecorded()) {
				const kind = `${input.hook_event_name} ${input.tool_name ?? ''}`;
				if (!kinds.has(kind)) kinds.set(kind, input);
			}
			expect(kinds.size).toBeGreaterThan(40);
			for (const input of kinds.values()) {
				const end = await runFallback(home, input);
				expect(end).toMatchObject({ exitCode: 0, stderr: '' });
				expectObjectOrNothing(end.stdout, input);
			}
			// The same inputs through the door: the two must tell the same.
			const server = await ownServer();
			for (const input of kinds.values()) await postHook(server.socketPath, input);
			const sessions = readdirSync(join(home, 'sessions'));
			const typesBySession = (root: string) => sessions.map((sessionId) => [sessionId, typesIn(root, sessionId)]);
			expect(typesBySession(home)).toEqual(typesBySession(server.home));
			const operator = await token('operator', server);
			const { sessions: listed } = (await (await api('/api/sessions', operator, { server })).json()) as {
				sessions: unknown[];
			};
			expect(listed).toHaveLength(new Set([...kinds.values()].map(({ session_id }) => session_id)).size);
		} finally {
			rmSync(home, { recursive: true, force: true });
		}
	});
});

function typesIn(home: string, sessionId: string): string[] {
	return recordedEvents(home, sessionId).map(({ type }) => type);
}
