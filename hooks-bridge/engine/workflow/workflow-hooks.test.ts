import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseEvent } from '#lib/contract/events/event.ts';
import { isKnown } from '#lib/contract/events/event-labels.ts';
import { agentOfStage } from '#lib/workflow/next-step.ts';
import { stageKeys, workflows } from '#lib/workflow/registry.ts';
import { makeWorkflowRig, SESSION, type WorkflowRig } from '../../testing/workflow-rig.ts';
import { commitRelease, release } from '../release.ts';
import { pauseWorkflow, resumeWorkflow, stopLoop, stopWorkflow } from './run-workflow.ts';

let rig: WorkflowRig;
beforeEach(() => {
	rig = makeWorkflowRig();
});
afterEach(() => {
	for (const event of rig.recorded()) expect(isKnown(parseEvent(event) as never), JSON.stringify(event)).toBe(true);
	rig.remove();
});

const SEED_TYPES = [
	...['workflow:start', 'workflow:complete', 'workflow:abort', 'stage:start', 'stage:complete', 'stage:retry'],
	...['agent:delegate', 'agent:complete', 'agent:error', 'loop:start', 'loop:advance', 'loop:complete'],
	...['handoff:create', 'parallel:start', 'parallel:converge', 'grader:score', 'specs:init', 'specs:archive'],
	...['error:fatal', 'session:start', 'session:end', 'session:compact'],
];
const agentsOf = (type: string) =>
	stageKeys(workflows[type as keyof typeof workflows].stages).map((key) => [key, agentOfStage(key)] as const);
const decisionOf = (answer: { output: unknown }) =>
	(answer.output as { hookSpecificOutput?: { permissionDecision?: string } } | null)?.hookSpecificOutput
		?.permissionDecision;
const since = (from: number, type: string) =>
	rig
		.recorded()
		.slice(from)
		.filter((event) => event.type === type);

describe('R270 seed 001: a workflow through its hooks', () => {
	it.each(Object.keys(workflows))('R270 %s runs from its start to workflow:complete', (type) => {
		expect(rig.start(type, 'user-login')).toMatchObject({ ok: true, how: 'started' });
		for (const [key, agent] of agentsOf(type)) {
			expect(rig.stop().output).toMatchObject({ decision: 'block', reason: expect.stringContaining(agent) });
			const { asked, ended, after } = rig.runAgent(agent);
			expect(decisionOf(asked)).toBe('allow');
			expect(ended.output).toMatchObject({ systemMessage: expect.stringContaining(`${key} ended with PASS`) });
			if (after.output) expect(after.output).toMatchObject({ hookSpecificOutput: { hookEventName: 'PostToolUse' } });
		}
		expect(rig.state()).toMatchObject({ workflowType: type, currentStage: null, activeAgents: {}, failCount: 0 });
		const done = rig.stop().output;
		expect(done).toMatchObject({ systemMessage: expect.stringContaining('is complete') });
		expect(done).not.toHaveProperty('decision');
		expect(rig.types().filter((one) => one === 'stage:complete')).toHaveLength(agentsOf(type).length);
		expect(rig.types()).toEqual(expect.arrayContaining(['workflow:complete', 'loop:complete', 'specs:archive']));
		expect(readdirSync(join(rig.project, 'specs/features/archive'))).toEqual(['2026-02-23_user-login']);
		expect(rig.state()).toMatchObject({ ended: { how: 'complete' }, featureName: 'user-login' });
		const count = rig.recorded().length;
		expect(rig.stop().output).toBeNull();
		expect(rig.recorded()).toHaveLength(count + 1);
	});

	function runEverything(): void {
		rig.hook('SessionStart', { source: 'startup', version: '2.1.330' });
		rig.start('standard', 'user-login');
		rig.hook('PreCompact', { trigger: 'manual' });
		rig.stop();
		for (const agent of ['planner', 'architect', 'tester', 'developer']) rig.runAgent(agent);
		rig.ask('code-reviewer');
		rig.hook('SubagentStart', { agent_id: 'x', agent_type: 'ot:code-reviewer' });
		rig.hook('StopFailure', { agent_id: 'x', agent_type: 'ot:code-reviewer', error: 'overloaded' });
		rig.runAgent('code-reviewer', 'REJECT: no tests for the empty cart');
		rig.runAgent('developer');
		for (const agent of ['code-reviewer', 'tester']) rig.runAgent(agent);
		rig.runAgent('grader', 'Scores: {"clarity": 4, "completeness": 5, "actionability": 3}');
		rig.runAgent('retrospective', 'Two issues found');
		rig.runAgent('doc-updater');
		rig.stop();
		rig.start('tdd');
		for (const agent of ['tester', 'developer']) rig.runAgent(agent);
		for (let n = 0; n < 3; n += 1) rig.runAgent('tester', '2 tests failed');
		rig.stop();
		rig.hook('SessionEnd', { reason: 'other' });
	}

	it('R271 all 22 types of seed 001 are really emitted', () => {
		runEverything();
		expect([...new Set(rig.types())].filter((type) => SEED_TYPES.includes(type)).sort()).toEqual(
			[...SEED_TYPES].sort(),
		);
		expect(rig.recorded().find((event) => event.type === 'grader:score')).toMatchObject({
			scores: { clarity: 4, completeness: 5, actionability: 3, overall: 4 },
		});
		expect(rig.recorded().find((event) => event.type === 'session:compact')).toMatchObject({
			workflowType: 'standard',
			currentStage: 'PLAN',
		});
	});

	it('R714 every line has time, type, category and label, and the fields that seed 001 gives its type', () => {
		runEverything();
		for (const event of rig.recorded()) {
			expect(event).toMatchObject({
				ts: expect.stringMatching(/^2026-02-23T14:\d\d:\d\d\.\d{3}Z$/),
				sessionId: SESSION,
			});
			expect(event.category).toBe(event.type.startsWith('loop') ? 'loop' : event.type.split(':')[0]);
			expect(event.label).not.toBe('');
		}
		const text = expect.any(String);
		const took = expect.stringMatching(/^\d+m \d+s$/);
		const shapes: Record<string, object> = {
			'workflow:start': { workflowType: 'standard', stages: workflows.standard.stages, featureName: 'user-login' },
			'workflow:complete': { workflowType: 'standard', duration: took },
			'workflow:abort': { workflowType: 'tdd', failCount: 3, rejectCount: 0, duration: took, reason: text },
			'stage:start': { stage: 'PLAN' },
			'stage:complete': { stage: 'PLAN', result: 'pass' },
			'stage:retry': { stage: 'REVIEW', rejectCount: 1, reason: text },
			'agent:delegate': { agent: 'planner', stage: 'PLAN' },
			'agent:complete': { agent: 'planner', stage: 'PLAN', result: 'pass' },
			'agent:error': { agent: 'code-reviewer', stage: 'REVIEW', reason: 'overloaded' },
			'loop:start': { workflowType: 'standard' },
			'loop:advance': { iteration: 1, progress: '0/8', tasks: '0/7' },
			'loop:complete': { iteration: 1, reason: 'complete' },
			'handoff:create': { from: 'planner', to: 'architect', path: 'handoffs/planner-to-architect.md' },
			'parallel:start': { group: 'quality', stages: ['REVIEW', 'TEST:2'] },
			'parallel:converge': { group: 'quality' },
			'grader:score': { stage: 'TEST:2', agent: 'tester', scores: { overall: 4 } },
			'specs:init': { featureName: 'user-login', featurePath: text, workflowType: 'standard' },
			'specs:archive': { featureName: 'user-login', archivePath: 'specs/features/archive/2026-02-23_user-login' },
			'error:fatal': {
				reason: 'TEST:2 ended with FAIL, number 3 in this workflow; a person must decide how to go on',
				failCount: 3,
			},
			'session:start': { version: '2.1.330', source: 'startup' },
			'session:end': { iteration: 0, reason: 'other' },
			'session:compact': { workflowType: 'standard', currentStage: 'PLAN' },
		};
		expect(Object.keys(shapes).sort()).toEqual([...SEED_TYPES].sort());
		const first = Object.keys(shapes).map((type) => [type, rig.recorded().find((event) => event.type === type)]);
		expect(Object.fromEntries(first)).toMatchObject(shapes);
		const modes = rig
			.recorded()
			.flatMap(({ type, stage, mode }) => (type === 'stage:start' && mode ? [`${stage} ${mode}`] : []));
		expect(modes).toEqual([
			'TEST spec',
			'TEST:2 verify',
			'TEST spec',
			'TEST:2 verify',
			'TEST:2 verify',
			'TEST:2 verify',
		]);
	});

	it.each([
		[
			'{"clarity": 1, "completeness": 5, "actionability": 1}',
			{ clarity: 1, completeness: 5, actionability: 1, overall: 2.33 },
		],
		[
			'first {"clarity": 2, "completeness": 2, "actionability": 2} then {"clarity": 3, "completeness": 3, "actionability": 3}',
			{ overall: 3 },
		],
		['{"stage": "DEV", "clarity": 4, "completeness": 4, "actionability": 5} {"other": 1} {broken', { overall: 4.33 }],
		['{"clarity": 0, "completeness": 5, "actionability": 5}', null],
		['{"clarity": 6, "completeness": 5, "actionability": 5}', null],
		['{"clarity": 4.5, "completeness": 5, "actionability": 5}', null],
		['{"clarity": "5", "completeness": 5, "actionability": 5}', null],
		['{"clarity": 5, "completeness": 5}', null],
		['no scores', null],
	])('R271 a grader that says %s scores the stage that ended last, or the one that it names', (text, scores) => {
		rig.start('quick');
		rig.runAgent('developer');
		rig.runAgent('tester');
		rig.runAgent('grader', text);
		const scored = rig.recorded().filter((event) => event.type === 'grader:score');
		const [stage, agent] = text.includes('DEV') ? ['DEV', 'developer'] : ['TEST', 'tester'];
		expect(scored).toMatchObject(scores === null ? [] : [{ stage, agent, scores }]);
		expect(rig.state()).toMatchObject({ stages: { REVIEW: { status: 'pending' } } });
	});

	it('R714 the session ends when its client reports it, not when its loop ends', () => {
		rig.start('single');
		rig.runAgent('developer');
		rig.stop();
		expect(rig.types()).toContain('loop:complete');
		expect(rig.types()).not.toContain('session:end');
		rig.hook('SessionEnd', { reason: 'clear' });
		expect(rig.types().filter((type) => type === 'session:end')).toHaveLength(1);
	});
});

