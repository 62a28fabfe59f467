import { describe, expect, it } from 'vitest';
import type { HookDecision } from '../contract/events/catalogue/judgement.ts';
import type { GateRow, GateSettings } from './gate.ts';
import { gateTable, isGateActive, judgeHook, mayBeJudged } from './gate-table.ts';
import { agentCall, callOf, contextWith, noFridays } from './testing/gate-rig.ts';

const rows: readonly GateRow[] = [...gateTable, noFridays];
const settings = (gates: GateSettings['gates']) =>
	contextWith({ settings: { gates, onMismatch: 'deny', commands: { exclude: ['rm'] } } });
const answer = (
	line: string,
	context = settings({}),
	gates: readonly GateRow[] = rows,
): HookDecision | null | undefined =>
	judgeHook(callOf('Bash', { does: 'run-command', line }), context, { rows: gates })?.decision;

describe('a gate is its row', () => {
	it('with its row alone it denies, asks and passes', () => {
		expect(answer('git push')).toMatchObject({ decision: 'deny', reason: 'it is Friday' });
		expect(answer('git fetch')).toMatchObject({ decision: 'ask', reason: 'it is Friday' });
		expect(answer('git status')).toBeNull();
		expect(answer('git push', settings({}), gateTable)).toBeNull();
	});

	it('a gate is asked only at the points of its row, and only while it is switched on', () => {
		const push = callOf('Bash', { does: 'run-command', line: 'git push' });
		expect(mayBeJudged(push, [noFridays])).toBe(true);
		expect(mayBeJudged(agentCall('developer'), [noFridays])).toBe(false);
		expect(isGateActive(noFridays, { ...push, at: 'permission', suggestions: [] }, contextWith())).toBe(false);
		expect(answer('git push', settings({ noFridays: { enabled: false, hold: true } }))).toBeNull();
		const off = { ...noFridays, start: 'off' as const };
		expect(answer('git push', settings({}), [off])).toBeUndefined();
		expect(answer('git push', settings({ noFridays: { enabled: true, hold: true } }), [off])).toMatchObject({
			decision: 'deny',
		});
	});

	it('R1291 deny overrides ask, ask overrides pass, and every objecting gate is recorded', () => {
		const both = judgeHook(callOf('Bash', { does: 'run-command', line: 'git push; rm x' }), settings({}), { rows });
		expect(both?.decision).toMatchObject({ decision: 'deny', reason: expect.stringContaining('it is Friday') });
		expect(both?.verdicts.map(({ gate, decision }) => [gate, decision])).toEqual([
			['command-policy', 'deny'],
			['no-fridays', 'deny'],
		]);
		expect(answer('git fetch; rm x')).toMatchObject({
			decision: 'deny',
			reason: expect.not.stringContaining('Friday'),
		});
	});

	it('R1291 an overridden denial is not repeated, another denial remains', () => {
		const hook = callOf('Bash', { does: 'run-command', line: 'git push; rm x' });
		const seen = { gate: 'no-fridays', rule: 'fridays.push', reason: 'it is Friday' };
		const again = judgeHook(hook, settings({}), { rows, overridden: [seen] });
		expect(again?.verdict).toMatchObject({ gate: 'command-policy', decision: 'deny' });
		expect(again?.decision?.reason).not.toContain('Friday');
	});

	it('every gate of the table says who judges it, and one that judges has facts and a judge', () => {
		for (const { id, judgedBy } of gateTable as readonly GateRow[]) {
			if (typeof judgedBy === 'string') expect(['by-model', 'by-reviewer', 'guides']).toContain(judgedBy);
			else expect([id, typeof judgedBy.facts, typeof judgedBy.judge]).toEqual([id, 'function', 'function']);
		}
	});
});
