import { describe, expect, it } from 'vitest';
import { parseEvent } from '#lib/contract/events/event.ts';
import { isKnown } from '#lib/contract/events/event-labels.ts';
import { clientEvents } from '../agents/claude-code/setup.ts';
import type { HookRun, Profile } from '../ports/hook-run.ts';
import { memoryPorts } from '../testing/memory-ports.ts';
import { respond } from './respond.ts';

const PLAN = '/shop/.vibe-engine/routing-state.json';
const CONFIG = '/shop/.overtone/config.json';
const plan = (status = 'pending', agent = 'developer') =>
	JSON.stringify({ planId: 'route-123', status, phases: [{ phase: 1, tasks: [{ agent, status: 'pending' }] }] });
const denyForm = JSON.stringify({ gates: { routing: { onMismatch: 'deny' } } });

let runs = 0;
const run = (more: Partial<HookRun> = {}): HookRun => ({ requestId: `req-${++runs}`, profile: 'open', ...more });
const call = (subagentType: string | undefined, more: object = {}) => ({
	session_id: 's1',
	cwd: '/shop',
	hook_event_name: 'PreToolUse',
	tool_name: 'Agent',
	tool_use_id: `toolu_${++runs}`,
	tool_input: { description: 'Do it', prompt: 'implement', subagent_type: subagentType },
	...more,
});
const ALLOW = { continue: true, hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } };

describe('seed 000: the exact outputs', () => {
	it.each([
		['R14 allows without a plan', {}, 'developer'],
		['R14 allows the planned agent in its long form', { [PLAN]: plan('in_progress') }, 'vibe-engine-core:developer'],
		['R14 allows when the plan is completed', { [PLAN]: plan('completed') }, 'architect'],
		['R14 allows when no agent is named', { [PLAN]: plan() }, undefined],
	] as [string, Record<string, string>, string | undefined][])('%s', (_, files, agent) => {
		for (const tool of ['Agent', 'Task']) {
			const answer = respond(JSON.stringify(call(agent, { tool_name: tool })), run(), memoryPorts(files));
			expect(JSON.stringify(answer.output)).toBe(JSON.stringify(ALLOW));
		}
	});

	it('R5 R14 judges an input of only a tool name and its input', () => {
		const raw = '{"tool_name":"Task","tool_input":{"subagent_type":"developer","prompt":"implement feature"}}';
		expect(respond(raw, run(), memoryPorts()).output).toEqual(ALLOW);
		const ports = memoryPorts({ [PLAN]: plan() });
		const denied = respond(raw.replace('developer', 'architect'), run({ projectDir: '/shop' }), ports).output;
		expect(denied).toMatchObject({ continue: false });
		expect(ports.timelines.has('_home')).toBe(true);
	});

	it('R15 denies as the seed does', () => {
		const { output } = respond(call('architect'), run(), memoryPorts({ [PLAN]: plan() }));
		expect(output).toEqual({
			continue: false,
			suppressOutput: false,
			systemMessage: expect.stringMatching(
				/^╔═+ Agent Type Mismatch ═+╗\n預期使用: \[developer\]\n實際使用: architect\n/,
			),
			hookSpecificOutput: {
				hookEventName: 'PreToolUse',
				permissionDecision: 'deny',
				permissionDecisionReason: 'Agent mismatch: architect not in expected [developer]',
			},
		});
	});

	it('R15 leaves out continue in the form deny', () => {
		const { output, held } = respond(call('architect'), run(), memoryPorts({ [PLAN]: plan(), [CONFIG]: denyForm }));
		expect(output).not.toHaveProperty('continue');
		expect(output).toMatchObject({ suppressOutput: false, hookSpecificOutput: { permissionDecision: 'deny' } });
		expect(held?.decision).toMatchObject({ decision: 'deny' });
		expect(held?.decision).not.toHaveProperty('endsTurn');
	});

	it('R2 prints nothing for any other tool', () => {
		const files = { [PLAN]: plan() };
		for (const tool of ['Bash', 'Write', 'task', 'agent', 'TaskCreate', 'mcp__x__Agent']) {
			expect(respond(call('architect', { tool_name: tool }), run(), memoryPorts(files)).output).toBeNull();
		}
		const post = call('architect', { hook_event_name: 'PostToolUse', tool_response: {} });
		expect(respond(post, run(), memoryPorts(files)).output).toBeNull();
	});

	it.each(['not-regular', 'outside', 'too-large', 'unreadable', '{"status":', '[]', '{"status":"pending"}'])(
		'R17 allows and says why when the plan is %s',
		(content) => {
			const { output } = respond(call('architect'), run(), memoryPorts({ [PLAN]: content }));
			expect(output).toMatchObject({ ...ALLOW, systemMessage: expect.stringContaining('could not be read: it ') });
		},
	);

	it('R21 judges nothing and prints nothing when the person switched the gate off', () => {
		const ports = memoryPorts({ [PLAN]: plan(), '~/config.json': '{"gates":{"routing":{"enabled":false}}}' });
		expect(respond(call('architect'), run(), ports).output).toBeNull();
		expect(ports.all().map((event) => event.type)).toEqual(['tool:call', 'routing:plan', 'agent:delegate']);
	});
});

