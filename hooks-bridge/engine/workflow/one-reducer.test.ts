import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseEvent } from '#lib/contract/events/event.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { emptyView, fold } from '#lib/session/fold.ts';
import { makeWorkflowRig, type WorkflowRig } from '../../testing/workflow-rig.ts';

let rig: WorkflowRig;
beforeEach(() => {
	rig = makeWorkflowRig();
});
afterEach(() => rig.remove());

const timelineOf = (sessionId: string) => join(rig.home, 'sessions', sessionId, 'timeline.jsonl');

/** The session as the page has it: every whole line of its timeline, through the contract and the one fold. */
function viewOf(sessionId: string): SessionView {
	let view = emptyView(sessionId);
	for (const line of readFileSync(timelineOf(sessionId), 'utf8').split('\n')) {
		const event = line === '' ? null : parseEvent({ ...JSON.parse(line), sessionId });
		if (event) view = fold(view, { ...event, seq: view.seq + 1 }, () => undefined).view;
	}
	return view;
}

const plain = (state: unknown) => JSON.parse(JSON.stringify(state ?? null));
const expectAgreement = (sessionId: string) =>
	expect(plain(rig.ports.flow.read(sessionId).workflow)).toEqual(plain(viewOf(sessionId).workflow));

const ids = fc.constantFrom('t1', 't2', 't3', undefined);
const line = fc.record({
	type: fc.constantFrom(
		...['workflow:start', 'workflow:complete', 'workflow:abort', 'workflow:pause', 'workflow:resume'],
		...['stage:start', 'stage:complete', 'stage:retry', 'agent:delegate', 'agent:start', 'agent:complete'],
		...['agent:error', 'tool:result', 'tool:error', 'parallel:start', 'parallel:converge', 'specs:init', 'error:fatal'],
		...['session:start', 'session:end', 'prompt:submit', 'loop:advance'],
	),
	workflowType: fc.constantFrom('quick', 'standard', 'tdd', 'x'.repeat(80)),
	stage: fc.constantFrom('DEV', 'REVIEW', 'TEST', 'TEST:2', 'nowhere', '__proto__'),
	agent: fc.constantFrom('developer', 'tester', 'code-reviewer', 'debugger'),
	toolUseId: ids,
	agentId: ids,
	startedAgentId: ids,
	background: fc.constantFrom(true, undefined),
	result: fc.constantFrom('pass', 'FAIL', 'reject', 'issues', 'superb', undefined),
	source: fc.constantFrom('comment', 'none', undefined),
	group: fc.constantFrom('quality', 'own'),
	reason: fc.constantFrom('r', 'long '.repeat(400)),
	featureName: fc.constantFrom('cart', 'y'.repeat(120)),
});

it('R1242 the gate and the page have the same state, for any timeline and any checkpoints', () => {
	let serial = 0;
	const parts = fc.array(fc.array(line, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 6 });
	fc.assert(
		fc.property(parts, (written) => {
			const sessionId = `random-${++serial}`;
			rig.ports.sessionFiles.prepare(sessionId);
			const appendEvent = (fields: object) => {
				const ts = new Date(Date.UTC(2026, 1, 23) + ++serial * 1000).toISOString();
				const event = { id: `e${serial}`, ts, category: 'x', label: 'x', tool: 'Agent', error: '', ...fields };
				appendFileSync(timelineOf(sessionId), `${JSON.stringify(event)}\n`);
			};
			appendEvent({ type: 'workflow:start', workflowType: 'quick' });
			for (const lines of written) {
				// Every part is folded from the checkpoint that the one before has left.
				rig.ports.flow.locked(sessionId, () => lines.forEach(appendEvent));
			}
			appendEvent({ type: 'stage:start', stage: 'DEV' });
			expectAgreement(sessionId);
		}),
		{ numRuns: 60 },
	);
});

it('R1242 through the hooks too: starts, ends, failures, losses, pauses and an edited file', () => {
	rig.start('quick', 'cart');
	const failed = (call: string, interrupt = false) =>
		rig.hook('PostToolUseFailure', { tool_name: 'Agent', tool_use_id: call, error: 'no', is_interrupt: interrupt });
	const steps: (() => unknown)[] = [
		() => rig.ask('developer', 'c1'),
		() => failed('c1'),
		() => rig.ask('developer', 'c2'),
		() => failed('c2', true),
		() => rig.ask('developer', 'c3'),
		() => rig.stop(),
		() => rig.runAgent('developer'),
		() => rig.runAgent('tester', '2 tests failed'),
		() => rig.writeFile('home/sessions/s1/workflow.json', JSON.stringify({ ...rig.state(), rejectCount: 2 })),
		() => rig.runAgent('code-reviewer', 'REJECT: it leaks'),
		() => rig.hook('SessionEnd', { reason: 'other' }),
		() => rig.hook('SessionStart', { source: 'resume' }),
		() => rig.stop(),
	];
	for (const step of steps) {
		step();
		// Only a hook under the lock tells an edit, so the page knows of it then.
		if (step !== steps[8]) expectAgreement('s1');
	}
	expect(viewOf('s1').workflow).toMatchObject({ rejectCount: 3, fatal: {}, ended: { how: 'abort' } });
});