describe('R272 PreToolUse: the stage guard', () => {
	it('R272 skipping a required stage is denied so that the model can read why, and may be held', () => {
		rig.start('standard');
		const denied = rig.ask('developer');
		expect(denied.output).toEqual({
			suppressOutput: false,
			systemMessage: expect.stringContaining('would skip PLAN, ARCH, TEST'),
			hookSpecificOutput: {
				hookEventName: 'PreToolUse',
				permissionDecision: 'deny',
				permissionDecisionReason: 'DEV would skip PLAN, ARCH, TEST of the workflow standard. Delegate planner first',
			},
		});
		expect(denied.held).toMatchObject({
			decision: { decision: 'deny' },
			denials: [{ gate: 'stage-guard', rule: 'stage.skips-required' }],
			facts: { stage: 'DEV', expected: ['planner'] },
		});
		expect(rig.types()).not.toContain('agent:delegate');
		expect(rig.state()).toMatchObject({ stages: { DEV: { status: 'pending' } } });
	});

	it('R272 neither the order in a group nor code written by the main agent is denied', () => {
		rig.start('quick');
		expect(rig.hook('PreToolUse', { tool_name: 'Write', tool_use_id: 'w', tool_input: {} }).output).toBeNull();
		rig.runAgent('developer');
		expect(decisionOf(rig.ask('tester'))).toBe('allow');
		expect(decisionOf(rig.ask('code-reviewer'))).toBe('allow');
		expect(rig.types().filter((type) => type === 'parallel:start')).toHaveLength(1);
		expect(rig.state()).toMatchObject({
			activeAgents: { tester: { stage: 'TEST' }, 'code-reviewer': { stage: 'REVIEW' } },
			stages: { REVIEW: { status: 'active' }, TEST: { status: 'active', mode: 'verify' } },
		});
		expect(decisionOf(rig.ask('retrospective'))).toBe('allow');
	});

	it('R272 composes with the routing plan: either denial applies, and both are listed', () => {
		const phases = [{ tasks: [{ agent: 'tester', status: 'pending' }] }];
		rig.writeFile('shop/.vibe-engine/routing-state.json', JSON.stringify({ planId: 'p', status: 'pending', phases }));
		rig.start('quick');
		expect(rig.ask('developer').held?.denials.map(({ gate }) => gate)).toEqual(['routing-plan']);
		expect(rig.ask('tester').held?.denials.map(({ gate }) => gate)).toEqual(['stage-guard']);
		const both = rig.ask('code-reviewer');
		expect(both.held?.denials.map(({ gate }) => gate)).toEqual(['routing-plan', 'stage-guard']);
		expect(both.output).toMatchObject({ continue: false });
	});

	it('R272 an approved start begins its stage only with the decision, and other denials remain', () => {
		rig.start('standard');
		const { held } = rig.ask('developer', 'toolu_held');
		if (!held) throw new Error('not held');
		expect(release({ ...held, denials: [] }, { decision: 'approve' }, rig.ports).repeatedDenial).toMatchObject({
			gate: 'stage-guard',
		});
		expect(rig.types()).not.toContain('stage:start');
		const released = release(held, { decision: 'approve', reason: 'a hotfix' }, rig.ports);
		commitRelease(held, released, rig.ports);
		expect(released).toMatchObject({ output: { hookSpecificOutput: { permissionDecision: 'allow' } } });
		expect(rig.recorded().slice(-2)).toMatchObject([{ type: 'agent:delegate', stage: 'DEV' }, { type: 'stage:start' }]);
		rig.hook('SubagentStop', { agent_id: 'a', agent_type: 'developer', last_assistant_message: 'done' });
		expect(rig.state()).toMatchObject({ stages: { DEV: { status: 'completed' }, PLAN: { status: 'pending' } } });
	});

	it('R272 is silent when it is switched off, and for agents of no stage', () => {
		rig.start('quick');
		expect(decisionOf(rig.ask('explorer'))).toBe('allow');
		rig.writeFile('home/config.json', '{"gates":{"stageGuard":{"enabled":false}}}');
		expect(decisionOf(rig.ask('tester'))).toBe('allow');
	});

	it('R272 a call that the client could not start frees its stage', () => {
		rig.start('single');
		rig.ask('developer', 'toolu_x');
		expect(rig.state()).toMatchObject({ stages: { DEV: { status: 'active' } } });
		rig.hook('PostToolUseFailure', { tool_name: 'Agent', tool_use_id: 'toolu_x', error: 'unknown agent' });
		rig.stop();
		expect(rig.state()).toMatchObject({ stages: { DEV: { status: 'pending' } }, activeAgents: {} });
	});
});

