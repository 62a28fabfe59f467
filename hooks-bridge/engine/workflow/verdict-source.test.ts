import { afterEach, beforeEach, expect, it } from 'vitest';
import { inEnglish } from '#lib/messages/sentence.ts';
import { eventTitle } from '#lib/session/row.ts';
import { makeWorkflowRig, type WorkflowRig } from '../../testing/workflow-rig.ts';

let rig: WorkflowRig;
beforeEach(() => {
	rig = makeWorkflowRig();
});
afterEach(() => rig.remove());

const ends = () => rig.recorded().filter((event) => event.type === 'stage:complete');
const hintOf = (answer: { output: unknown }) => (answer.output as { systemMessage: string }).systemMessage;

it('the end of a stage and of its agent say where the verdict was read; the story and the hint, too', () => {
	rig.start('quick');
	const hints = [
		rig.runAgent('developer', 'Built it.'),
		rig.runAgent('code-reviewer', 'Verdict: PASS'),
		rig.runAgent('tester', 'All 3 tests pass'),
		rig.runAgent('retrospective'),
	].map(({ ended }) => hintOf(ended));
	expect(ends()).toMatchObject([
		{ stage: 'DEV', result: 'pass', source: 'none' },
		{ stage: 'REVIEW', result: 'pass', source: 'line' },
		{ stage: 'TEST', result: 'pass', source: 'words' },
		{ stage: 'RETRO', result: 'pass', source: 'comment' },
	]);
	expect(ends().map((event) => inEnglish(eventTitle(event as never)))).toEqual([
		'DEV · pass · no verdict was spoken',
		'REVIEW · pass',
		'TEST · pass · read from its words',
		'RETRO · pass',
	]);
	expect(hints.map((hint) => hint.includes('spoke no verdict'))).toEqual([true, false, false, false]);
	expect(hintOf(rig.stop())).toContain('75 % passed at the first attempt, 1 ended without a verdict');
});

it('changes requested hold the workflow up', () => {
	rig.start('quick');
	rig.runAgent('developer');
	rig.runAgent('code-reviewer', 'Changes requested. Two blocking problems remain.');
	expect(rig.state()).toMatchObject({
		rejectCount: 1,
		stages: { REVIEW: { status: 'pending', attempts: ['reject'] } },
	});
});

it.each(['', null])('R1249 an agent that says %j has not passed: its stage is done again', (text) => {
	rig.start('quick');
	for (const agent of ['developer', 'code-reviewer']) rig.runAgent(agent);
	const { ended, after } = rig.runAgent('tester', text as string);
	expect(ends().at(-1)).toMatchObject({ stage: 'TEST', result: 'unclear', source: 'none' });
	expect(hintOf(ended)).toMatch(
		/^Signalbox: TEST ended with UNCLEAR\. TEST did not pass\. Delegate tester \(TEST\) again\.$/,
	);
	expect(JSON.stringify(after.output)).not.toContain('debugger');
	expect(rig.stop().output).toMatchObject({ decision: 'block', reason: expect.stringContaining('Delegate tester') });
	expect(rig.state()).toMatchObject({
		failCount: 0,
		unclearCount: 1,
		stages: { TEST: { status: 'pending', retries: 1 } },
	});
	for (const agent of ['tester', 'retrospective']) rig.runAgent(agent);
	expect(hintOf(rig.stop())).toMatch(/is complete.*75 % passed at the first attempt, 1 ended without a verdict/);
});

it('R1249 the third silence needs a person', () => {
	rig.start('single');
	for (let n = 0; n < 3; n += 1) rig.runAgent('developer', '');
	expect(rig.types()).toContain('error:fatal');
	expect(hintOf(rig.stop())).toContain('number 3 in this workflow');
});