describe('what a call leaves in the timeline', () => {
	it('R19 R20 a denial: call, plan, verdict with facts, mismatch, no start', () => {
		const ports = memoryPorts({ [PLAN]: plan() });
		const answer = respond(call('core:Architect'), run(), ports);
		expect(ports.all().map((event) => event.type)).toEqual([
			'tool:call',
			'routing:plan',
			'gate:verdict',
			'routing:mismatch',
		]);
		expect(ports.all()[2]).toMatchObject({
			gate: 'routing-plan',
			decision: 'deny',
			rule: 'routing.agent-in-plan',
			form: 'stop',
			answer: { decision: 'deny', endsTurn: true, message: answer.output?.systemMessage },
			facts: {
				project: '/shop',
				subagentType: 'core:Architect',
				actual: 'architect',
				planId: 'route-123',
				expected: ['developer'],
			},
		});
		expect(ports.all()[3]).toMatchObject({ planId: 'route-123', actual: 'architect', expected: ['developer'] });
		expect(ports.all().every((event) => isKnown(parseEvent(event) ?? ({ unknown: true } as never)))).toBe(true);
	});

	it('R19 a pass: verdict and start', () => {
		const ports = memoryPorts({ [PLAN]: plan() });
		const input = call('Developer');
		respond(input, run(), ports);
		expect(ports.all().slice(2)).toMatchObject([
			{ type: 'gate:verdict', decision: 'pass' },
			{
				type: 'agent:delegate',
				agent: 'developer',
				subagentType: 'Developer',
				description: 'Do it',
				toolUseId: input.tool_use_id,
			},
		]);
	});

	it('R19 the first line of a timeline says where the session is, later ones do not', () => {
		const ports = memoryPorts({});
		for (const id of ['t1', 't2']) {
			const bash = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: id };
			respond({ session_id: 's1', cwd: '/home/dev/shop', hook_event_name: 'PreToolUse', ...bash }, run(), ports);
		}
		expect(ports.all().map(({ cwd, project }) => [cwd, project])).toEqual([
			['/home/dev/shop', 'shop'],
			[undefined, undefined],
		]);
	});

	it('R20 records each content of the plan once', () => {
		const ports = memoryPorts({ [PLAN]: plan() });
		const countPlanEvents = () => ports.all().filter((event) => event.type === 'routing:plan').length;
		const at = (hook: string) => respond({ session_id: 's1', cwd: '/shop', hook_event_name: hook }, run(), ports);
		at('SessionStart');
		at('UserPromptSubmit');
		respond(call('developer'), run(), ports);
		expect(countPlanEvents()).toBe(1);
		ports.files.set(PLAN, plan('completed'));
		respond(call('developer', { tool_name: 'Bash' }), run(), ports);
		expect(countPlanEvents()).toBe(1);
		at('Stop');
		expect(countPlanEvents()).toBe(2);
	});

	it('R22 a repeated request appends nothing and prints the recorded answer', () => {
		const ports = memoryPorts({ [PLAN]: plan() });
		const [input, again] = [call('architect'), run()];
		const first = respond(input, again, ports);
		const count = ports.all().length;
		expect(respond(input, again, ports)).toMatchObject({ output: first.output, repeated: true });
		expect(respond(input, run(), ports)).toMatchObject({ output: first.output, repeated: true });
		expect(ports.all()).toHaveLength(count);
		const other = respond({ ...input, tool_input: { subagent_type: 'developer' } }, run(), ports);
		expect(other).not.toHaveProperty('repeated');
		expect(other.output).toEqual(ALLOW);
		const inside = respond({ ...input, agent_id: 'a1' }, run(), ports);
		expect(inside.repeated).toBeUndefined();
	});

	it('R22 an id that is used again for another home’s file of the same name is another call', () => {
		const ports = memoryPorts();
		const read = (path: string) =>
			call(undefined, { tool_name: 'Read', tool_input: { file_path: path }, tool_use_id: 't' });
		respond(read('/home/one/notes'), run(), ports);
		expect(respond(read('/home/one/notes'), run(), ports)).toMatchObject({ repeated: true });
		expect(respond(read('/home/two/notes'), run(), ports)).not.toHaveProperty('repeated');
	});
});