describe('R273 SubagentStop: verdict, retry and limits', () => {
	it.each([
		['FAIL', 'tester', '3 tests failed', 'failCount', 'debugger'],
		['REJECT', 'code-reviewer', 'REJECT: the cart leaks', 'rejectCount', 'developer'],
	])('R273 %s opens the stage again and at the third time a person must decide', (_, agent, message, count, helper) => {
		rig.start('quick');
		rig.runAgent('developer');
		for (const attempt of [1, 2, 3]) {
			const from = rig.recorded().length;
			const { ended } = rig.runAgent(agent, message);
			expect(rig.state()).toMatchObject({ [count]: attempt });
			if (attempt < 3) {
				expect(since(from, 'stage:retry')).toMatchObject([{ [count]: attempt, reason: message }]);
				expect(ended.output).toMatchObject({ systemMessage: expect.stringContaining(helper) });
			} else {
				expect(since(from, 'stage:retry')).toEqual([]);
				expect(since(from, 'error:fatal')).toMatchObject([{ [count]: 3 }]);
				expect(ended.output).toMatchObject({ systemMessage: expect.stringContaining('ask the person') });
			}
		}
		expect(rig.stop().output).toMatchObject({ systemMessage: expect.stringContaining('aborted') });
		expect(rig.types()).toContain('workflow:abort');
		expect(rig.types()).not.toContain('workflow:complete');
	});

	it('R273 ISSUES record no retry and leave the way to the end open; doing it again is one, and the third time is the limit', () => {
		rig.start('quick');
		for (const agent of ['developer', 'code-reviewer', 'tester']) rig.runAgent(agent);
		rig.runAgent('retrospective', 'One issue and an improvement');
		expect(rig.types()).not.toContain('stage:retry');
		expect(rig.state()).toMatchObject({ retroCount: 1, stages: { RETRO: { status: 'completed', result: 'issues' } } });
		for (let n = 0; n < 2; n += 1) rig.runAgent('retrospective', 'More issues');
		expect(rig.types().filter((type) => type === 'stage:retry')).toHaveLength(2);
		expect(rig.state()).toMatchObject({ stages: { RETRO: { retries: 2 } } });
		expect(rig.types()).toContain('error:fatal');
	});

	it('R273 a retried stage is found again and its new verdict counts', () => {
		rig.start('tdd');
		for (const agent of ['tester', 'developer']) rig.runAgent(agent);
		rig.runAgent('tester', '1 test failed');
		expect(rig.stop().output).toMatchObject({ decision: 'block', reason: expect.stringContaining('debugger') });
		rig.runAgent('developer');
		rig.runAgent('tester');
		expect(rig.state()).toMatchObject({
			stages: { 'TEST:2': { result: 'pass', attempts: ['fail', 'pass'], retries: 1 } },
		});
		expect(rig.stop().output).toMatchObject({
			systemMessage: expect.stringContaining('67 % passed at the first attempt'),
		});
	});

	it('once a debugger has looked for the cause the developer comes next, with what it found', () => {
		rig.start('quick');
		rig.runAgent('developer');
		const step = (answer: { output: unknown }) => JSON.stringify(answer.output);
		expect(step(rig.runAgent('tester', '2 tests failed').after)).toContain('Delegate debugger to find the cause');
		const { ended, after } = rig.runAgent('debugger', 'An off-by-one in the cart.');
		expect(ended.output).toBeNull();
		expect(step(after)).toContain('Delegate developer, then tester (TEST)');
		expect(
			rig
				.recorded()
				.filter((event) => event.type === 'handoff:create')
				.at(-1),
		).toMatchObject({
			from: 'debugger',
			to: 'developer',
		});
		rig.runAgent('developer');
		expect(step(rig.runAgent('tester', '1 test failed').after)).toContain('Delegate debugger to find the cause');
		expect(step(rig.runAgent('debugger', '').after)).toContain('Delegate developer');
		rig.runAgent('developer');
		rig.runAgent('code-reviewer');
		const eventsBefore = rig.recorded().length;
		rig.runAgent('debugger', 'Nothing to look for.');
		expect(since(eventsBefore, 'handoff:create')).toEqual([]);
	});

	it('R273 an end that names no agent, and an agent that nobody asked for, end no stage', () => {
		rig.start('quick');
		rig.ask('developer');
		for (const id of [{ agent_id: 'a' }, { agent_type: 'ot:developer' }, { agent_id: 'a', agent_type: '' }]) {
			expect(rig.hook('SubagentStop', { ...id, last_assistant_message: 'FAIL' }).output).toBeNull();
		}
		const stray = { agent_id: 'b', agent_type: 'ot:code-reviewer' };
		rig.hook('SubagentStart', stray);
		expect(rig.hook('SubagentStop', { ...stray, last_assistant_message: 'REJECT' }).output).toBeNull();
		expect(rig.types()).not.toContain('stage:complete');
		expect(rig.state()).toMatchObject({
			rejectCount: 0,
			stages: { DEV: { status: 'active' }, REVIEW: { status: 'pending' } },
		});
	});

	it('an end that is posted of an agent that never started ends no stage', () => {
		rig.start('quick');
		rig.ask('developer', 'toolu_a');
		rig.hook('SubagentStart', { agent_id: 'a', agent_type: 'ot:developer' });
		const end = (agent_id: string, agent_type = 'ot:developer') =>
			rig.hook('SubagentStop', { agent_id, agent_type, last_assistant_message: 'All done, PASS' });
		// The stage is active, and one that was delegated has not started yet.
		rig.ask('developer', 'toolu_b');
		for (const forged of ['b', 'b', 'c']) expect(end(forged).output).toBeNull();
		expect(rig.types()).not.toContain('stage:complete');
		expect(Object.keys(rig.state()?.activeAgents as object)).toHaveLength(2);
		end('a');
		rig.hook('SubagentStart', { agent_id: 'd', agent_type: 'ot:developer' });
		end('d');
		expect(rig.state()).toMatchObject({ stages: { DEV: { status: 'completed', result: 'pass' } } });
	});

	it.each(['FAIL', 'REJECT'])('R273 the box of a stage that reached its limit with %s stays open', (verdict) => {
		rig.start('debug', 'cart');
		for (let n = 0; n < 3; n += 1) {
			rig.runAgent('debugger', `<!-- VERDICT: {"result": "${verdict}"} -->`);
		}
		expect(rig.types()).toContain('error:fatal');
		expect(rig.read('shop/specs/features/in-progress/cart/tasks.md')).toMatch(
			/- \[ \] DEBUG\n- \[ \] DEV\n- \[ \] TEST/,
		);
	});

	it('R273 an agent that is woken again after its stage failed is heard', () => {
		rig.start('tdd');
		for (const agent of ['tester', 'developer']) rig.runAgent(agent);
		rig.runAgent('tester', '1 test failed');
		const id = { agent_id: 'again', agent_type: 'ot:tester' };
		rig.hook('SubagentStart', id);
		rig.hook('SubagentStop', { ...id, last_assistant_message: 'All pass now' });
		expect(rig.state()).toMatchObject({ stages: { 'TEST:2': { status: 'completed', result: 'pass' } } });
	});

	it('R273 two agents on one stage: it ends with the last of them, by the worse result', () => {
		rig.start('quick');
		const answers = ['toolu_a', 'toolu_b'].map((call) => rig.ask('developer', call));
		expect(answers.map(decisionOf)).toEqual(['allow', 'allow']);
		expect(Object.keys(rig.state()?.activeAgents as object)).toEqual(['developer', 'developer#2']);
		for (const agent_id of ['a', 'b']) rig.hook('SubagentStart', { agent_id, agent_type: 'developer' });
		expect(rig.types().filter((type) => type === 'stage:start')).toHaveLength(1);
		expect(rig.recorded().filter((event) => event.type === 'agent:start')).toMatchObject([
			{ stage: 'DEV' },
			{ stage: 'DEV' },
		]);
		const comment = '<!-- VERDICT: {"result": "FAIL"} -->';
		rig.hook('SubagentStop', { agent_id: 'b', agent_type: 'developer', last_assistant_message: comment });
		expect(rig.types()).not.toContain('stage:complete');
		rig.hook('SubagentStop', { agent_id: 'a', agent_type: 'developer', last_assistant_message: 'done' });
		expect(rig.recorded().filter((event) => event.type === 'stage:complete')).toMatchObject([
			{ stage: 'DEV', result: 'fail' },
		]);
	});

	it('R273 the box of a stage is ticked in the tasks of the workflow’s own feature, TEST once both are done', () => {
		rig.start('tdd', 'b-feature');
		rig.writeFile('shop/specs/features/in-progress/a-feature/tasks.md', '- [ ] TEST\n- [ ] DEV\n');
		const boxes = () => rig.read('shop/specs/features/in-progress/b-feature/tasks.md').match(/- \[.\] \w+/g);
		rig.runAgent('tester');
		expect(boxes()).toEqual(['- [ ] TEST', '- [ ] DEV']);
		rig.runAgent('developer');
		expect(boxes()).toEqual(['- [ ] TEST', '- [x] DEV']);
		rig.runAgent('tester', 'failed');
		expect(boxes()).toEqual(['- [ ] TEST', '- [x] DEV']);
		rig.runAgent('tester');
		expect(boxes()).toEqual(['- [x] TEST', '- [x] DEV']);
		expect(rig.read('shop/specs/features/in-progress/a-feature/tasks.md')).toBe('- [ ] TEST\n- [ ] DEV\n');
	});

	it('R274 a handoff is a file for each receiver, recorded, whole, and never replaced', () => {
		rig.start('quick', 'cart');
		rig.runAgent('developer', `Built it.\n## HANDOFF: DEV -> REVIEW\n### Context\nThe cart\n${'x'.repeat(100_000)}`);
		const handoffs = rig.recorded().filter((event) => event.type === 'handoff:create');
		expect(handoffs).toMatchObject([
			{ from: 'developer', to: 'code-reviewer', path: 'handoffs/developer-to-code-reviewer.md' },
			{ from: 'developer', to: 'tester', path: 'handoffs/developer-to-tester.md' },
		]);
		const text = rig.read(`home/sessions/${SESSION}/handoffs/developer-to-tester.md`);
		expect(text).toMatch(/^## HANDOFF: developer → tester\n\n### Context\nThe cart\nx{100000}\n$/);
		rig.runAgent('code-reviewer', 'REJECT: the cart leaks');
		rig.runAgent('developer', 'Fixed the leak');
		expect(readdirSync(join(rig.home, 'sessions', SESSION, 'handoffs')).sort()).toEqual([
			'code-reviewer-to-developer.md',
			'developer-to-code-reviewer-2.md',
			'developer-to-code-reviewer.md',
			'developer-to-tester-2.md',
			'developer-to-tester.md',
		]);
		expect(rig.read(`home/sessions/${SESSION}/handoffs/code-reviewer-to-developer.md`)).toBe(
			[
				'## HANDOFF: code-reviewer → developer\n',
				'### Context\nWorkflow quick, feature cart. Stage REVIEW ended with reject.\n',
				'### Findings\nREJECT: the cart leaks\n',
				'### Files Modified\nNot stated.\n',
				'### Open Questions\nNot stated.\n',
			].join('\n'),
		);
	});
});

describe('R275 Stop: the loop', () => {
	it('R275 continues with the next step while stages are open, and counts the iterations', () => {
		rig.start('single');
		expect(rig.stop().output).toMatchObject({
			decision: 'block',
			reason: expect.stringContaining('Delegate developer (DEV) next'),
		});
		expect(rig.stop({ stop_hook_active: true }).output).toMatchObject({ decision: 'block' });
		expect(rig.state('loop.json')).toMatchObject({ iteration: 2, stopped: false, consecutiveErrors: 0 });
		expect(rig.recorded().filter((event) => event.type === 'loop:advance')).toMatchObject([
			{ iteration: 1, progress: '0/1' },
			{ iteration: 2, progress: '0/1' },
		]);
		expect(rig.recorded().filter((event) => event.type === 'gate:verdict')).toMatchObject([
			{ gate: 'loop', decision: 'deny', rule: 'loop.open-stages', facts: { iteration: 0 } },
			{ gate: 'loop', decision: 'deny', facts: { iteration: 1 } },
		]);
	});

	it('R275 R1256 the agent reads what is open, the next step and which round it is; at the end the person reads how it went', () => {
		rig.start('single', 'cart');
		expect(rig.stop().output).toEqual({
			decision: 'block',
			reason: [
				'The workflow single is not finished (0/1 stages, 0/1 tasks): these stages are open: DEV.',
				'Delegate developer (DEV) next.',
				'Go on without asking the person. This is round 1 of 100; only the person may end it, with `signalbox workflow stop`.',
			].join('\n'),
		});
		rig.runAgent('developer');
		rig.writeFile('shop/.overtone/config.json', '{"workflow":{"enabled":true}}');
		const path = 'shop/specs/features/in-progress/cart/tasks.md';
		rig.writeFile(path, `${rig.read(path)}- [ ] write the changelog\n- [ ] tell the team\n`);
		expect(rig.stop().output).toEqual({
			decision: 'block',
			reason: [
				'The workflow single is not finished (1/1 stages, 1/3 tasks): 2 tasks are open: write the changelog, tell the team.',
				'Do the open tasks and tick them: write the changelog; tell the team.',
				'Go on without asking the person. This is round 2 of 100; only the person may end it, with /ot:stop.',
			].join('\n'),
		});
		rig.writeFile(path, rig.read(path).replaceAll('[ ]', '[x]'));
		expect(rig.stop().output).toEqual({
			systemMessage: expect.stringMatching(
				/^Signalbox: the workflow single is complete: 1\/1 stages in 0m \d+s, 100 % passed at the first attempt\.$/,
			),
		});
		rig.start('single');
		stopLoop({ sessionId: SESSION, project: rig.project, requestId: 'l', ports: rig.ports });
		expect(rig.stop().output).toEqual({
			systemMessage: expect.stringMatching(
				/^Signalbox: the workflow single was aborted \(the loop was stopped\): 0\/1 stages in 0m \d+s\.$/,
			),
		});
	});

	it('R275 continues while boxes of the feature are open', () => {
		rig.start('single', 'cart');
		rig.runAgent('developer');
		const path = 'shop/specs/features/in-progress/cart/tasks.md';
		rig.writeFile(path, `${rig.read(path)}- [ ] write the changelog\n`);
		expect(rig.stop().output).toMatchObject({
			decision: 'block',
			reason: expect.stringContaining('write the changelog'),
		});
		rig.writeFile(path, rig.read(path).replaceAll('[ ]', '[x]'));
		expect(rig.stop().output).toMatchObject({ systemMessage: expect.stringContaining('complete') });
	});

	it('R275 the boxes of the workflow’s own feature count, not those of the feature that comes first', () => {
		rig.start('single', 'b-feature');
		rig.writeFile('shop/specs/features/in-progress/a-feature/tasks.md', '- [ ] something else\n');
		rig.runAgent('developer');
		expect(rig.stop().output).toMatchObject({ systemMessage: expect.stringContaining('complete') });
		expect(readdirSync(join(rig.project, 'specs/features/in-progress'))).toEqual(['a-feature']);
		expect(readdirSync(join(rig.project, 'specs/features/archive'))).toEqual(['2026-02-23_b-feature']);
	});

	it('R275 does not block while agents work in the background', () => {
		rig.start('single');
		rig.ask('developer', 'toolu_b');
		rig.hook('SubagentStart', { agent_id: 'bg', agent_type: 'developer' });
		const task = { id: 'bg', type: 'subagent', status: 'running', agent_type: 'developer' };
		expect(rig.stop({ background_tasks: [task] }).output).toBeNull();
		expect(rig.state()).toMatchObject({ activeAgents: { developer: { agentId: 'bg' } } });
		rig.hook('SubagentStop', { agent_id: 'bg', agent_type: 'developer', background_tasks: [task] });
		expect(rig.stop().output).toMatchObject({ systemMessage: expect.stringContaining('complete') });
	});

	it('R275 an agent that is gone without a word does not stay active', () => {
		rig.start('single');
		rig.ask('developer');
		expect(rig.stop().output).toMatchObject({
			decision: 'block',
			reason: expect.stringContaining('Delegate developer'),
		});
		expect(rig.recorded().filter((event) => event.type === 'agent:error')).toMatchObject([
			{ agent: 'developer', stage: 'DEV' },
		]);
		expect(rig.state()).toMatchObject({ activeAgents: {}, stages: { DEV: { status: 'pending' } } });
	});

	it('R276 ends after three errors in a row, after 100 rounds, and when it was stopped', () => {
		rig.start('single');
		for (const id of ['a', 'b', 'c']) {
			rig.ask('developer');
			rig.hook('SubagentStart', { agent_id: id, agent_type: 'developer' });
			rig.hook('StopFailure', { agent_id: id, agent_type: 'developer', error: 'overloaded' });
		}
		expect(rig.stop().output).toMatchObject({ systemMessage: expect.stringContaining('3 agents in a row') });
		rig.start('single');
		for (let n = 0; n < 100; n += 1) expect(rig.stop().output).toMatchObject({ decision: 'block' });
		expect(rig.stop().output).toMatchObject({ systemMessage: expect.stringContaining('100 rounds') });
		rig.start('single');
		expect(rig.stop().output).toMatchObject({ decision: 'block' });
		const service = { sessionId: SESSION, project: rig.project, requestId: 'stop', ports: rig.ports };
		expect([stopWorkflow(service), stopWorkflow({ ...service, requestId: 'again' })]).toEqual([true, false]);
		expect(rig.stop().output).toBeNull();
		const aborts = rig.recorded().filter((event) => event.type === 'workflow:abort');
		expect(aborts).toHaveLength(3);
		for (const abort of aborts) expect(abort.duration).toMatch(/^\d+m \d+s$/);
		expect(
			rig
				.recorded()
				.filter((event) => event.type === 'loop:complete')
				.map((event) => event.reason),
		).toEqual(['errors', 'max-iterations', 'stopped']);
	});

	it('R276 with the loop switched off no agent is made to continue, and finished work is still completed', () => {
		rig.writeFile('home/config.json', '{"gates":{"loop":{"enabled":false}}}');
		rig.start('single');
		expect(rig.stop().output).toBeNull();
		expect(rig.types()).not.toContain('loop:advance');
		rig.runAgent('developer');
		expect(rig.stop().output).toMatchObject({ systemMessage: expect.stringContaining('is complete') });
	});

	it('R276 agents that are gone without a word are errors in a row, and a workflow without a loop gets one', () => {
		rig.start('single');
		const lose = () => {
			rig.ask('developer');
			rig.hook('SubagentStart', { agent_id: `gone-${rig.types().length}`, agent_type: 'developer' });
			return rig.stop({ background_tasks: [{ id: 'other', type: 'subagent', status: 'completed' }] }).output;
		};
		expect([lose(), lose()]).toMatchObject([{ decision: 'block' }, { decision: 'block' }]);
		expect(lose()).toMatchObject({ systemMessage: expect.stringContaining('3 agents in a row failed') });
		rig.writeFile(
			`home/sessions/${SESSION}/workflow.json`,
			JSON.stringify({ workflowType: 'single', stages: { DEV: { status: 'pending', result: null } } }),
		);
		rmSync(join(rig.home, 'sessions', SESSION, 'loop.json'));
		rig.writeFile(`home/sessions/${SESSION}/timeline.jsonl`, '');
		expect(rig.stop().output).toMatchObject({ decision: 'block' });
		expect(rig.types().filter((type) => type === 'loop:start')).toHaveLength(1);
		expect(rig.state('loop.json')).toMatchObject({ iteration: 1, stopped: false, consecutiveErrors: 0 });
		rig.stop();
		expect(rig.types().filter((type) => type === 'loop:start')).toHaveLength(1);
	});

	it('R276 after the end every further stop is silent, and a new workflow has a new loop', () => {
		rig.start('single');
		rig.runAgent('developer');
		rig.stop();
		const count = rig.types().filter((type) => type === 'loop:complete').length;
		rig.stop();
		expect(rig.types().filter((type) => type === 'loop:complete')).toHaveLength(count);
		expect(rig.hook('UserPromptSubmit', { prompt: 'thanks' }).output).toBeNull();
		rig.start('single');
		expect(rig.state('loop.json')).toMatchObject({ stopped: false, iteration: 0 });
		expect(rig.stop().output).toMatchObject({ decision: 'block' });
	});
});

describe('R277 SessionStart, PreCompact and UserPromptSubmit', () => {
	it('R277 says nothing in a session without a workflow in a project without features', () => {
		for (const hook of ['SessionStart', 'PreCompact', 'UserPromptSubmit', 'Stop', 'SubagentStop', 'PostToolUse']) {
			expect(
				rig.hook(hook, { prompt: 'hi', agent_id: 'a', agent_type: 'developer', tool_name: 'Bash' }).output,
			).toBeNull();
		}
		expect(rig.state()).toBeNull();
	});

	it('R277 with workflow.enabled it shows a banner, makes the folders and points to /ot:auto', () => {
		rig.writeFile('shop/.overtone/config.json', '{"workflow":{"enabled":true}}');
		expect(rig.hook('SessionStart', { source: 'startup' }).output).toEqual({
			systemMessage: 'Signalbox watches this session.',
		});
		expect(readdirSync(join(rig.home, 'sessions', SESSION))).toContain('handoffs');
		const context = (prompt: string) =>
			(
				rig.hook('UserPromptSubmit', { prompt }).output as {
					hookSpecificOutput?: { additionalContext?: string };
				} | null
			)?.hookSpecificOutput?.additionalContext;
		expect(context('build a cart')).toMatch(/^⛔ MUST: read \/ot:auto/);
		expect(rig.hook('UserPromptSubmit', { prompt: 'build a cart' }).output).toEqual({
			systemMessage: context('build a cart'),
			hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: context('build a cart') },
		});
		expect(context('/ot:standard build a cart')).toBeUndefined();
		expect(context('build a cart [Workflow:TDD]')).toContain('/ot:tdd');
		expect(context('build [workflow:nonsense]')).toContain('/ot:auto');
		expect(rig.state()).toBeNull();
	});

	it('R1255 the banner says where the pages are: of the server that runs, else of the one that a hook starts', () => {
		rig.writeFile('shop/.overtone/config.json', '{"workflow":{"enabled":true}}');
		const banner = () => rig.hook('SessionStart', { source: 'startup' }).output;
		rig.writeFile('home/server.url', 'http://last.signalbox.localhost:7391\n');
		expect(banner()).toEqual({ systemMessage: 'Signalbox watches this session.' });
		rig.writeFile('home/bin/server.path', '/opt/signalbox.js');
		expect(banner()).toEqual({ systemMessage: 'Signalbox watches this session: http://last.signalbox.localhost:7391' });
		rig.writeFile('home/server.lock.json', '{"pid":1,"url":"http://now.signalbox.localhost:7392"}');
		expect(banner()).toEqual({ systemMessage: 'Signalbox watches this session: http://now.signalbox.localhost:7392' });
		rig.writeFile('home/server.lock.json', '{"pid":1,"url":"http://x:1\\n\\u001b[2J"}');
		expect(banner()).toEqual({ systemMessage: 'Signalbox watches this session: http://last.signalbox.localhost:7391' });
	});

	it('R277 a project with a feature in progress is guided without a setting, unless one forbids it', () => {
		rig.writeFile('shop/specs/features/in-progress/cart/tasks.md', '## Tasks\n- [x] PLAN\n- [ ] DEV\n');
		const start = rig.hook('SessionStart', { source: 'startup' }).output;
		expect(start).toMatchObject({
			systemMessage: expect.stringMatching(/^Signalbox watches this session\.\nFeature cart: 1 of 2 tasks are done/),
			hookSpecificOutput: { additionalContext: expect.stringContaining('Feature cart') },
		});
		const prompt = () => rig.hook('UserPromptSubmit', { prompt: 'build it' }).output;
		expect(prompt()).toMatchObject({
			hookSpecificOutput: { additionalContext: expect.stringContaining('signalbox workflow start') },
		});
		expect([prompt(), prompt()]).toEqual([null, null]);
		expect(rig.hook('UserPromptSubmit', { prompt: 'build it', session_id: 'another' }).output).not.toBeNull();
		rig.writeFile('shop/specs/features/in-progress/cart/tasks.md', '## Tasks\n- [x] PLAN\n');
		expect(rig.hook('SessionStart', { source: 'startup' }).output).toEqual({
			systemMessage: 'Signalbox watches this session.',
		});
		rig.writeFile('home/config.json', '{"workflow":{"enabled":false}}');
		expect([prompt(), rig.hook('SessionStart', { source: 'startup' }).output]).toEqual([null, null]);
		rig.start('single');
		expect(prompt()).toMatchObject({ hookSpecificOutput: { additionalContext: expect.stringContaining('(0/1)') } });
	});

	it('R277 lists the open tasks, the progress, and the state at a compaction in at most 2,000 characters', () => {
		rig.start('standard', 'cart');
		rig.runAgent('planner');
		const path = 'shop/specs/features/in-progress/cart/tasks.md';
		rig.writeFile(path, `${rig.read(path)}${'- [ ] a long task to do\n'.repeat(500)}`);
		const started = rig.hook('SessionStart', { source: 'compact' }).output as Record<string, never>;
		expect(started.systemMessage).toContain('Feature cart: 1 of 507 tasks are done');
		expect(JSON.stringify(started.hookSpecificOutput)).toContain('Workflow standard is in progress');
		const compact = (rig.hook('PreCompact', { trigger: 'auto' }).output as { systemMessage: string }).systemMessage;
		expect(compact).toContain('● PLAN ○ ARCH');
		expect(compact).toContain('Feature cart: 1 of 507 tasks are done');
		const folder = /^Handoffs, to be read again: (.+)$/m.exec(compact)?.[1] ?? '';
		expect(readdirSync(folder)).toEqual(['planner-to-architect.md']);
		expect(compact.length).toBeLessThanOrEqual(2000);
		expect(rig.hook('UserPromptSubmit', { prompt: 'go on' }).output).toMatchObject({
			hookSpecificOutput: { additionalContext: expect.stringContaining('Delegate architect (ARCH) next') },
		});
	});
});

