import { describe, expect, test } from 'vitest';
import type { ApprovalView, CallView } from '../contract/sessions/read-model/call-view.ts';
import { durationOf, objections, SERVER_RESTARTED } from '../session/call.ts';
import { foldCall } from '../session/fold-call.ts';
import { callName, deniedName, noteOf, outcomeWords, overriddenGate, personWords } from './call-words.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const base: CallView = { toolUseId: 't', seq: 1, at: at(0), calledAt: at(0), tool: 'Agent', title: '', verdicts: [] };
const denied: CallView = {
	...base,
	verdicts: [{ gate: 'routing-plan', decision: 'deny', rule: 'routing.agent-in-plan', reason: 'no' }],
	mismatch: { planId: 'p', actual: 'architect', expected: ['developer'] },
};
const approved: ApprovalView = {
	...{
		approvalId: 'a',
		state: 'approved',
		tool: 'Agent',
		title: '',
		denials: [],
		requestedAt: at(0),
		decidedAt: at(58),
	},
	reason: 'needed now',
};

describe('a call in words', () => {
	test('verdict, person and outcome are distinguished', () => {
		expect(outcomeWords(denied).word).toBe('denied');
		expect(noteOf({ ...denied, approval: approved, evidence: 'ran' })).toBe(
			'not in the plan · held 58s · approved: “needed now”',
		);
		expect(overriddenGate({ ...denied, approval: approved })).toBe('routing-plan');
		expect(overriddenGate(denied)).toBeUndefined();
		expect(outcomeWords({ ...denied, evidence: 'ran' })).toEqual({ word: 'denied, but ran', tone: 'err' });
	});

	test('R2402 an approval that came too late says that the agent had been denied, and no gate was overridden', () => {
		const late = { ...denied, approval: { ...approved, state: 'late' as const, isLate: true as const } };
		expect(outcomeWords(late)).toEqual({ word: 'denied', tone: 'err' });
		expect(noteOf(late)).toMatch(/approved, came too late: the agent had been denied: “needed now”/);
		expect(overriddenGate(late)).toBeUndefined();
		expect(outcomeWords({ ...late, evidence: 'ran' }).word).toBe('denied, but ran');
	});

	test('an approval that did not hold at release is shown as that', () => {
		expect(personWords({ ...approved, standing: 'plan changed' })).toMatch(/denied again at release: plan changed/);
	});

	test('an edited call shows what was denied and what ran instead', () => {
		const approval = { ...approved, state: 'approved' as const, title: 'rm -rf a', asked: 'architect' };
		const changed = { ...approval, changedDigest: 'x', changedTitle: '→ developer Build it' };
		expect(personWords(changed)).toContain('with another input, to run instead: → developer Build it');
		const call = { ...denied, tool: 'Agent', agentName: 'developer', approval: changed };
		expect(deniedName(call)).toBe('Agent → architect “rm -rf a”');
	});

	test('a decision shows which sign-in or token made it', () => {
		const by = { role: 'operator', via: 'token', access: '3fa2b1c0d4e5f607' } as const;
		expect(personWords({ ...approved, by })).toBe('approved by an operator (unnamed token): “needed now”');
		expect(personWords({ ...approved, state: 'denied', by: { ...by, via: 'browser' } })).toMatch(
			/\(browser\): “needed now”$/,
		);
	});

	test('a decision beside yes or no is shown', () => {
		const lasting = 'always allow Bash(make) (in this session)';
		expect(personWords({ ...approved, lasting })).toBe(
			'approved by an operator, and from now on always allow Bash(make) (in this session): “needed now”',
		);
		expect(personWords({ ...approved, state: 'denied', stopped: true })).toBe(
			'denied by an operator, ending the agent’s turn: “needed now”',
		);
		const { reason: _reason, ...plain } = approved;
		expect(personWords({ ...plain, state: 'answered', answer: 'SQLite; Coupons' })).toBe(
			'answered by an operator: SQLite; Coupons',
		);
	});

	test('an approval with another input is shown as that', () => {
		expect(personWords({ ...approved, changedDigest: 'd' })).toBe(
			'approved by an operator with another input: “needed now”',
		);
	});

	test('a plain call needs no second line, a closed one says why', () => {
		expect(noteOf({ ...base, evidence: 'ran' })).toBeNull();
		expect(noteOf({ ...base, closed: { at: at(1), why: 'client-gone' } })).toBe('closed because the agent is gone');
		const refused = { at: at(1), why: 'client-denied', reason: 'too risky' } as const;
		expect(noteOf({ ...base, closed: refused })).toBe('denied by the client itself: too risky');
	});

	test('a denied sub-agent call carries the name that was asked for', () => {
		expect(callName(denied)).toBe('Agent → architect');
		expect(callName(base)).toBe('Agent');
	});

	test('a sub-agent call that no plan speaks of carries the name, too', () => {
		const envelope = { id: 'e', ts: at(0), category: 'tool', label: '', sessionId: 's', seq: 1, toolUseId: 't' };
		const input = { subagent_type: 'ot:developer', prompt: 'Build it' };
		const started = foldCall(undefined, 't', { ...envelope, type: 'tool:call', tool: 'Agent', input });
		const guarded = { gate: 'stage-guard', decision: 'deny' as const, rule: 'stage.order', reason: 'no' };
		expect(callName({ ...started, verdicts: [guarded] })).toBe('Agent → developer');
	});

	test('a call that started an agent lasts as long as the agent', () => {
		expect(durationOf({ ...base, durationMs: 5, agentEnd: { at: at(3) } })).toBe(3_000);
		expect(durationOf({ ...base, durationMs: 5 })).toBe(5);
		expect(durationOf(base)).toBeUndefined();
	});

	test('one that waited for its agent lasts until it returns, also if the agent is woken once more', () => {
		const waited = { ...base, durationMs: 900, endedAt: at(1), agentEnd: { at: at(60) } };
		expect(durationOf(waited)).toBe(900);
		expect(durationOf({ ...waited, background: true })).toBe(60_000);
	});

	test('the time for which a call was held is no part of how long it ran', () => {
		const held = { ...base, approval: { ...approved, decidedAt: at(50) }, evidence: 'ran' as const };
		expect(durationOf({ ...held, agentEnd: { at: at(51) } })).toBe(1_000);
		expect(durationOf({ ...held, endedAt: at(52) })).toBe(2_000);
		expect(durationOf({ ...held, endedAt: at(52), durationMs: 52_000 })).toBe(2_000);
		expect(durationOf({ ...held, endedAt: at(52), durationMs: 40 })).toBe(40);
	});

	test('a hold that a dead server left behind shows only the longest that it can have been', () => {
		const left: ApprovalView = { ...approved, state: 'abandoned', reason: SERVER_RESTARTED };
		expect(noteOf({ ...denied, approval: left })).toContain(' · held at most 58s · ended without an answer');
		const closed = { at: at(34), why: 'turn-stopped' as const };
		expect(noteOf({ ...denied, approval: left, closed })).toContain(' · held at most 34s · ');
	});

	test('overrides are counted for each gate', () => {
		const overridden = { ...denied, approval: approved };
		expect(objections([denied, overridden, base])).toEqual([
			{ gate: 'routing-plan', calls: [denied, overridden], denied: 1, overridden: 1 },
		]);
	});
});
