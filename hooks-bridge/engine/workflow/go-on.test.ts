import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeWorkflowRig, SESSION, type WorkflowRig } from '../../testing/workflow-rig.ts';
import { resumeWorkflow, stopWorkflow } from './run-workflow.ts';

let rig: WorkflowRig;
beforeEach(() => {
	rig = makeWorkflowRig();
});
afterEach(() => rig.remove());

let serial = 0;
const service = () => ({ sessionId: SESSION, project: rig.project, requestId: `go-on-${++serial}`, ports: rig.ports });
const messageOf = (answer: { output: unknown }) => (answer.output as { systemMessage: string }).systemMessage;
const passed = { status: 'completed', result: 'pass' };

function failThrice() {
	rig.start('quick', 'cart');
	for (const agent of ['developer', 'code-reviewer', 'tester']) {
		rig.runAgent(agent, agent === 'tester' ? '1 test failed' : undefined);
	}
	rig.runAgent('tester', '1 test failed');
	return rig.runAgent('tester', '1 test failed');
}

it('at the limit no agent receives that the stage is done', () => {
	const { ended, after } = failThrice();
	expect(messageOf(ended)).toContain('ask the person');
	expect(JSON.stringify([ended.output, after.output])).not.toContain('a good moment to compact');
});

it.each([true, false])(
	'R1251 after the third failure a person lets it go on with what passed (aborted first: %s)',
	(aborted) => {
		failThrice();
		if (aborted) expect(messageOf(rig.stop())).toContain('`signalbox workflow resume`');
		expect(rig.state()).toMatchObject(aborted ? { ended: { how: 'abort' } } : { fatal: {} });
		expect(resumeWorkflow(service())).toMatchObject({ ok: true });
		const state = rig.state();
		expect(state).toMatchObject({
			...{ failCount: 0, rejectCount: 0, featureName: 'cart', currentStage: 'TEST' },
			stages: { DEV: passed, REVIEW: passed, TEST: { status: 'pending', attempts: ['fail', 'fail', 'fail'] } },
		});
		expect([state?.fatal, state?.ended]).toEqual([undefined, undefined]);
		expect(rig.state('loop.json')).toMatchObject({ iteration: 0, stopped: false, consecutiveErrors: 0 });
		expect(rig.stop().output).toMatchObject({ decision: 'block', reason: expect.stringContaining('debugger') });
		for (const agent of ['developer', 'tester', 'retrospective']) rig.runAgent(agent);
		expect(messageOf(rig.stop())).toContain('is complete: 4/4 stages');
		expect(rig.types()).toContain('specs:archive');
	},
);

it('R1251 so it is after errors in a row; what a person stopped, or what is complete, stays so', () => {
	rig.start('quick');
	rig.runAgent('developer');
	for (const call of ['c1', 'c2', 'c3']) {
		rig.ask('tester', call);
		rig.hook('PostToolUseFailure', { tool_name: 'Agent', tool_use_id: call, error: 'API error' });
	}
	rig.ask('code-reviewer', 'c4');
	expect(messageOf(rig.stop({ background_tasks: undefined }))).toContain('agents in a row failed');
	expect(resumeWorkflow(service())).toMatchObject({ ok: true });
	expect(rig.state()).toMatchObject({ stages: { DEV: passed, REVIEW: { status: 'pending' } }, activeAgents: {} });
	expect(resumeWorkflow(service())).toMatchObject({ ok: false, detail: 'The workflow is not paused.' });
	for (const agent of ['tester', 'code-reviewer', 'retrospective']) rig.runAgent(agent);
	rig.stop();
	expect(resumeWorkflow(service())).toMatchObject({ ok: false, code: 'workflow/state' });
	expect(rig.state()).toMatchObject({ ended: { how: 'complete' } });
	rig.start('single');
	stopWorkflow(service());
	expect(resumeWorkflow(service())).toMatchObject({ ok: false, detail: 'No workflow runs in this session.' });
});