describe('R278 PostToolUse: observations, wording and the guard of Bash errors', () => {
	const observations = () =>
		rig
			.read(`home/sessions/${SESSION}/observations.jsonl`)
			.split('\n')
			.filter(Boolean)
			.map((line) => JSON.parse(line) as Record<string, unknown>);

	it('R278 sightings of one kind confirm one observation', () => {
		rig.start('single');
		const bash = (command: string) => ({
			tool_name: 'Bash',
			tool_use_id: command,
			tool_input: { command },
			tool_response: {},
		});
		for (const command of ['grep -r x .', 'cd a && rg y', 'ls | find .']) {
			expect(rig.hook('PostToolUse', bash(command)).output).toBeNull();
		}
		const last = new Map(observations().map((one) => [one.tag, one]));
		expect(last.get('search-tools')).toMatchObject({ type: 'tool_preferences', count: 3, confidence: 0.4 });
		rig.runAgent('developer');
		rig.hook('UserPromptSubmit', { prompt: 'go on' });
		const tags = observations().map((one) => one.tag);
		expect(tags).toEqual(expect.arrayContaining(['agent-developer', 'wf-single']));
	});

	it('R278 at the start of a session what was not seen for a week is less sure, and forgotten below 0.2', () => {
		rig.start('single');
		const seen = (id: string, confidence: number, lastSeen: string) =>
			JSON.stringify({
				id,
				ts: lastSeen,
				lastSeen,
				type: 'tool_preferences',
				tag: id,
				trigger: 'a',
				action: 'b',
				confidence,
				count: 1,
			});
		const [old, fresh] = ['2026-02-01T00:00:00.000Z', '2026-02-22T00:00:00.000Z'];
		const lines = [seen('old', 0.5, old), seen('gone', 0.21, old), seen('fresh', 0.3, fresh)];
		rig.writeFile(`home/sessions/${SESSION}/observations.jsonl`, `${lines.join('\n')}\n`);
		rig.hook('SessionStart', { source: 'resume' });
		expect(observations().map((one) => [one.id, one.confidence])).toEqual([
			['old', 0.48],
			['fresh', 0.3],
		]);
	});

	it('R278 an error of a guarded program asks for debugger and developer', () => {
		rig.start('single');
		const npm = { tool_name: 'Bash', tool_use_id: 'n', tool_input: { command: 'CI=1 npm test' } };
		const failed = rig.hook('PostToolUseFailure', { ...npm, error: 'Exit code 1: 3 suites did not run' });
		expect(failed.output).toMatchObject({
			hookSpecificOutput: {
				hookEventName: 'PostToolUseFailure',
				additionalContext: expect.stringContaining('delegate debugger'),
			},
		});
		expect(observations()).toMatchObject([{ type: 'error_resolutions', tag: 'cmd-npm', confidence: 0.3 }]);
		const short = rig.hook('PostToolUse', { ...npm, tool_use_id: 'm', tool_response: { stderr: 'warn' } });
		expect(short.output).toBeNull();
	});

	it('R278 Markdown whose signs and words differ is reported with its lines', () => {
		rig.start('single');
		rig.writeFile('shop/a.md', '# A\n⛔ you should test\n```\n💡 must\n```\n| 💡 must |\n🔧 may\n');
		const written = { tool_name: 'Write', tool_use_id: 'w', tool_input: { file_path: join(rig.project, 'a.md') } };
		expect(rig.hook('PostToolUse', written).output).toMatchObject({
			hookSpecificOutput: { additionalContext: expect.stringMatching(/line 2: ⛔ with "should"(?!.*line)/s) },
		});
		expect(observations()).toMatchObject([
			{ type: 'wording_mismatch', tag: 'emoji-keyword', confidence: 0.3, count: 1 },
		]);
		const context = { hookSpecificOutput: { additionalContext: expect.stringContaining('line 2') } };
		expect(rig.hook('PostToolUse', { ...written, tool_name: 'Edit', tool_use_id: 'e' }).output).toMatchObject(context);
		for (const [index, other] of [{ tool_name: 'Read' }, { tool_input: { file_path: 'a.txt' } }].entries()) {
			rig.writeFile('shop/a.txt', '⛔ should');
			expect(rig.hook('PostToolUse', { ...written, ...other, tool_use_id: `x${index}` }).output).toBeNull();
		}
		expect(rig.hook('PostToolUseFailure', { ...written, tool_use_id: 'f', error: 'no' }).output).toBeNull();
		rig.writeFile('secret.md', '⛔ should');
		const outside = {
			tool_name: 'Write',
			tool_use_id: 'o',
			tool_input: { file_path: join(rig.project, '../secret.md') },
		};
		expect(rig.hook('PostToolUse', outside).output).toBeNull();
	});
});

