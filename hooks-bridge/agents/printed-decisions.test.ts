import { describe, expect, it } from 'vitest';
import type { AgentHook } from '#lib/agents/agent-hook.ts';
import { agentRow, agentTable } from '#lib/agents/agent-table.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import { adapterOf } from './adapter-of.ts';

/*
 * What the real clients take for a decision, row by row: a shape, a key or an exit code that a client does not know may
 * let a call run that was denied, or block one that nobody judged.
 */

const input = { command: 'make' };
const inputs: Readonly<Record<string, Record<string, unknown>>> = {
	codex: { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash', tool_input: input },
	gemini: { hook_event_name: 'BeforeTool', session_id: 's', tool_name: 'run_shell_command', tool_input: input },
	qwen: { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'run_shell_command', tool_input: input },
	copilot: { sessionId: 's', toolName: 'bash', toolArgs: input },
	opencode: { hook_event_name: 'tool.execute.before', session_id: 's', tool_name: 'bash', tool_input: input },
	cursor: { hook_event_name: 'preToolUse', conversation_id: 's', tool_name: 'Shell', tool_input: input },
	pi: { hook_event_name: 'tool_call', session_id: 's', tool_name: 'bash', tool_input: input },
};
const makes = Object.keys(inputs);
const hookOf = (agent: string, raw: object = inputs[agent] ?? {}): AgentHook => {
	const read = adapterOf(agent).read(raw);
	if (!read.ok) throw new Error(read.reason);
	return read.hook;
};
const printedFor = (agent: string, decision: HookDecision, hook = hookOf(agent)) =>
	adapterOf(agent).print(decision, hook);
const each = (decision: HookDecision) => Object.fromEntries(makes.map((agent) => [agent, printedFor(agent, decision)]));
const specific = (fields: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } });

describe('R1323 each client receives a decision in the one shape that it accepts', () => {
	it('a denial is the make’s own, with a reason and no key beside', () => {
		const denied = { permissionDecision: 'deny', permissionDecisionReason: 'no' };
		expect(each({ decision: 'deny', reason: 'no', message: 'for the person', context: 'more' })).toEqual({
			codex: specific(denied),
			gemini: { decision: 'deny', reason: 'no' },
			qwen: specific(denied),
			copilot: denied,
			opencode: { decision: 'deny', reason: 'no' },
			cursor: { permission: 'deny', user_message: 'no', agent_message: 'no' },
			pi: { decision: 'deny', reason: 'no' },
		});
	});

	it('a denial without a reason gets one, since Codex lets it run', () => {
		for (const agent of makes)
			expect(JSON.stringify(printedFor(agent, { decision: 'deny', reason: '' }))).toContain('denies');
	});

	it('a denial that ends the turn is a denial; only Gemini can end it', () => {
		const { gemini, ...others } = each({ decision: 'deny', reason: 'no', endsTurn: true });
		expect(gemini).toEqual({ decision: 'deny', reason: 'no', continue: false, stopReason: 'no' });
		expect(JSON.stringify(others)).not.toContain('continue');
	});

	it('a question is a denial where it would run (Codex) or hang (Gemini)', () => {
		const { codex, gemini, qwen, copilot, opencode } = each({ decision: 'ask', reason: 'sure?' });
		expect(opencode).toEqual({ decision: 'deny', reason: 'sure?' });
		expect([codex, gemini].map((output) => adapterOf('codex').readPrinted(output ?? {}).decision)).toEqual([
			'deny',
			'deny',
		]);
		expect([qwen, copilot].map((output) => adapterOf('qwen').readPrinted(output ?? {}).decision)).toEqual([
			'ask',
			'ask',
		]);
		for (const { name, can } of agentTable.filter(({ name }) => makes.includes(name))) {
			const printed = adapterOf(name).readPrinted(printedFor(name, { decision: 'ask', reason: '?' }) ?? {});
			expect(printed.decision, name).toBe(can.ask ? 'ask' : 'deny');
		}
	});

	it('an input is changed as the make takes it, and not at all where it ignores that', () => {
		expect(each({ decision: 'allow', reason: 'Approved', input: { command: 'make test' } })).toEqual({
			codex: specific({ permissionDecision: 'allow', updatedInput: { command: 'make test' } }),
			gemini: { hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: { command: 'make test' } } },
			qwen: null,
			copilot: { permissionDecision: 'allow', modifiedArgs: { command: 'make test' } },
			opencode: { args: { command: 'make test' } },
			cursor: { permission: 'allow', updated_input: { command: 'make test' } },
			pi: { args: { command: 'make test' } },
		});
	});

	it.each(agentTable.map(({ name }) => name))('what the row of %s says is what its adapter prints', (name) => {
		const { can, events } = agentRow(name);
		const hook = hookOf(name, { ...inputs[name], ...(name === 'claude-code' && inputs.codex) });
		const prompt = { ...hook, at: 'permission', name: events.permission ?? '', suggestions: [] } as AgentHook;
		const print = (decision: HookDecision, at = hook) => JSON.stringify(printedFor(name, decision, at)) ?? '';
		const changed = { decision: 'allow', reason: 'Approved', input: { command: 'other' } } as const;
		expect(print(changed).includes('other')).toBe(can.edit);
		expect(print({ decision: 'pass', input: changed.input }).includes('other')).toBe(can.rewrites);
		expect(print(changed, prompt).includes('other')).toBe(can.editPrompt);
		expect(print({ decision: 'deny', reason: 'no', endsTurn: true }).includes('continue')).toBe(can.stop);
		expect(print({ decision: 'allow' }, prompt) !== 'null').toBe(can.prompts);
		expect(adapterOf(name).readReviewed !== undefined).toBe(can.reviews);
	});

	it('an allow takes no prompt away but at Copilot, and there only by a person’s word', () => {
		expect(each({ decision: 'allow', reason: 'Approved' })).toEqual({
			codex: null,
			gemini: null,
			qwen: null,
			copilot: { permissionDecision: 'allow' },
			opencode: null,
			cursor: null,
			pi: null,
		});
		expect(each({ decision: 'allow' })).toEqual({
			codex: null,
			gemini: null,
			qwen: null,
			copilot: null,
			opencode: null,
			cursor: null,
			pi: null,
		});
	});

	it('nothing is printed without a decision, and nothing that is only for a person', () => {
		for (const agent of makes) {
			expect(adapterOf(agent).print(null, hookOf(agent))).toBeNull();
			expect(printedFor(agent, { decision: 'pass', message: 'hello' })).toBeNull();
		}
	});

	it('what nobody could judge is silence, and a denial only under the closed profile', () => {
		for (const agent of makes) {
			const { printUnjudged, readPrinted } = adapterOf(agent);
			for (const profile of ['observe', 'open', 'supervisor'] as const)
				expect(printUnjudged(profile, 'why')).toBeNull();
			expect(readPrinted(printUnjudged('closed', 'why') ?? {})).toEqual({ decision: 'deny', reason: 'Signalbox: why' });
		}
	});
});

