import { describe, expect, it } from 'vitest';
import { agentRow } from '#lib/agents/agent-table.ts';
import { parseEvent } from '#lib/contract/events/event.ts';
import { isKnown } from '#lib/contract/events/event-labels.ts';
import { summarise } from '#lib/session/summarise.ts';
import { memoryPorts } from '../testing/memory-ports.ts';
import { answerAll, pageOf, recordedInputs } from '../testing/recorded-agent.ts';

const makes = ['codex', 'gemini', 'qwen', 'copilot', 'opencode', 'cursor', 'pi'];
const sessionOf = (input: Record<string, unknown>) =>
	String(input.conversation_id ?? input.session_id ?? input.sessionId);

function play(agent: string, run: string) {
	const inputs = recordedInputs(agent, run).map(({ input }) => input);
	const ports = memoryPorts();
	answerAll(agent, inputs, ports);
	const [sessionId = ''] = inputs.map(sessionOf);
	return { ports, ...pageOf(ports, sessionId) };
}

describe('what the real clients beside Claude Code send is recorded under its meaning', () => {
	it.each(makes)('every recorded input of %s gives nothing to print and events of the catalogue', (agent) => {
		const ports = memoryPorts();
		const inputs = recordedInputs(agent).map(({ input }) => input);
		for (const { output } of answerAll(agent, inputs, ports)) expect(output).toBeNull();
		for (const event of ports.all()) {
			const parsed = parseEvent(event);
			expect(parsed && isKnown(parsed), `${event.type} fits the catalogue`).toBe(true);
		}
		expect(ports.all().map(({ type }) => type)).not.toContain('system:warning');
		expect(inputs.length).toBeGreaterThan(30);
	});

	it.each(makes)('the page of a whole run of %s knows its make, its calls and its end', (agent) => {
		const { view } = play(agent, agent === 'codex' ? 'full6' : 'full');
		expect(summarise(view, 0)).toMatchObject({ agent });
		expect(view.counters).toMatchObject({ prompts: 1, alarms: 0, denials: 0 });
		expect(view.turn).toBe('idle');
		expect(view.calls.filter((call) => !call.evidence && !call.closed)).toEqual([]);
		expect(view.title).toContain('HARNESS:full do it');
	});
});

it('Cursor, by its documents: a call’s output is read from its text, and a failure from its own words', () => {
	const { view, rows } = play('cursor', 'full');
	const calls = rows.flatMap(({ call }) => call ?? []);
	expect(calls.filter(({ evidence }) => evidence === 'failed')).toMatchObject([
		{ tool: 'Shell', error: 'Command failed with exit code 1' },
	]);
	expect(calls.map(({ edit }) => edit?.path).filter(Boolean)).toEqual(Array(3).fill('/work-dir/project/notes.txt'));
	expect(view).toMatchObject({ cwd: '/work-dir/project', counters: { calls: 13, errors: 1 } });
	expect(agentRow('cursor').seen).toHaveProperty('read');
});

it('the sub-agents of Codex, Qwen, Copilot and OpenCode are recorded under their parent, with their calls', () => {
	for (const [agent, run] of [
		['codex', 'full6'],
		['qwen', 'full'],
		['copilot', 'full'],
		['opencode', 'full'],
	] as const) {
		const { view } = play(agent, run);
		expect(view.agents, agent).toHaveLength(1);
		expect(view.agents[0], agent).toMatchObject({ calls: 1, endedAt: expect.any(String) });
		expect(view.spawns?.unasked ?? [], agent).toEqual([]);
	}
});

it('Gemini gives no call an id: each call is a row of its own with its own outcome', () => {
	const { view, rows } = play('gemini', 'full');
	const calls = rows.flatMap(({ call }) => call ?? []);
	expect(calls.map(({ tool, evidence }) => `${tool} ${evidence}`)).toEqual([
		'run_shell_command ran',
		'write_file ran',
		'invoke_agent ran',
		'run_shell_command ran',
		'complete_task ran',
	]);
	expect(view.counters).toMatchObject({ calls: 5, errors: 0 });
});

describe('a call without an id of its client’s', () => {
	const before = {
		session_id: 's',
		cwd: '/shop',
		hook_event_name: 'BeforeTool',
		tool_name: 'run_shell_command',
		tool_input: { command: 'make' },
	};
	const after = { ...before, hook_event_name: 'AfterTool', tool_response: { llmContent: 'ok' } };
	const play = (inputs: readonly object[], files: Record<string, string> = {}) => {
		const ports = memoryPorts(files);
		answerAll('gemini', inputs, ports);
		return pageOf(ports, 's').view;
	};

	it('stays apart from an equal one beside it, and each gets one outcome', () => {
		const { calls, counters } = play([before, before, before, after, after, after]);
		expect(counters.calls).toBe(3);
		expect(calls.map(({ evidence }) => evidence)).toEqual(['ran', 'ran', 'ran']);
	});

	it('is not confused with one that was denied before', () => {
		const files = { '/shop/.overtone/config.json': '{"commands": {"exclude": ["make"]}}' };
		const ports = memoryPorts(files);
		answerAll('gemini', [before], ports);
		ports.files.delete('/shop/.overtone/config.json');
		answerAll('gemini', [before, after], ports);
		const { view } = pageOf(ports, 's');
		expect(view.counters).toMatchObject({ calls: 2, denials: 1, deniedButRan: 0 });
		expect(view.calls.map(({ evidence }) => evidence)).toEqual([undefined, 'ran']);
	});

	it('recorded twice by one run is one call', () => {
		const ports = memoryPorts();
		answerAll('gemini', [before], ports);
		const [first] = [...ports.timelines.values()].flat().filter(({ type }) => type === 'tool:call');
		expect(first?.toolUseId).toMatch(/^[0-9a-f]{10}-[0-9a-f]{10}-[0-9a-f]{10}$/);
	});
});

it('an end that its client reports twice is one end, and a session that continues after it can end again', () => {
	const { ports, view } = play('gemini', 'tui-ask_yes');
	const types = () => ports.all().map(({ type }) => type);
	expect(recordedInputs('gemini', 'tui-ask_yes').filter(({ registered }) => registered === 'SessionEnd')).toHaveLength(
		2,
	);
	expect(types().filter((type) => type === 'session:end')).toHaveLength(1);
	expect(view.ended).toBeDefined();
	const session_id = view.sessionId;
	const more = { session_id, cwd: '/shop', hook_event_name: 'BeforeAgent', prompt: 'Go on.' };
	answerAll('gemini', [more, { ...more, hook_event_name: 'SessionEnd', reason: 'exit' }], ports);
	expect(types().filter((type) => type === 'session:end')).toHaveLength(2);
});

it('clients that name the same session share one session, which warns once for each', () => {
	const ports = memoryPorts();
	const fields = { session_id: 's', cwd: '/shop' };
	const prompts = [1, 2].map((n) => ({ ...fields, hook_event_name: 'UserPromptSubmit', prompt: `${n}` }));
	answerAll('claude-code', prompts, ports);
	const warnings = () => ports.all().flatMap(({ type, message }) => (type === 'system:warning' ? [message] : []));
	expect(warnings()).toEqual([]);
	answerAll('codex', prompts, ports);
	const ofCodex = 'Hooks of Codex come with the id of a session of Claude Code: what both do stands in this one.';
	expect(warnings()).toEqual([ofCodex]);
	answerAll('claude-code', prompts, ports);
	expect(warnings()).toEqual([
		ofCodex,
		expect.stringContaining('Hooks of Claude Code come with the id of a session of Codex'),
	]);
});
