import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { respond } from '#hooks-bridge/engine/respond.ts';
import { startWorkflow } from '#hooks-bridge/engine/workflow/run-workflow.ts';
import type { HookRun } from '#hooks-bridge/ports/hook-run.ts';
import type { Ports, SealedEvent } from '#hooks-bridge/ports/ports.ts';
import { memoryPorts } from '#hooks-bridge/testing/memory-ports.ts';
import { parseEvent } from '#lib/contract/events/event.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { inWords } from '#lib/messages/sentence.ts';
import { emptyView, fold } from '#lib/session/fold.ts';
import type { TailBatch } from '../../timeline/tail/session-reader.ts';
import type { IncidentDraft } from './incident-log.ts';
import { watchSessions } from './open-incidents.ts';

type Input = Record<string, unknown>;

/** A server's way from hook inputs to incidents, without a machine: one batch for each input. */
function createWatched() {
	const memory = memoryPorts();
	let lines: SealedEvent[] = [];
	const append: Ports['append'] = (sessionId, events) => {
		memory.append(sessionId, events);
		lines.push(...events);
	};
	const ports = { ...memory, append };
	const raised: (IncidentDraft & { message: string })[] = [];
	const listeners: ((batch: TailBatch) => void)[] = [];
	const tail = {
		onBatch: (listen: (batch: TailBatch) => void) => {
			listeners.push(listen);
			return () => undefined;
		},
	};
	const incidents = {
		raise: (draft: IncidentDraft) => void raised.push({ ...draft, ...inWords({ message: draft.message }) }),
	};
	watchSessions({ tail, incidents, now: () => 0 });
	const views = new Map<string, ReturnType<typeof emptyView>>();
	const rows = new Map<string, Row>();
	const batch = () => {
		for (const line of lines) {
			const { sessionId } = line;
			const before = views.get(sessionId) ?? emptyView(sessionId);
			const event = { ...parseEvent(line), seq: before.seq + 1 } as IndexedEvent;
			const folded = fold(before, event, (key) => rows.get(`${sessionId} ${key}`));
			views.set(sessionId, folded.view);
			for (const row of folded.rows) rows.set(`${sessionId} ${row.key}`, row);
			for (const listen of listeners)
				listen({ sessionId, epoch: '', events: [event], rows: folded.rows, view: folded.view });
		}
		lines = [];
	};
	let runs = 0;
	const hook = (input: Input, run: Partial<HookRun> = {}) => {
		runs += 1;
		const { output } = respond(JSON.stringify(input), { requestId: `run-${runs}`, profile: 'open', ...run }, ports);
		batch();
		return output;
	};
	return { ports, raised, hook };
}

const about = { session_id: 's1', cwd: '/shop' };
const START = { ...about, hook_event_name: 'SessionStart', source: 'startup' };
const call = (tool: string, input: Input, id = 'toolu_1') => ({
	...about,
	hook_event_name: 'PreToolUse',
	tool_name: tool,
	tool_use_id: id,
	tool_input: input,
});
const result = (...args: Parameters<typeof call>) => ({
	...call(...args),
	hook_event_name: 'PostToolUse',
	tool_response: {},
});
const agent = (hook: 'SubagentStart' | 'SubagentStop', id: string, type: string) => ({
	...about,
	hook_event_name: hook,
	agent_id: id,
	agent_type: type,
});
const PLAN = '/shop/.vibe-engine/routing-state.json';
type Task = [agent: string, status?: string];
const planOf = (tasks: Task[], more: object = {}) => {
	const phases = [{ phase: 1, tasks: tasks.map(([one, status = 'pending']) => ({ agent: one, status })) }];
	return JSON.stringify({ planId: 'route-1', status: 'in_progress', phases, ...more });
};
const codes = (raised: readonly IncidentDraft[]) => raised.map(({ code }) => code);

test('R1143 of all recorded runs only those whose own hook changed an input raise an incident', () => {
	const { raised, hook } = createWatched();
	const recorded = readFileSync(new URL('../../../e2e/fixtures/claude-code-hook-inputs.jsonl', import.meta.url), 'utf8')
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as { run: string; input: Input });
	for (const { input } of recorded) hook(input);
	const sessions = recorded.filter(({ run }) => ['accept-3', 'b08-agent-updatedInput'].includes(run));
	const changed = new Set(sessions.map(({ input }) => input.session_id));
	expect(recorded).toHaveLength(1258);
	expect(new Set(raised.map(({ sessionId }) => sessionId))).toEqual(changed);
	expect(codes(raised)).toEqual(['call/other-input', 'call/other-input']);
});

