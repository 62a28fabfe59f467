import { afterEach, expect, test } from 'vitest';
import { adapterOf } from '#hooks-bridge/agents/adapter-of.ts';
import { memoryPorts } from '#hooks-bridge/testing/memory-ports.ts';
import { answerAll, pageOf, recordedInputs } from '#hooks-bridge/testing/recorded-agent.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { emptyView } from '#lib/session/fold.ts';
import { operator, type ServiceRig, startService } from '../testing/service-rig.ts';
import type { TailBatch } from '../timeline/tail/session-reader.ts';
import { pairPrompt, watchPrompts } from './permission-watch.ts';

const rigs: ServiceRig[] = [];
async function openRig(options: Parameters<typeof startService>[0] = {}): Promise<ServiceRig> {
	const rig = await startService(options);
	rigs.push(rig);
	return rig;
}
afterEach(async () => {
	await Promise.all(rigs.splice(0).map((rig) => rig.stop()));
});

const suggestions = [
	{
		type: 'addRules',
		rules: [{ toolName: 'Bash', ruleContent: 'touch:*' }],
		behavior: 'allow',
		destination: 'localSettings',
	},
	{ type: 'setMode', mode: 'acceptEdits', destination: 'session' },
];
const prompt = (project: string, extra: object = {}) => ({
	session_id: 's1',
	cwd: project,
	hook_event_name: 'PermissionRequest',
	tool_name: 'Bash',
	tool_input: { command: 'touch made.txt' },
	permission_suggestions: suggestions,
	...extra,
});
async function held(rig: ServiceRig, extra?: object) {
	const polled = rig.next<string>('waiting');
	const { printed } = rig.hook(prompt(rig.project, extra));
	return { id: await polled, printed };
}
const answerIn = (text: string) => JSON.parse(text).hookSpecificOutput;

test('R620 the client’s own prompt waits for a person; approved, denied and stopped in the client’s words', async () => {
	const rig = await openRig();
	const one = await held(rig);
	expect(rig.service.get(one.id)).toMatchObject({ state: 'waiting', tool: 'Bash', denials: [], suggestions });
	await rig.service.decide(one.id, { decision: 'approve' }, operator);
	expect(answerIn((await one.printed).stdout)).toEqual({
		hookEventName: 'PermissionRequest',
		decision: { behavior: 'allow' },
	});
	const two = await held(rig);
	await rig.service.decide(two.id, { decision: 'deny', reason: 'not here', stop: true }, operator);
	expect(answerIn((await two.printed).stdout).decision).toEqual({
		behavior: 'deny',
		message: 'Denied in Signalbox by an operator: "not here"',
		interrupt: true,
	});
	const three = await held(rig);
	const updatedInput = { command: 'touch other.txt' };
	await rig.service.decide(three.id, { decision: 'approve', updatedInput }, operator);
	expect(answerIn((await three.printed).stdout).decision).toEqual({ behavior: 'allow', updatedInput });
});

test('an approved plan gets its own input back, without which the client asks once more; a denied one does not', async () => {
	const rig = await openRig();
	const plan = { plan: '# The plan', planFilePath: '/home/me/.claude/plans/calm.md' };
	const leaves = { tool_name: 'ExitPlanMode', tool_input: plan, permission_suggestions: undefined };
	const one = await held(rig, leaves);
	await rig.service.decide(one.id, { decision: 'approve' }, operator);
	expect(answerIn((await one.printed).stdout).decision).toEqual({ behavior: 'allow', updatedInput: plan });
	const two = await held(rig, leaves);
	await rig.service.decide(two.id, { decision: 'deny' }, operator);
	expect(answerIn((await two.printed).stdout).decision).not.toHaveProperty('updatedInput');
});