describe('R715 PostToolUse: after an agent', () => {
	const call = { tool_name: 'Agent', tool_use_id: 'toolu_a', tool_input: { subagent_type: 'ot:developer' } };
	const outputOf = (hook: string, fields: object) => rig.hook(hook, { ...call, ...fields }).output;

	it('R715 the main agent reads the next step and that it may compact; not for a running background agent', () => {
		rig.start('quick');
		rig.hook('PreToolUse', call);
		expect(outputOf('PostToolUse', { tool_response: { status: 'async_launched', agentId: 'a' } })).toBeNull();
		expect(outputOf('PostToolUseFailure', { error: 'no such agent' })).toBeNull();
		const { after: ended } = rig.runAgent('developer');
		expect(ended.output).toEqual({
			hookSpecificOutput: {
				hookEventName: 'PostToolUse',
				additionalContext: expect.stringMatching(
					/^Workflow quick: Delegate code-reviewer .* the group quality\. DEV is done: a good moment to compact/,
				),
			},
		});
	});
});

describe('starting and stopping', () => {
	it('the same type again attaches the feature; another type and unknown ones are refused', () => {
		expect(rig.start('standard')).toMatchObject({ how: 'started' });
		rig.runAgent('planner');
		expect(rig.start('standard', 'cart')).toMatchObject({ ok: true, how: 'attached', feature: 'cart' });
		expect(rig.state()).toMatchObject({ featureName: 'cart', stages: { PLAN: { status: 'completed' } } });
		expect(rig.start('quick')).toMatchObject({ ok: false, code: 'workflow/running' });
		expect(rig.start('nonsense')).toMatchObject({ ok: false, code: 'workflow/unknown' });
		expect(rig.start('standard', '../etc')).toMatchObject({ ok: false, code: 'workflow/feature' });
		expect(rig.types().filter((type) => type === 'workflow:start')).toHaveLength(1);
	});

	it('an existing feature is not recorded as created again; one that a running workflow resumes is recorded once', () => {
		const features = () =>
			rig.recorded().flatMap(({ type, featureName }) => (featureName ? [`${type} ${featureName}`] : []));
		for (const feature of ['cart', 'list']) {
			rig.writeFile(`shop/specs/features/in-progress/${feature}/tasks.md`, '- [ ] DEV\n');
		}
		rig.start('quick', 'cart');
		rig.start('quick', 'cart');
		expect(features()).toEqual(['workflow:start cart']);
		rig.start('quick', 'list');
		rig.start('quick', 'list');
		expect(features()).toEqual(['workflow:start cart', 'specs:init list']);
		rig.start('quick', 'new-one');
		expect(features().slice(2)).toEqual(['specs:init new-one']);
		expect(rig.state()).toMatchObject({ featureName: 'new-one' });
	});
});