describe('another input ran than was judged', () => {
	test('the changed input of a second hook is an incident, recorded once, also if the tool then failed', () => {
		const { raised, hook } = createWatched();
		hook(call('Bash', { command: 'ls' }));
		hook(result('Bash', { command: 'rm -r src' }));
		hook(call('Bash', { command: 'ls' }, 'toolu_2'));
		hook({
			...result('Bash', { command: 'rm -r src' }, 'toolu_2'),
			hook_event_name: 'PostToolUseFailure',
			error: 'no',
		});
		hook({ ...about, hook_event_name: 'Stop' });
		expect(codes(raised)).toEqual(['call/other-input', 'call/other-input']);
		expect(raised[0]).toMatchObject({ sessionId: 's1', message: expect.stringContaining('signalbox doctor') });
	});

	test.each([
		['the order of keys', 'Bash', { command: 'ls', timeout: 1 }, { timeout: 1, command: 'ls' }],
		['a whole path', 'Write', { file_path: '/shop/a.ts', content: '' }, { file_path: 'a.ts', content: '' }],
		['a path of the home', 'Read', { file_path: '/home/me/a.ts' }, { file_path: '~/a.ts' }],
		['an answer', 'AskUserQuestion', { questions: [] }, { questions: [], answers: { a: 'b' }, annotations: {} }],
		['where an agent runs', 'Agent', { prompt: 'a', run_in_background: false }, { prompt: 'a' }],
		['who gets a message', 'SendMessage', { to: 'a1', message: 'm', recipient: 'a1' }, { to: 'a1', message: 'm' }],
		['what sed makes', 'Bash', { command: 'sed -i s/a/b/ x' }, { command: 'sed -i s/a/b/ x', _simulatedSedEdit: {} }],
	])('what the client itself changes is none: %s', (_, tool, judged, ran) => {
		const { raised, hook } = createWatched();
		hook(call(tool, judged));
		hook(result(tool, ran));
		expect(raised).toEqual([]);
	});

	test.each([
		['another file', 'Write', { file_path: '/shop/a.ts', content: '' }, { file_path: '../a.ts', content: '' }],
		['another agent', 'Agent', { prompt: 'a', subagent_type: 'developer' }, { prompt: 'a' }],
		['a file beside a command', 'Bash', { command: 'ls' }, { command: 'ls', _simulatedSedEdit: {} }],
	])('what it does not change is one: %s', (_, tool, judged, ran) => {
		const { raised, hook } = createWatched();
		hook(call(tool, judged));
		hook(result(tool, ran));
		expect(codes(raised)).toEqual(['call/other-input']);
	});
});

