import { expect, test } from 'vitest';
import type { Deed } from '../../agents/tool-call.ts';
import { isAutoFix } from '../../routing/routing-state.ts';
import { callOf, contextWith, judgingOf } from '../testing/gate-rig.ts';
import { type EnforcerFacts, routingEnforcer } from './routing-enforcer-gate.ts';

const gate = judgingOf<EnforcerFacts>(routingEnforcer);
const plan = {
	planId: 'route-1',
	status: 'in_progress',
	phases: [{ tasks: [{ agent: 'developer', status: 'pending' }] }],
};
const factsOf = (deed: Deed) => gate.factsOf(callOf('Bash', deed), contextWith({ plan: () => ({ ok: true, plan }) }));
const printOf = (deed: Deed) => {
	const facts = factsOf(deed);
	if (!facts) throw new Error('the gate has nothing to say of it');
	return gate.printOf(facts);
};

test('R601 a command is known again by its exact text, one that leaves the sandbox by nothing', () => {
	const known = printOf({ does: 'run-command', line: 'make all' });
	expect(known?.words).toContain('make all');
	expect(printOf({ does: 'run-command', line: 'make  all' })?.key).not.toBe(known?.key);
	expect(printOf({ does: 'run-command', line: 'make all', leavesSandbox: true })).toBeNull();
	expect(factsOf({ does: 'run-command', line: 'x'.repeat(2001) })?.target).toBeNull();
});

const own: EnforcerFacts = {
	project: '/p',
	tool: 'Write',
	target: 'a.ts',
	inside: false,
	autoFix: false,
	planId: 'route-1',
	expected: ['developer', 'tester'],
};

test.each([
	[{}, 'deny', 'delegate', 'Write is for the agents of the routing plan. Delegate developer'],
	[{ expected: [] }, 'pass', 'no-open-task', 'no active plan has an open task'],
	[{ inside: true }, 'pass', 'sub-agent', 'a sub-agent does its own work'],
	[{ autoFix: true }, 'pass', 'auto-fix', 'an automatic repair is at work'],
	[{ tool: 'EnterPlanMode', expected: [] }, 'deny', 'plan-mode', 'plan mode is not for a routed session'],
	[{ tool: 'EnterPlanMode', inside: true }, 'pass', 'sub-agent', 'a sub-agent does its own work'],
	[{ tool: 'EnterPlanMode', autoFix: true }, 'pass', 'auto-fix', 'an automatic repair is at work'],
] as [Partial<EnforcerFacts>, string, string, string][])(
	'R280 the routing enforcer with %j: %s by enforcer.%s',
	(change, decision, rule, reason) => {
		const facts = { ...own, ...change };
		expect(gate.judge(facts)).toEqual({
			gate: 'routing-enforcer',
			decision,
			rule: `enforcer.${rule}`,
			reason,
			facts,
		});
	},
);

test('R280 a repair counts while it is active, for fewer than three rounds and five minutes', () => {
	const now = Date.parse('2026-02-23T14:00:00.000Z');
	const state = (change: object) =>
		JSON.stringify({ active: true, iteration: 2, startedAt: '2026-02-23T13:55:00.001Z', ...change });
	expect(isAutoFix(state({}), now)).toBe(true);
	expect(isAutoFix(state({ startedAt: undefined, timestamp: now - 299_999 }), now)).toBe(true);
	const over = [{ active: false }, { iteration: 3 }, { startedAt: '2026-02-23T13:55:00.000Z' }, { startedAt: 'soon' }];
	for (const change of over) expect([change, isAutoFix(state(change), now)]).toEqual([change, false]);
	for (const junk of ['', '[]', 'null']) expect(isAutoFix(junk, now)).toBe(false);
});

test('a repair that begins in the future is none: it would never be over', () => {
	const now = Date.parse('2026-02-23T14:00:00.000Z');
	const state = (startedAt: string) => JSON.stringify({ active: true, iteration: 0, startedAt });
	expect(isAutoFix(state('2026-02-23T14:00:00.000Z'), now)).toBe(true);
	for (const startedAt of ['2026-02-23T14:00:00.001Z', '2999-01-01T00:00:00.000Z']) {
		expect([startedAt, isAutoFix(state(startedAt), now)]).toEqual([startedAt, false]);
	}
});
