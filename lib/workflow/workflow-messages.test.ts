import { expect, it } from 'vitest';
import type { WorkflowState } from '../contract/sessions/read-model/workflow-state.ts';
import { agentOfStage, compactionHint, nextStep, resultHint, stageLine } from './next-step.ts';
import { begin, foldAll, ran } from './testing/workflow-events.ts';
import { promptContext, recoveryMessage } from './workflow-messages.ts';

const passed = (type: string, ...keys: string[]): WorkflowState =>
	foldAll(
		keys.flatMap((key) => ran(key, agentOfStage(key), 'pass')),
		begin(type),
	);
const built = () => passed('quick', 'DEV');
const failed = () =>
	foldAll([...ran('TEST', 'tester', 'fail'), ['stage:retry', { stage: 'TEST', failCount: 1 }]], built());

it('R717 PreCompact lists workflow, progress, stage, counts, agents, feature, handoffs and tasks, in this order', () => {
	const state = foldAll(
		[
			['specs:init', { featureName: 'user-login' }],
			...ran('REVIEW', 'code-reviewer', 'reject'),
			['stage:retry', { stage: 'REVIEW', rejectCount: 1 }],
			['agent:delegate', { agent: 'tester', stage: 'TEST', toolUseId: 't' }],
			['agent:delegate', { agent: 'tester', stage: 'TEST', toolUseId: 'u' }],
		],
		failed(),
	);
	expect(recoveryMessage(state, 'Feature user-login: 1 of 4 tasks are done', '/home/o/handoffs')?.split('\n')).toEqual([
		'Workflow quick is in progress.',
		'● DEV ○ REVIEW ◐ TEST ○ RETRO (1/4)',
		'Current stage: TEST',
		'failed: 1, rejected: 1',
		'At work: tester (TEST), tester (TEST)',
		'Feature: user-login',
		'Wait for tester (TEST) and tester (TEST) before the next stage.',
		'Handoffs, to be read again: /home/o/handoffs',
		'Feature user-login: 1 of 4 tasks are done',
	]);
});

it('R717 counts of 0, agents and a feature that are not there are left out; without a running workflow there is no summary', () => {
	expect(recoveryMessage(begin('single'), null, '/h')?.split('\n')).toEqual([
		'Workflow single is in progress.',
		'○ DEV (0/1)',
		'Current stage: DEV',
		'Delegate developer (DEV) next.',
		'Handoffs, to be read again: /h',
	]);
	const paused = foldAll([['workflow:pause', {}]], begin('single'));
	expect(recoveryMessage(paused, null, '/h')).toMatch(/^Workflow single is paused\.\n/);
	expect(recoveryMessage(null, 'tasks', '/h')).toBeNull();
	const ended = foldAll([['workflow:abort', { reason: 'x' }]], begin('single'));
	expect(recoveryMessage(ended, 'tasks', '/h')).toBeNull();
});

it('R717 a stage that ended badly and is not opened again is marked as such', () => {
	expect(stageLine(foldAll(ran('TEST', 'tester', 'fail'), built()))).toBe('● DEV ○ REVIEW ✗ TEST ○ RETRO (2/4)');
});

it('R715 the end of a stage is named as the moment to compact, and the main agent decides', () => {
	expect(resultHint(built(), 'DEV', 'pass')).toBe(
		'DEV ended with PASS. Delegate code-reviewer (REVIEW) and tester (TEST) in parallel: they are the group quality. A grader may score the result. DEV is done: a good moment to compact the context (/compact) if it is nearly full; handoffs and progress are kept.',
	);
	const issues = foldAll(ran('RETRO', 'retrospective', 'issues'), passed('standard', 'PLAN'));
	expect(resultHint(issues, 'RETRO', 'issues')).toMatch(
		/another round.*grader.*RETRO is done: a good moment to compact/,
	);
});

it('R715 no agent gets the advice to compact while agents work, before a stage is done again, or when nothing is left', () => {
	expect(compactionHint(begin('quick'))).toBeNull();
	expect(compactionHint(failed())).toBeNull();
	expect(resultHint(failed(), 'TEST', 'fail')).toMatch(/^TEST ended with FAIL\..*debugger(?!.*(compact|grader))/);
	const working = foldAll([['agent:delegate', { agent: 'tester', stage: 'TEST', toolUseId: 't' }]], built());
	expect(compactionHint(working)).toBeNull();
	expect(resultHint(passed('single', 'DEV'), 'DEV', 'pass')).toBe(
		'DEV ended with PASS. All stages are done. A grader may score the result.',
	);
	expect(compactionHint(foldAll([['workflow:complete', {}]], passed('single', 'DEV')))).toBeNull();
});