describe('R1143 a sub-agent that nobody asked for', () => {
	test('R1143 one more than judged calls asked for is an incident; a denied call asks for none', () => {
		const { ports, raised, hook } = createWatched();
		hook(START);
		hook(call('Agent', { subagent_type: 'core:Developer', prompt: 'a' }));
		hook(agent('SubagentStart', 'a1', 'core:Developer'));
		hook(agent('SubagentStop', 'a1', 'core:Developer'));
		// Woken again: the same one.
		hook(agent('SubagentStart', 'a1', 'core:Developer'));
		expect(raised).toEqual([]);
		hook(agent('SubagentStart', 'a2', 'developer'));
		expect(codes(raised)).toEqual(['agent/unasked']);
		const task = { agent: 'tester', status: 'pending' };
		const plan = { planId: 'p', status: 'pending', phases: [{ phase: 1, tasks: [task] }] };
		ports.files.set('/shop/.vibe-engine/routing-state.json', JSON.stringify(plan));
		expect(hook(call('Agent', { subagent_type: 'developer' }, 'toolu_2'))).toMatchObject({ continue: false });
		hook(agent('SubagentStart', 'a3', 'developer'));
		hook(agent('SubagentStop', 'a4', 'tester'));
		expect(raised.map(({ message }) => message.slice(0, 40))).toEqual([
			expect.stringContaining('developer'),
			expect.stringContaining('developer'),
			expect.stringContaining('tester'),
		]);
	});

	test('an end that is posted in a workflow of an agent that never started is an incident, recorded once', () => {
		const { ports, raised, hook } = createWatched();
		hook(START);
		startWorkflow({ sessionId: 's1', project: '/shop', requestId: 'start', ports }, 'quick');
		hook(call('Agent', { subagent_type: 'developer', prompt: 'a' }));
		hook(agent('SubagentStart', 'a1', 'developer'));
		for (const id of ['b1', 'b1', 'a1']) hook(agent('SubagentStop', id, 'developer'));
		expect(raised.map(({ code, about: what }) => [code, what])).toEqual([['agent/unasked', 's1 · b1']]);
	});

	test('R1143 starts may come in any order, and before the result of their call', () => {
		const { raised, hook } = createWatched();
		hook(START);
		for (const [n, type] of ['developer', 'tester', 'developer', undefined].entries()) {
			hook(call('Agent', { subagent_type: type, prompt: 'a' }, `toolu_${n}`));
		}
		for (const [n, type] of ['general-purpose', 'developer', 'tester', 'developer'].entries()) {
			hook(agent('SubagentStart', `a${n}`, type));
		}
		expect(raised).toEqual([]);
	});

	test('a skill that nobody could read may start an agent, but not while a plan says who comes next', () => {
		const { ports, raised, hook } = createWatched();
		hook(START);
		hook(call('Skill', { skill: 'plugin:audit' }));
		hook(agent('SubagentStart', 'a1', 'auditor'));
		expect(raised).toEqual([]);
		const phases = [{ phase: 1, tasks: [{ agent: 'tester', status: 'pending' }] }];
		const plan = JSON.stringify({ planId: 'p', status: 'pending', phases });
		ports.files.set('/shop/.vibe-engine/routing-state.json', plan);
		hook({ ...about, hook_event_name: 'UserPromptSubmit', prompt: 'go on' });
		hook(call('Skill', { skill: 'plugin:audit' }, 'toolu_2'));
		hook(agent('SubagentStart', 'a2', 'auditor'));
		expect(codes(raised)).toEqual(['agent/unasked']);
	});

	test('a script of agents may start as many as it likes', () => {
		const { raised, hook } = createWatched();
		hook(START);
		hook(call('Workflow', { script: 'a' }));
		for (const id of ['a1', 'a2', 'a3']) hook(agent('SubagentStart', id, `worker-${id}`));
		expect(raised).toEqual([]);
	});

	test('R1143 compaction, a typed command, a message to an earlier agent and a session recorded from its middle raise none', () => {
		const { raised, hook } = createWatched();
		hook(START);
		hook({ ...agent('SubagentStop', 'c1', ''), last_assistant_message: '' });
		hook({ ...about, hook_event_name: 'UserPromptExpansion', command_name: 'audit' });
		hook(agent('SubagentStart', 'a1', 'auditor'));
		hook(call('SendMessage', { to: 'a2', message: 'go on' }));
		hook(agent('SubagentStart', 'a2', 'developer'));
		hook({ ...agent('SubagentStart', 'a3', 'developer'), session_id: 's2' });
		hook({ ...START, session_id: 's3', source: 'fork' });
		hook({ ...agent('SubagentStart', 'a4', 'developer'), session_id: 's3' });
		expect(raised).toEqual([]);
		hook(agent('SubagentStart', 'a5', 'developer'));
		expect(codes(raised)).toEqual(['agent/unasked']);
	});
});

