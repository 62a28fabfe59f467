import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startWorkflow } from '#hooks-bridge/engine/workflow/run-workflow.ts';
import type { WorkflowActionBody } from '#lib/contract/sessions/session-actions.ts';
import { isPaused } from '#lib/workflow/workflow-state.ts';
import { type FeaturesRig, openFeatures } from '../../testing/features-rig.ts';
import { createWorkflowControl } from './workflow-control.ts';

let rig: FeaturesRig;
beforeEach(async () => {
	rig = await openFeatures();
	rig.say('s1', 'session:start', { cwd: rig.project });
	await rig.whenSettled();
});
afterEach(async () => {
	await rig.close();
	rig.remove();
});

const by = { role: 'operator', via: 'browser' } as const;
async function act(body: WorkflowActionBody, sessionId = 's1') {
	const control = createWorkflowControl({ ports: rig.ports, journal: rig.journal, viewOf: rig.tail.viewOf });
	const done = await control.act(sessionId, body, by);
	await rig.whenSettled();
	return done;
}
const workflow = () => rig.tail.viewOf('s1')?.workflow;
const wishes = () => rig.journal.bySubject('session:s1').map(({ payload }) => payload);

test('R374 a person starts, pauses, resumes and stops a workflow; the journal has each wish', async () => {
	expect(await act({ action: 'start', type: 'quick', feature: 'cart' })).toEqual({
		type: 'quick',
		how: 'started',
		feature: 'cart',
	});
	expect(workflow()).toMatchObject({ workflowType: 'quick', featureName: 'cart' });
	expect(readFileSync(join(rig.project, 'specs/features/in-progress/cart/tasks.md'), 'utf8')).toContain('- [ ] DEV');
	expect(await act({ action: 'start', type: 'quick' })).toMatchObject({ how: 'attached' });
	expect(await act({ action: 'pause' })).toEqual({ type: 'quick', how: 'paused' });
	expect(isPaused(workflow())).toBe(true);
	expect(await act({ action: 'resume' })).toMatchObject({ how: 'resumed' });
	expect(isPaused(workflow())).toBe(false);
	expect(await act({ action: 'stop-loop' })).toMatchObject({ how: 'loop-stopped' });
	expect(rig.tail.viewOf('s1')?.loop).toMatchObject({ reason: 'stopped' });
	expect(await act({ action: 'stop' })).toEqual({ type: 'quick', how: 'stopped' });
	expect(workflow()).toMatchObject({ ended: { how: 'abort' } });
	expect(wishes()).toMatchObject([
		{ setting: 'workflow', action: 'start', type: 'quick', feature: 'cart', by },
		{ action: 'start' },
		{ action: 'pause' },
		{ action: 'resume' },
		{ action: 'stop-loop' },
		{ action: 'stop' },
	]);
});

test('R374 nothing happens where the journal cannot take the wish', async () => {
	const journal = { append: () => Promise.reject(new Error('disk full')) };
	const control = createWorkflowControl({ ports: rig.ports, journal, viewOf: rig.tail.viewOf });
	await expect(control.act('s1', { action: 'start', type: 'quick' }, by)).rejects.toThrow('disk full');
	expect(rig.ports.flow.has('s1')).toBe(false);
});

test('R374 what does not fit is refused with its reason', async () => {
	await expect(act({ action: 'pause' })).rejects.toMatchObject({ code: 'workflow/state' });
	await expect(act({ action: 'stop' })).rejects.toMatchObject({ code: 'workflow/state' });
	await expect(act({ action: 'start', type: 'quick', feature: '../x' })).rejects.toMatchObject({
		code: 'workflow/feature',
	});
	await expect(act({ action: 'stop' }, 'nobody')).rejects.toMatchObject({ code: 'session/not-found' });
	rig.say('s2', 'session:start', {});
	await rig.whenSettled();
	await expect(act({ action: 'start', type: 'quick', feature: 'cart' }, 's2')).rejects.toMatchObject({
		code: 'workflow/feature',
	});
	await act({ action: 'start', type: 'quick' });
	await expect(act({ action: 'start', type: 'tdd' })).rejects.toMatchObject({ code: 'workflow/running' });
	rig.say('s2', 'session:end', {});
	await rig.whenSettled();
	await expect(act({ action: 'start', type: 'quick' }, 's2')).rejects.toMatchObject({ code: 'workflow/session-over' });
});

test('R374 a command and a person at one time: both are recorded, one after the other', async () => {
	await act({ action: 'start', type: 'quick' });
	const service = { sessionId: 's1', project: rig.project, requestId: 'cli', ports: rig.ports };
	const [person, command] = await Promise.all([act({ action: 'pause' }), startWorkflow(service, 'quick')]);
	expect([person.how, command]).toMatchObject(['paused', { ok: true, how: 'attached' }]);
	expect(isPaused(workflow())).toBe(true);
});