describe('the client’s own prompt is answered as the make takes it', () => {
	const asking: Readonly<Record<string, object>> = {
		codex: { hook_event_name: 'PermissionRequest', session_id: 's', tool_name: 'Bash', tool_input: input },
		qwen: { hook_event_name: 'PermissionRequest', session_id: 's', tool_name: 'run_shell_command', tool_input: input },
		copilot: {
			hookName: 'permissionRequest',
			sessionId: 's',
			toolName: 'bash',
			toolInput: input,
			permissionSuggestions: [],
		},
	};
	const answer = (decision: HookDecision) =>
		Object.entries(asking).map(([agent, raw]) => printedFor(agent, decision, hookOf(agent, raw)));
	const nested = (decision: object) => ({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });

	it('yes, no and silence', () => {
		const yes = { behavior: 'allow' };
		const no = { behavior: 'deny', message: 'not now' };
		expect(answer({ decision: 'allow', input: { command: 'changed' } })).toEqual([nested(yes), nested(yes), yes]);
		expect(answer({ decision: 'deny', reason: 'not now' })).toEqual([nested(no), nested(no), no]);
		expect(answer({ decision: 'pass' })).toEqual([null, null, null]);
	});

	it('Gemini’s is only seen: its notice says that a person is asked', () => {
		const raw = {
			hook_event_name: 'Notification',
			session_id: 's',
			notification_type: 'ToolPermission',
			message: 'Run?',
		};
		expect(hookOf('gemini', raw)).toMatchObject({ at: 'notice', notice: 'permission_prompt', message: 'Run?' });
		expect(printedFor('gemini', { decision: 'deny', reason: 'no' }, hookOf('gemini', raw))).toEqual({
			decision: 'deny',
			reason: 'no',
		});
	});
});

it('the end of a turn is refused in each client’s words', () => {
	const ends: Readonly<Record<string, object>> = {
		codex: { hook_event_name: 'Stop', session_id: 's' },
		gemini: { hook_event_name: 'AfterAgent', session_id: 's' },
		qwen: { hook_event_name: 'Stop', session_id: 's' },
		copilot: { sessionId: 's', stopReason: 'end_turn' },
		cursor: { hook_event_name: 'stop', conversation_id: 's', status: 'completed' },
	};
	const printed = Object.entries(ends).map(([agent, raw]) =>
		printedFor(agent, { decision: 'deny', reason: 'go on' }, hookOf(agent, raw)),
	);
	const block = { decision: 'block', reason: 'go on' };
	expect(printed).toEqual([block, { decision: 'deny', reason: 'go on' }, block, block, { followup_message: 'go on' }]);
});

it('a sub-agent’s own turn in Copilot is no end of the session’s turn, and its calls are the session’s', () => {
	const inside = { sessionId: 'a', agentId: 'a', agentType: 'task', parentAgentId: 's', cwd: '/shop' };
	expect(hookOf('copilot', { ...inside, stopReason: 'end_turn' })).toMatchObject({
		at: 'other',
		sessionId: 's',
		agentId: 'a',
	});
	expect(hookOf('copilot', { ...inside, prompt: 'do' })).toMatchObject({ at: 'other', sessionId: 's' });
	expect(hookOf('copilot', { ...inside, toolName: 'bash', toolArgs: input })).toMatchObject({
		at: 'call',
		sessionId: 's',
		agentId: 'a',
		call: { deed: { does: 'run-command', line: 'make' } },
	});
});

it('what the model is to read beside an event is printed where the client hands it on, and nowhere else', () => {
	const context: HookDecision = { decision: 'pass', context: 'next: tester' };
	const at = (agent: string, raw: object) =>
		printedFor(agent, context, hookOf(agent, { session_id: 's', sessionId: 's', ...raw }));
	const named = (name: string) => ({ hookSpecificOutput: { hookEventName: name, additionalContext: 'next: tester' } });
	const prompt = { prompt: 'go', submitted_prompt: 'go' };
	expect([
		at('codex', { hook_event_name: 'UserPromptSubmit', ...prompt }),
		at('gemini', { hook_event_name: 'BeforeAgent', ...prompt }),
		at('qwen', { hook_event_name: 'UserPromptSubmit', ...prompt }),
		at('copilot', prompt),
		at('opencode', { hook_event_name: 'chat.message', ...prompt }),
	]).toEqual([
		named('UserPromptSubmit'),
		named('BeforeAgent'),
		named('UserPromptSubmit'),
		{ additionalContext: 'next: tester' },
		null,
	]);
	for (const agent of makes) expect(printedFor(agent, context), agent).toBeNull();
	expect(at('codex', { hook_event_name: 'Interrupt' })).toBeNull();
});