describe('R1147 a plan that the agent itself changed', () => {
	const PROMPT = { ...about, hook_event_name: 'UserPromptSubmit', prompt: 'build it' };
	/** A call of the agent's own that leaves the plan like this. */
	const writing = (
		watched: ReturnType<typeof createWatched>,
		tool: string,
		input: Input,
		plan: string,
		id = 'toolu_w',
	) => {
		watched.hook(call(tool, input, id));
		watched.ports.files.set(PLAN, plan);
		watched.hook(result(tool, input, id));
	};
	const begun = (plan: string) => {
		const watched = createWatched();
		watched.hook(START);
		watched.ports.files.set(PLAN, plan);
		watched.hook(PROMPT);
		return watched;
	};
	const two = planOf([['developer'], ['tester']]);

	test.each([
		['Write', { file_path: '/shop/.vibe-engine/routing-state.json', content: '' }],
		['Edit', { file_path: '.vibe-engine/routing-state.json' }],
		['Bash', { command: "signalbox sh 'write .vibe-engine/routing-state.json x'" }],
	])('R1147 by %s: an agent more, another plan, and one that is over with open tasks are incidents', (tool, input) => {
		for (const plan of [
			planOf([['developer'], ['tester'], ['architect']]),
			planOf([['developer']], { planId: 'route-2' }),
			planOf([['developer'], ['tester']], { status: 'completed' }),
		]) {
			const watched = begun(two);
			writing(watched, tool, input, plan);
			expect(codes(watched.raised)).toEqual(['plan/edited']);
		}
	});

	test('R1147 marking tasks, looking at the plan, making a first one and what is written at a prompt are none', () => {
		const watched = begun(two);
		const look = { command: 'cat .vibe-engine/routing-state.json' };
		writing(
			watched,
			'Bash',
			look,
			planOf([
				['developer', 'completed'],
				['tester', 'executing'],
			]),
		);
		writing(
			watched,
			'Bash',
			look,
			planOf(
				[
					['developer', 'completed'],
					['tester', 'completed'],
				],
				{ status: 'completed' },
			),
		);
		writing(watched, 'Bash', look, planOf([['architect']], { planId: 'route-2' }), 'toolu_x');
		watched.hook(PROMPT);
		// vibe-engine's own hook at the prompt runs beside ours, and may write after it has read.
		watched.ports.files.set(PLAN, planOf([['reviewer']], { planId: 'route-3' }));
		watched.hook(call('Bash', look, 'toolu_y'));
		watched.hook(result('Bash', look, 'toolu_y'));
		watched.hook(call('Agent', { subagent_type: 'reviewer', prompt: 'a' }, 'toolu_z'));
		expect(watched.raised).toEqual([]);
	});

	test('R1147 a denied agent that the plan expects before the next prompt of a person is an incident, whoever wrote the plan', () => {
		const watched = begun(two);
		const input = { subagent_type: 'architect', prompt: 'a' };
		expect(watched.hook(call('Agent', input))).toMatchObject({ continue: false });
		watched.ports.files.set(PLAN, planOf([['developer'], ['tester'], ['architect']]));
		watched.hook(call('Agent', input, 'toolu_2'));
		expect(watched.raised).toMatchObject([
			{ code: 'plan/edited', sessionId: 's1', message: expect.stringContaining('expects architect now') },
		]);
	});

	test('R1147 a denied agent that the plan expects after a prompt is none', () => {
		const watched = begun(two);
		const input = { subagent_type: 'architect', prompt: 'a' };
		watched.hook(call('Agent', input));
		watched.hook(PROMPT);
		watched.ports.files.set(PLAN, planOf([['architect']], { planId: 'route-2' }));
		watched.hook(call('Agent', input, 'toolu_2'));
		expect(watched.raised).toEqual([]);
	});
});

describe('R2340 a plan that goes away after it denied something', () => {
	const input = { subagent_type: 'architect', prompt: 'a' };
	const PROMPT = { ...about, hook_event_name: 'UserPromptSubmit', prompt: 'build it' };
	function denied() {
		const watched = createWatched();
		watched.hook(START);
		watched.ports.files.set(PLAN, planOf([['developer']]));
		watched.hook(PROMPT);
		expect(watched.hook(call('Agent', input))).toMatchObject({ continue: false });
		return watched;
	}

	test.each(['absent', 'not-regular', 'unreadable', 'too-large', 'outside', '{'] as const)(
		'R2340 %s: it binds as it was read last, until a person prompts',
		(state) => {
			const watched = denied();
			watched.ports.files.set(PLAN, state);
			expect(watched.hook(call('Agent', input, 'toolu_2'))).toMatchObject({ continue: false });
			const allowed = watched.hook(call('Agent', { subagent_type: 'developer', prompt: 'a' }, 'toolu_3'));
			expect(allowed).not.toMatchObject({ continue: false });
			watched.hook(PROMPT);
			expect(watched.hook(call('Agent', input, 'toolu_4'))).not.toMatchObject({ continue: false });
		},
	);

	test('each start by a plan that cannot be read is an incident; by none at all is none', () => {
		const watched = createWatched();
		watched.hook(START);
		watched.ports.files.set(PLAN, '{');
		watched.hook(call('Agent', input));
		watched.hook(call('Agent', input, 'toolu_2'));
		expect(codes(watched.raised)).toEqual(['plan/edited', 'plan/edited']);
		watched.ports.files.delete(PLAN);
		watched.hook(call('Agent', input, 'toolu_3'));
		expect(watched.raised).toHaveLength(2);
	});
});