it.each([
	['nothing has begun', begin('quick'), 'Delegate developer (DEV) next.'],
	[
		'an agent works',
		foldAll([['agent:delegate', { agent: 'tester', stage: 'TEST', toolUseId: 't' }]], built()),
		'Wait for tester (TEST) before the next stage.',
	],
	[
		'a group comes next',
		built(),
		'Delegate code-reviewer (REVIEW) and tester (TEST) in parallel: they are the group quality.',
	],
	['one of the group is left', passed('quick', 'DEV', 'REVIEW'), 'Delegate tester (TEST) next.'],
	[
		'a test failed',
		failed(),
		'TEST did not pass. Delegate debugger to find the cause, then developer, then tester (TEST).',
	],
	[
		'a review was rejected',
		foldAll([...ran('REVIEW', 'code-reviewer', 'reject'), ['stage:retry', { stage: 'REVIEW' }]], built()),
		'REVIEW did not pass. Delegate developer with the reasons of the rejection, then code-reviewer (REVIEW).',
	],
	[
		'a limit was reached',
		foldAll([['error:fatal', { reason: 'TEST: 3 times fail' }]], built()),
		'Stop and ask the person how to go on: TEST: 3 times fail.',
	],
	[
		'a person paused it',
		foldAll([['workflow:pause', {}]], built()),
		'It is paused by a person: do what the person asks and begin no stage until it is resumed.',
	],
	['all is done', passed('single', 'DEV'), null],
	['it was aborted', foldAll([['workflow:abort', {}]], built()), null],
])('R273 the hint for the next step when %s', (_when, state, hint) => {
	expect(nextStep(state)).toBe(hint);
});

it('R265 ISSUES are offered for another round, FAIL is not', () => {
	const retro = passed('quick', 'DEV', 'REVIEW', 'TEST');
	const issues = foldAll(ran('RETRO', 'retrospective', 'issues'), retro);
	expect(resultHint(issues, 'RETRO', 'issues')).toBe(
		'RETRO ended with ISSUES. The issues found may be worked on in another round: developer, then retrospective. All stages are done. A grader may score the result.',
	);
	expect(resultHint(failed(), 'TEST', 'fail')).not.toContain('another round');
});

it('R716 a prompt is pointed to /ot:auto where no workflow runs, or to the workflow that it names; the person sees it', () => {
	const auto = {
		text: expect.stringMatching(/^⛔ MUST: read \/ot:auto .*Do not write code yourself\.$/),
		points: true,
	};
	expect(promptContext('build it', null, 'skills')).toEqual(auto);
	expect(promptContext('build it', foldAll([['workflow:complete', {}]], built()), 'skills')).toEqual(auto);
	for (const prompt of ['[workflow:tdd] build', 'build [WORKFLOW: Tdd ]']) {
		expect(promptContext(prompt, null, 'skills')).toEqual({
			text: '⛔ MUST: the person asks for the workflow tdd (Test driven): run /ot:tdd.',
			points: true,
		});
	}
	expect(promptContext('[workflow:nonsense] build', null, 'skills')).toEqual(auto);
	expect(promptContext('[workflow:constructor] build', null, 'skills')).toEqual(auto);
});

it('R716 a prompt during a workflow gets its progress; one for a command of ours, or of the client, no pointer', () => {
	const context = promptContext('go on', foldAll([['specs:init', { featureName: 'cart' }]], built()), 'skills');
	expect(context).toEqual({
		text: `Workflow quick for the feature cart is in progress: ● DEV ○ REVIEW ○ TEST ○ RETRO (1/4)\n${nextStep(built())}`,
		points: false,
	});
	expect(promptContext('  /ot:stop', built(), 'skills')).toBeNull();
	expect(promptContext('build it', null, null)).toBeNull();
	expect(promptContext('<task-notification> the developer has ended', null, 'skills')).toBeNull();
	expect(promptContext('<task-notification> the developer has ended', built(), 'skills')?.text).toMatch(
		/Delegate code-reviewer[^\n]*\nDEV is done: a good moment to compact/,
	);
});

it('without the plugin its skills are not recommended, but the open boxes and the command are', () => {
	const open = promptContext('build it', null, 'command');
	expect(open?.text).toContain('tasks.md');
	const named = promptContext('[workflow:tdd] build', null, null);
	expect(named?.text).toContain('`signalbox workflow start tdd`');
	expect(`${open?.text}${named?.text}`).not.toContain('/ot:');
});