test('R620 the gates judge an edited prompt: what they deny is not allowed', async () => {
	const rig = await openRig();
	const { id, printed } = await held(rig, { tool_name: 'Task', tool_input: { subagent_type: 'developer' } });
	const updatedInput = { subagent_type: 'architect' };
	const refusal = await rig.service.decide(id, { decision: 'approve', updatedInput }, operator).catch((error) => error);
	expect(refusal).toMatchObject({
		code: 'approval/edit-denied',
		message: expect.stringContaining('Agent mismatch: architect not in expected [developer]'),
		denials: [{ rule: 'routing.agent-in-plan' }],
	});
	expect(rig.service.get(id)).toMatchObject({ state: 'waiting' });
	const despite = { decision: 'approve', updatedInput, overrides: refusal.denials } as const;
	await rig.service.decide(id, despite, operator);
	expect(answerIn((await printed).stdout).decision).toEqual({ behavior: 'allow', updatedInput });
	expect(rig.timeline().find(({ type }) => type === 'approval:resolve')).toMatchObject({
		overrides: [{ rule: 'routing.agent-in-plan', reason: expect.stringContaining('architect') }],
	});
});

test('only what the client itself suggested becomes a rule', async () => {
	const rig = await openRig();
	const { id, printed } = await held(rig);
	await expect(rig.service.decide(id, { decision: 'approve', suggestions: [2] }, operator)).rejects.toMatchObject({
		code: 'request/invalid',
	});
	await rig.service.decide(id, { decision: 'approve', suggestions: [0] }, operator);
	expect(answerIn((await printed).stdout).decision).toEqual({
		behavior: 'allow',
		updatedPermissions: [suggestions[0]],
	});
	const resolved = rig.timeline().find(({ type }) => type === 'approval:resolve');
	expect(resolved).toMatchObject({ suggestions: [suggestions[0]] });
});

test('R620 if nobody answers, nothing is printed, so that the terminal’s dialog remains', async () => {
	const rig = await openRig();
	const { id, printed } = await held(rig);
	await rig.advance(121_000);
	expect(await printed).toEqual({ stdout: '', code: 0 });
	expect(rig.service.get(id)?.state).toBe('expired');
});

const question = {
	tool_name: 'AskUserQuestion',
	tool_input: {
		questions: [{ question: 'Which colour?', header: 'Colour', options: [{ label: 'Red' }, { label: 'Blue' }] }],
	},
	permission_suggestions: undefined,
};

test('R620 a question of the client is answered in the browser; a bare approval, which would skip it, is refused', async () => {
	const rig = await openRig();
	const { id, printed } = await held(rig, question);
	for (const body of [{}, { updatedInput: question.tool_input }]) {
		await expect(rig.service.decide(id, { decision: 'approve', ...body }, operator)).rejects.toMatchObject({
			code: 'request/invalid',
			message: expect.stringContaining('Answer every question'),
		});
	}
	await rig.service.decide(id, { decision: 'answer', updatedInput: { answers: { 'Which colour?': 'Red' } } }, operator);
	const updatedInput = { ...question.tool_input, answers: { 'Which colour?': 'Red' } };
	expect(answerIn((await printed).stdout).decision).toEqual({ behavior: 'allow', updatedInput });
	expect(rig.service.get(id)).toMatchObject({ state: 'answered' });
	const two = await held(rig, question);
	await rig.service.decide(two.id, { decision: 'deny', reason: 'ask nobody' }, operator);
	expect(answerIn((await two.printed).stdout).decision).toMatchObject({
		behavior: 'deny',
		message: expect.stringContaining('ask nobody'),
	});
});

test('R620 a switched off setting and a missing operator hold nothing', async () => {
	const alone = await openRig({ presence: () => 'nobody' });
	expect((await alone.hook(prompt(alone.project)).printed).stdout).toBe('');
});