describe('every hook', () => {
	const events = [...Object.keys(clientEvents), 'WorktreeCreate', 'WorktreeRemove', 'SomethingNew'];

	it.each(events)('R6 records %s', (hook) => {
		const ports = memoryPorts();
		const answer = respond(
			{ session_id: 's1', cwd: '/shop', hook_event_name: hook, final: true, delta: 'x' },
			run(),
			ports,
		);
		expect(answer.output).toBeNull();
		expect(ports.all().length).toBeGreaterThan(0);
		for (const event of ports.all()) expect(parseEvent(event)).not.toHaveProperty('unknown');
	});

	it('R6 says nothing of a message that is not final', () => {
		const ports = memoryPorts();
		respond({ session_id: 's1', hook_event_name: 'MessageDisplay', final: false, delta: 'x' }, run(), ports);
		expect(ports.all()).toEqual([]);
	});

	it('R6 reads branch, project and pid at the start of a session', () => {
		const ports = memoryPorts({ '/shop/.git/HEAD': 'ref: refs/heads/feat/cart\n' });
		respond(
			{ session_id: 's1', cwd: '/shop', hook_event_name: 'SessionStart', source: 'startup' },
			run({ clientPid: 42 }),
			ports,
		);
		expect(ports.all()[0]).toMatchObject({
			type: 'session:start',
			project: 'shop',
			branch: 'feat/cart',
			pid: 42,
			source: 'startup',
		});
		const linked = memoryPorts({
			'/shop/.git': 'gitdir: /repo/.git/worktrees/w\n',
			'/repo/.git/worktrees/w/HEAD': 'ref: refs/heads/w\n',
		});
		respond({ session_id: 's1', cwd: '/shop', hook_event_name: 'SessionStart' }, run(), linked);
		expect(linked.all()[0]).toMatchObject({ branch: 'w' });
	});

	it.each([
		[{ '/shop/.git/HEAD': 'ref: refs/heads/main\n' }, 'main'],
		[{ '/shop/.git': 'gitdir: ../repo/.git/worktrees/w\n', '/repo/.git/worktrees/w/HEAD': 'ref: refs/heads/w\n' }, 'w'],
		// The nearest repository counts, also if its branch cannot be told.
		[{ '/shop/.git/HEAD': 'ref: refs/heads/main\n', '/shop/packages/.git/HEAD': `${'a'.repeat(40)}\n` }, undefined],
		[{}, undefined],
	])('R6 a package of a monorepo has the branch of the repository around it: %j', (files, branch) => {
		const ports = memoryPorts({ '/shop/packages/cart/package.json': '{}', ...files });
		respond({ session_id: 's1', cwd: '/shop/packages/cart', hook_event_name: 'SessionStart' }, run(), ports);
		expect(ports.all()[0]).toMatchObject({ project: 'cart' });
		expect((ports.all()[0] as { branch?: string } | undefined)?.branch).toBe(branch);
	});

	it("R6 distinguishes a prompt of the client itself from a person's", () => {
		const ports = memoryPorts();
		for (const prompt of ['hello', '<task-notification>\ndone']) {
			respond({ session_id: 's1', hook_event_name: 'UserPromptSubmit', prompt }, run(), ports);
		}
		expect(ports.all()).toMatchObject([{ source: 'user' }, { source: 'task' }]);
	});

	it("R6 binds a started agent to its call by the client's meta file", () => {
		const ports = memoryPorts({ '/t/s1/subagents/agent-a7.meta.json': '{"toolUseId":"toolu_9"}' });
		const start = {
			session_id: 's1',
			hook_event_name: 'SubagentStart',
			agent_id: 'a7',
			agent_type: 'x:Dev',
			transcript_path: '/t/s1.jsonl',
		};
		respond(start, run(), ports);
		respond({ ...start, hook_event_name: 'SubagentStop', agent_type: '' }, run(), ports);
		respond({ ...start, hook_event_name: 'SubagentStop', last_assistant_message: 'done' }, run(), ports);
		respond({ ...start, hook_event_name: 'StopFailure', error: 'boom' }, run(), ports);
		expect(ports.all()).toMatchObject([
			{ type: 'agent:start', agent: 'dev', agentId: 'a7', toolUseId: 'toolu_9' },
			{ type: 'hook:event', name: 'SubagentStop' },
			{ type: 'agent:complete', agent: 'dev', message: 'done' },
			{ type: 'agent:error', agent: 'dev', reason: 'boom' },
		]);
	});

	it('R6 records which agent a call started, and whether it continues in the background', () => {
		const ports = memoryPorts();
		const post = { hook_event_name: 'PostToolUse', tool_response: { status: 'async_launched', agentId: 'a7' } };
		respond(call('dev', post), run(), ports);
		expect(ports.all()[0]).toMatchObject({ type: 'tool:result', startedAgentId: 'a7', background: true });
	});

	it('R6 records the todos and the ids of a batch', () => {
		const ports = memoryPorts();
		const todos = [{ content: 'a', status: 'pending', activeForm: 'doing a' }, 'junk'];
		respond(
			{ ...call(''), hook_event_name: 'PostToolUse', tool_name: 'TodoWrite', tool_input: { todos } },
			run(),
			ports,
		);
		respond(
			{ session_id: 's1', hook_event_name: 'PostToolBatch', tool_calls: [{ tool_use_id: 't1', tool_input: 1 }, null] },
			run(),
			ports,
		);
		expect(ports.all().slice(1)).toMatchObject([
			{ type: 'todo:update', todos: [{ content: 'a', status: 'pending', activeForm: 'doing a' }] },
			{ type: 'hook:event', fields: { tool_use_ids: ['t1'] } },
		]);
	});
});

