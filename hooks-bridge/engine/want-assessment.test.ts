import { expect, test } from 'vitest';
import { agentCall } from '#lib/gates/testing/gate-rig.ts';
import { ASSESSMENT_MARGIN_SECONDS, wantAssessment } from './decide-call.ts';
import type { HookContext } from './facts.ts';

const contextOf = (mayAssess?: boolean, enabled = true) =>
	({
		project: '/shop',
		settings: { gates: { spawnValidator: { enabled }, completionValidator: { enabled: false } } },
		ports: mayAssess === undefined ? {} : { mayAssess: () => mayAssess },
	}) as unknown as HookContext;
const runFor = (timeoutSeconds?: number) =>
	({ requestId: 'r', profile: 'open', ...(timeoutSeconds !== undefined && { timeoutSeconds }) }) as const;
const LONG = ASSESSMENT_MARGIN_SECONDS + 1;

test.each([
	['a server with a model and time enough', LONG, true, true],
	['a server without a model', LONG, false, false],
	['no server', LONG, undefined, false],
	['too little time before the hook’s own timeout', ASSESSMENT_MARGIN_SECONDS, true, false],
	['a hook that says no timeout', undefined, true, false],
])('the answer waits for the assessment only with both: %s', (_, seconds, mayAssess, hookWaits) => {
	const wanted = wantAssessment(agentCall('developer'), runFor(seconds), contextOf(mayAssess), null);
	expect(wanted).toMatchObject({ validator: 'spawn', root: '/shop', decision: null, hookWaits });
});

test('a validator that is switched off wants nothing', () => {
	expect(wantAssessment(agentCall('developer'), runFor(LONG), contextOf(true, false), null)).toBeUndefined();
});