test('the card closes when its actor continues; notices, its own lines and other actors do not close it', async () => {
	const rig = await openRig();
	const { id, printed } = await held(rig, { agent_id: 'a1' });
	let pushBatch: (batch: TailBatch) => void = () => undefined;
	watchPrompts(
		(listener) => {
			pushBatch = listener;
			return () => true;
		},
		rig.service,
		() => undefined,
	);
	const later = new Date(Date.now() + 1000).toISOString();
	const event = (type: string, more: object = {}) =>
		({
			id: 'e',
			ts: later,
			seq: 1,
			sessionId: 's1',
			category: '',
			label: '',
			agentId: 'a1',
			type,
			...more,
		}) as unknown as IndexedEvent;
	const batch = (...events: IndexedEvent[]): TailBatch => ({
		sessionId: 's1',
		epoch: 'epoch-1',
		events,
		rows: [],
		view: emptyView('s1'),
	});
	pushBatch(
		batch(
			event('session:notice', { message: 'x' }),
			event('approval:request'),
			event('tool:result', { agentId: 'a2', tool: 'Read' }),
		),
	);
	pushBatch(batch(event('tool:call', { ts: '2020-01-01T00:00:00.000Z', tool: 'Bash' })));
	await rig.service.sweep();
	expect(rig.service.get(id)?.state).toBe('waiting');
	pushBatch(batch(event('tool:result', { tool: 'Bash' })));
	expect(await printed).toEqual({ stdout: '', code: 0 });
	expect(rig.service.get(id)).toMatchObject({ state: 'abandoned', reason: 'it was answered in the terminal' });
	const cut = await held(rig);
	pushBatch(batch(event('session:end', { agentId: undefined, reason: 'other' })));
	expect(await cut.printed).toEqual({ stdout: '', code: 0 });
	expect(rig.service.get(cut.id)).toMatchObject({ state: 'abandoned', reason: 'the session ended' });
});

test('a prompt belongs to the newest open call of its actor with the same tool and input', () => {
	const call = (toolUseId: string, seq: number, more: object = {}) => ({
		toolUseId,
		seq,
		at: '',
		tool: 'Bash',
		title: '',
		verdicts: [],
		...more,
	});
	const view = {
		...emptyView('s1'),
		calls: [call('t1', 1), call('t2', 2), call('t3', 3, { agentId: 'a1' }), call('t4', 4, { evidence: 'ran' })],
	} as SessionView;
	const inputs: Record<string, unknown> = { t1: { a: 1, b: 2 }, t2: { a: 2 }, t3: { a: 1, b: 2 }, t4: { a: 1, b: 2 } };
	const index = {
		events: (sessionId: string, { row = '' }: { row?: string }): IndexedEvent[] => [
			{
				id: 'e',
				ts: '',
				seq: 1,
				sessionId,
				category: '',
				label: '',
				type: 'tool:call',
				tool: 'Bash',
				input: inputs[row.slice(5)],
			},
		],
	};
	const hook = { at: 'permission' };
	const prompt = { sessionId: 's1', tool: 'Bash', input: { b: 2, a: 1 }, hook } as Parameters<typeof pairPrompt>[0];
	expect(pairPrompt(prompt, { viewOf: () => view, index })).toBe('t1');
	expect(pairPrompt({ ...prompt, agentId: 'a1' }, { viewOf: () => view, index })).toBe('t3');
	expect(pairPrompt({ ...prompt, input: { a: 9 } }, { viewOf: () => view, index })).toBeUndefined();
});

test('each prompt of the real Copilot CLI, which sends part of an input and every edit as one tool’s, belongs to its call', () => {
	const ports = memoryPorts();
	const calls = () => ports.all().filter(({ type }) => type === 'tool:call');
	const paired = recordedInputs('copilot').flatMap(({ registered, input }) => {
		answerAll('copilot', [input], ports);
		const read = adapterOf('copilot').read(input);
		if (registered !== 'permissionRequest' || !read.ok || read.hook.at !== 'permission') return [];
		const { hook } = read;
		const { sessionId, agentId } = hook;
		const held = { sessionId, agentId, tool: hook.call.tool, input: hook.call.input, hook };
		const found = pairPrompt(held as Parameters<typeof pairPrompt>[0], {
			viewOf: (id) => pageOf(ports, id).view,
			index: {
				events: (_, { row = '' }) =>
					calls().filter(({ toolUseId }) => `call:${toolUseId}` === row) as unknown as IndexedEvent[],
			},
		});
		expect(found).toBe(calls().at(-1)?.toolUseId);
		return [`${hook.call.tool} for ${calls().at(-1)?.tool}`];
	});
	expect(paired.length).toBeGreaterThan(6);
	expect(paired).toContain('edit for create');
});