describe('bad input', () => {
	const bad = ['', ' ', '{', '[]', 'null', '"x"', '{"a":1}{"b":2}', '\u0000', 'x'.repeat(100_000)];
	const answers: [Profile, unknown][] = [
		['observe', null],
		['open', { continue: true, systemMessage: expect.stringContaining('Signalbox: the hook input is') }],
		['closed', { hookSpecificOutput: { permissionDecision: 'deny' } }],
		['supervisor', null],
	];
	it.each(answers)('R3 gives the answer of the profile %s', (profile, output) => {
		for (const raw of bad) {
			const ports = memoryPorts();
			const answer = respond(raw, run({ profile }), ports);
			if (output === null) expect(answer.output).toBeNull();
			else expect(answer.output).toMatchObject(output as object);
			expect(answer.refusal !== undefined).toBe(profile === 'supervisor');
			expect(ports.timelines.get('_home')).toMatchObject([{ type: 'system:warning', code: 'hook/bad-input' }]);
			expect([...ports.blobs.values()]).toEqual(raw === '' ? [] : [raw]);
		}
	});

	it('puts unsafe session ids under _home with a warning', () => {
		for (const id of ['../../etc', 'a/b', '.', 'x'.repeat(129), 5, {}, 'a\u0000']) {
			const ports = memoryPorts();
			respond({ session_id: id, hook_event_name: 'Stop' }, run(), ports);
			expect([...ports.timelines.keys()]).toEqual(['_home']);
			expect(ports.all()).toMatchObject([
				{ type: 'hook:event' },
				{ type: 'system:warning', code: 'hook/unsafe-session-id' },
			]);
		}
	});

	it('R9 cuts nested input that is too deep, records it, and judges all the same', () => {
		const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
		const raw = `{"session_id":"s1","cwd":"/shop","tool_name":"Task","tool_use_id":"t1","tool_input":{"subagent_type":"architect","x":${deep}}}`;
		const ports = memoryPorts({ [PLAN]: plan() });
		expect(respond(raw, run(), ports).output).toMatchObject({ continue: false });
		expect(ports.all()).toContainEqual(expect.objectContaining({ type: 'system:warning', code: 'hook/too-deep' }));
	});

	it('R24 moves what is too large to blobs and keeps the rest readable', () => {
		const ports = memoryPorts();
		const content = 'é'.repeat(1_000_000);
		respond(call('', { tool_name: 'Write', tool_input: { file_path: '/shop/a.txt', content } }), run(), ports);
		const [event] = ports.all();
		expect(event?.input).toMatchObject({
			file_path: '/shop/a.txt',
			content: { bytes: 2_000_000, preview: expect.any(String) },
		});
		expect([...ports.blobs.values()]).toEqual([content]);
		const hostile = Array.from({ length: 20_000 }, (_, n) => [`k${n}`, 'v'.repeat(20)]);
		respond({ session_id: 's1', hook_event_name: 'New', ...Object.fromEntries(hostile) }, run(), ports);
		respond({ session_id: 's1', hook_event_name: 'UserPromptSubmit', prompt: content }, run(), ports);
		respond({ session_id: 's1', hook_event_name: 'Notification', message: '\u0001'.repeat(50_000) }, run(), ports);
		for (const sealed of ports.all()) {
			expect(Buffer.byteLength(`\n${JSON.stringify(sealed)}\n`)).toBeLessThanOrEqual(64 * 1024);
			expect(parseEvent(sealed)).not.toHaveProperty('unknown');
		}
	});

	it('R24 records a plan of thousands of tasks in one line', () => {
		const tasks = Array.from({ length: 4000 }, (_, n) => ({
			id: `t${n}`,
			agent: `工程師${n}`,
			description: '說'.repeat(400),
			status: 'pending',
		}));
		const ports = memoryPorts({ [PLAN]: JSON.stringify({ planId: 'p', status: 'pending', phases: [{ tasks }] }) });
		respond(call('architect'), run(), ports);
		const planEvent = ports.all().find((event) => event.type === 'routing:plan');
		expect(planEvent).toHaveProperty('phases.0.tasks.40');
		for (const event of ports.all()) expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(64 * 1024);
		for (const event of ports.all()) expect(parseEvent(event)).not.toHaveProperty('unknown');
	});

	it('R7 keeps the verdict when nothing can be written', () => {
		const ports = memoryPorts({ [PLAN]: plan() });
		ports.append = () => {
			throw new Error('ENOSPC: no space left');
		};
		const denied = respond(call('architect'), run(), ports);
		expect(denied.output).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
		expect(denied.held).toBeUndefined();
		const bash = respond(call('', { tool_name: 'Bash' }), run(), ports);
		expect(bash.output).toMatchObject({ continue: true, systemMessage: expect.stringContaining('ENOSPC') });
		expect(respond(call('', { tool_name: 'Bash' }), run({ profile: 'closed' }), ports).output).toMatchObject({
			hookSpecificOutput: { permissionDecision: 'deny' },
		});
	});

	it('records once a session which environment values were left out', () => {
		const ports = memoryPorts();
		for (const hook of ['SessionStart', 'Stop']) {
			respond({ session_id: 's1', hook_event_name: hook }, run({ dropped: ['CLAUDE_PROJECT_DIR'] }), ports);
		}
		expect(ports.all().filter((event) => event.code === 'hook/dropped-environment')).toHaveLength(1);
	});

	it('a client without call ids: a call and its result get one id, other hooks none', () => {
		const ports = memoryPorts();
		const hook = (name: string, fields: object = {}) =>
			respond({ session_id: 'g1', cwd: '/shop', hook_event_name: name, ...fields }, run({ agent: 'gemini' }), ports);
		const tool = { tool_name: 'run_shell_command', tool_input: { command: 'ls' } };
		hook('BeforeAgent', { prompt: 'list the files' });
		hook('BeforeTool', tool);
		hook('AfterTool', { ...tool, tool_response: { llmContent: 'a.txt' } });
		hook('BeforeTool', tool);
		const idsOf = (type: string) => ports.all().flatMap((event) => (event.type === type ? [event.toolUseId] : []));
		const [first, second] = idsOf('tool:call');
		expect([first, second]).toEqual([expect.any(String), expect.any(String)]);
		expect(first).not.toBe(second);
		expect(idsOf('tool:result')).toEqual([first]);
		expect(idsOf('prompt:submit')).toEqual([undefined]);
	});
});