describe('a paused workflow', () => {
	const service = (requestId: string) => ({ sessionId: SESSION, project: rig.project, requestId, ports: rig.ports });

	it('lets the agent stop and start anything, keeps its state, and continues when it is resumed', () => {
		rig.start('quick');
		expect(rig.stop().output).toMatchObject({ decision: 'block' });
		expect(pauseWorkflow(service('p1'))).toMatchObject({ ok: true });
		expect(rig.state()).toMatchObject({ paused: { at: expect.any(String) }, currentStage: 'DEV' });
		expect(rig.stop().output).toBeNull();
		expect(rig.recorded().at(-1)).toMatchObject({
			type: 'gate:verdict',
			gate: 'loop',
			decision: 'pass',
			rule: 'loop.paused',
		});
		expect(decisionOf(rig.ask('retrospective'))).toBe('allow');
		expect(rig.recorded().find(({ rule }) => rule === 'stage.paused')).toMatchObject({ decision: 'pass' });
		expect(rig.hook('UserPromptSubmit', { prompt: 'and now?' }).output).toMatchObject({
			hookSpecificOutput: { additionalContext: expect.stringContaining('paused by a person') },
		});
		expect(resumeWorkflow(service('r1'))).toMatchObject({ ok: true });
		expect(rig.state()).not.toHaveProperty('paused');
		expect(decisionOf(rig.ask('code-reviewer'))).toBe('deny');
	});

	it('survives a restart and a lost checkpoint, and ends with the workflow', () => {
		rig.start('quick');
		pauseWorkflow(service('p1'));
		const file = `home/sessions/${SESSION}/workflow.json`;
		const { paused: _paused, checkpoint: _checkpoint, ...old } = rig.state() as Record<string, unknown>;
		expect(rig.ports.flow.read(SESSION).workflow).toMatchObject({ paused: {} });
		rig.writeFile(file, JSON.stringify({ ...old, checkpoint: { offset: 0, ino: 0, digest: '' } }));
		expect(stopWorkflow(service('s1'))).toBe(true);
		expect(rig.state()).not.toHaveProperty('paused');
	});

	it('is refused where it does not fit, with the reason', () => {
		expect(pauseWorkflow(service('p0'))).toMatchObject({ ok: false, code: 'workflow/state' });
		rig.start('quick');
		expect(resumeWorkflow(service('r0'))).toMatchObject({ ok: false, detail: 'The workflow is not paused.' });
		pauseWorkflow(service('p1'));
		expect(pauseWorkflow(service('p2'))).toMatchObject({ ok: false, detail: 'The workflow is paused already.' });
		expect(rig.types().filter((type) => type === 'workflow:pause')).toHaveLength(1);
	});

	it('a stopped loop sends nobody on: the workflow is aborted at the end of the turn', () => {
		rig.start('quick');
		expect(stopLoop(service('l1'))).toMatchObject({ ok: true });
		expect(stopLoop(service('l2'))).toMatchObject({ ok: false, detail: 'The loop does not run.' });
		expect(rig.state()).not.toHaveProperty('ended');
		expect(rig.stop().output).toMatchObject({ systemMessage: expect.stringContaining('was aborted') });
		expect(rig.state()).toMatchObject({ ended: { how: 'abort' } });
	});
});
