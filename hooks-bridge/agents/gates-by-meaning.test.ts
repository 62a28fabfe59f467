import { describe, expect, it } from 'vitest';
import { readPatch } from '#lib/agents/file-edits.ts';
import { memoryPorts } from '../testing/memory-ports.ts';
import { answerAll, pageOf } from '../testing/recorded-agent.ts';
import { adapterOf } from './adapter-of.ts';

/** How each make says the same call. */
const calls = {
	codex: (name: string, input: unknown, id = 't') => ({
		session_id: 's',
		cwd: '/shop',
		hook_event_name: 'PreToolUse',
		tool_name: name,
		tool_input: input,
		tool_use_id: id,
	}),
	gemini: (name: string, input: unknown) => ({
		session_id: 's',
		cwd: '/shop',
		hook_event_name: 'BeforeTool',
		tool_name: name,
		tool_input: input,
	}),
	qwen: (name: string, input: unknown) => calls.codex(name, input),
	opencode: (name: string, input: unknown) => ({ ...calls.codex(name, input), hook_event_name: 'tool.execute.before' }),
	cursor: (name: string, input: unknown) => ({
		conversation_id: 's',
		workspace_roots: ['/shop'],
		hook_event_name: 'preToolUse',
		tool_name: name,
		tool_input: input,
		tool_use_id: 't',
	}),
	pi: (name: string, input: unknown) => ({ ...calls.codex(name, input), hook_event_name: 'tool_call' }),
	copilot: (name: string, input: unknown) => ({ sessionId: 's', cwd: '/shop', toolName: name, toolArgs: input }),
};
type Client = keyof typeof calls;

function judge(client: Client, name: string, input: unknown, files: Record<string, string>) {
	const ports = memoryPorts(files);
	const [answer] = answerAll(client, [calls[client](name, input)], ports);
	const answered = adapterOf(client).readPrinted(answer?.output ?? {});
	return { said: answered, ports, answer };
}

const config = (settings: object) => ({ '/shop/.overtone/config.json': JSON.stringify(settings) });
const plan = {
	'/shop/.vibe-engine/routing-state.json': JSON.stringify({
		planId: 'p',
		status: 'in_progress',
		phases: [{ tasks: [{ agent: 'architect', status: 'pending' }] }],
	}),
};

describe('R1327 gates judge by what a call does, whatever its make calls the tool', () => {
	it.each([
		['codex', 'Bash'],
		['gemini', 'run_shell_command'],
		['qwen', 'run_shell_command'],
		['copilot', 'bash'],
		['opencode', 'bash'],
		['cursor', 'Shell'],
		['pi', 'bash'],
	] as const)('the command policy denies what %s runs with %s', (client, tool) => {
		const files = config({ commands: { exclude: ['rm'] } });
		expect(judge(client, tool, { command: 'ls; rm -rf /' }, files).said).toMatchObject({ decision: 'deny' });
		expect(judge(client, tool, { command: 'ls' }, files).said).toEqual({ decision: 'pass' });
		expect(judge(client, 'read_file', { command: 'rm -rf /' }, files).said).toEqual({ decision: 'pass' });
	});

	it.each([
		['codex', 'spawn_agent', { agent_type: 'developer', message: 'do' }],
		['codex', 'collaborationspawn_agent', { agent_type: 'developer', message: 'do' }],
		['gemini', 'invoke_agent', { agent_name: 'developer', prompt: 'do' }],
		['qwen', 'agent', { subagent_type: 'developer', prompt: 'do' }],
		['copilot', 'task', { agent_type: 'developer', prompt: 'do' }],
		['opencode', 'task', { subagent_type: 'developer', prompt: 'do' }],
		['cursor', 'Task', { subagent_type: 'developer', prompt: 'do' }],
	] as const)('the routing plan stops an agent that %s starts with %s out of turn', (client, tool, input) => {
		const files = { ...plan, ...config({ gates: { routing: { onMismatch: 'deny' } } }) };
		const { said, ports, answer } = judge(client, tool, input, files);
		expect(said).toMatchObject({ decision: 'deny', reason: expect.stringContaining('architect') });
		expect(answer?.held).toMatchObject({ asksPerson: true, tool });
		expect(pageOf(ports, 's').view.mismatches).toMatchObject([{ actual: 'developer', expected: ['architect'] }]);
	});

	it.each([
		['codex', 'apply_patch', { command: '*** Begin Patch\n*** Add File: a.ts\n+x\n*** End Patch' }],
		['gemini', 'replace', { file_path: '/shop/a.ts', old_string: 'a', new_string: 'b' }],
		['qwen', 'edit', { file_path: '/shop/a.ts', old_string: 'a', new_string: 'b' }],
		['copilot', 'create', { path: '/shop/a.ts', file_text: 'x' }],
		['opencode', 'edit', { filePath: '/shop/a.ts', oldString: 'a', newString: 'b' }],
		['cursor', 'StrReplace', { path: '/shop/a.ts', old_string: 'a', new_string: 'b' }],
		['pi', 'edit', { path: '/shop/a.ts', edits: [{ oldText: 'a', newText: 'b' }] }],
	] as const)('the enforcer leaves files that %s edits with %s to the agents of the plan', (client, tool, input) => {
		const files = { ...plan, ...config({ gates: { routingEnforcer: { enabled: true } } }) };
		expect(judge(client, tool, input, files).said).toMatchObject({ decision: 'deny' });
	});

	it('a grant for a patch is for just these files', () => {
		const files = { ...plan, ...config({ gates: { routingEnforcer: { enabled: true } } }) };
		const patch = (...names: string[]) =>
			`*** Begin Patch\n${names.map((name) => `*** Add File: ${name}\n+x\n`).join('')}*** End Patch`;
		const keyOf = (...names: string[]) =>
			judge('codex', 'apply_patch', { command: patch(...names) }, files).answer?.held?.denials[0]?.fingerprint;
		expect(keyOf('a.ts', 'b.ts')).toBe(keyOf('a.ts', 'b.ts'));
		expect(keyOf('a.ts', 'b.ts')).not.toBe(keyOf('a.ts'));
	});
});

it('a patch names every file that it changes, and what becomes of it', () => {
	const text = [
		'*** Begin Patch',
		'*** Update File: src/a.ts',
		'*** Move to: src/b.ts',
		'@@ function one()',
		' keep',
		'-old',
		'+new',
		'*** Delete File: c.ts',
		'*** Add File: specs/x.md',
		'+# X',
		'+text',
		'*** End Patch',
	].join('\n');
	const edits = [{ from: 'keep\nold', to: 'keep\nnew', all: false }];
	expect(readPatch(text)).toEqual([
		{ path: 'src/a.ts', edits },
		{ path: 'src/b.ts', edits },
		{ path: 'c.ts', edits: [] },
		{ path: 'specs/x.md', text: '# X\ntext\n' },
	]);
	expect(readPatch('rm -rf /')).toEqual([]);
	expect(adapterOf('codex').readCall('apply_patch', { command: 7 }, {}).deed).toEqual({
		does: 'edit-file',
		path: null,
	});
});
