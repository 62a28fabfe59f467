import { describe, expect, it } from 'vitest';
import { type PlanRead, strictest } from '../gate.ts';
import { agentCall, callOf, contextWith, judgingOf } from '../testing/gate-rig.ts';
import { mismatchBox, type RoutingFacts, routingPlan } from './routing-plan-gate.ts';

const gate = judgingOf<RoutingFacts>(routingPlan);
const routingFacts = (type: unknown, plan: PlanRead, tool = 'Task', project = '/shop') => {
	const facts = gate.factsOf(agentCall(type, tool), contextWith({ project, plan: () => plan }));
	if (!facts) throw new Error('the gate has nothing to say of a sub-agent');
	return facts;
};

const planOf = (status: string, ...agents: string[]): PlanRead => ({
	ok: true,
	plan: { planId: 'route-123', status, phases: [{ tasks: agents.map((agent) => ({ agent, status: 'pending' })) }] },
});
const judge = (subagentType: unknown, plan: PlanRead, tool = 'Task') =>
	gate.judge(routingFacts(subagentType, plan, tool));

describe('seed 000: allowed', () => {
	it.each([
		['there is no active plan', 'developer', null, 'routing.no-plan'],
		['the plan is completed', 'architect', planOf('completed', 'developer'), 'routing.plan-not-active'],
		['the plan has failed', 'architect', planOf('failed', 'developer'), 'routing.plan-not-active'],
		['the plan is cancelled', 'architect', planOf('cancelled', 'developer'), 'routing.plan-not-active'],
		['the agent is in the plan', 'developer', planOf('pending', 'developer'), 'routing.agent-in-plan'],
		[
			'the prefixed agent is in the plan',
			'vibe-engine-core:developer',
			planOf('in_progress', 'developer'),
			'routing.agent-in-plan',
		],
		[
			'spelling differs only by space and case',
			'  Architect  ',
			planOf('pending', 'Architect'),
			'routing.agent-in-plan',
		],
		['no subagent_type is given', undefined, planOf('pending', 'developer'), 'routing.no-agent-named'],
		['the subagent_type is no text', 5, planOf('pending', 'developer'), 'routing.no-agent-named'],
		['no task is open', 'architect', planOf('pending'), 'routing.no-open-task'],
		['the plan cannot be read', 'architect', { ok: false, reason: 'it is not valid JSON' }, 'routing.plan-unreadable'],
	] as [string, unknown, PlanRead, string][])('R10 when %s', (_, type, plan, rule) => {
		expect(judge(type, plan)).toMatchObject({ gate: 'routing-plan', decision: 'pass', rule });
	});

	it.each([
		['developer', null, 'there is no routing plan'],
		[undefined, planOf('pending', 'developer'), 'the call names no subagent_type'],
		['architect', planOf('completed', 'developer'), 'the routing plan is completed'],
		['architect', planOf('', 'developer'), 'the routing plan is without status'],
		['architect', planOf('pending'), 'the routing plan has no open task'],
		['developer', planOf('pending', 'developer'), 'the routing plan expects this agent'],
		['developer', { ok: false, reason: 'it is too large' }, 'the routing plan could not be read: it is too large'],
	] as [unknown, PlanRead, string][])('R10 an allowed call of %j with plan %j says why: %s', (type, plan, reason) => {
		expect(judge(type, plan)).toMatchObject({ decision: 'pass', reason });
	});

	it('R10 when the call starts no agent', () => {
		const context = contextWith({ plan: () => planOf('pending', 'dev') });
		expect(gate.factsOf(callOf('Read', { does: 'other' }), context)).toBeNull();
	});
});

describe('seed 000: denied', () => {
	it.each(['pending', 'in_progress'])('R10 when a %s plan expects others', (status) => {
		expect(judge('architect', planOf(status, 'developer'), 'Agent')).toMatchObject({
			decision: 'deny',
			rule: 'routing.agent-in-plan',
			reason: 'Agent mismatch: architect not in expected [developer]',
		});
	});

	it('R19 keeps the facts that judged it, so that they judge the same again', () => {
		const facts = routingFacts('architect', planOf('pending', 'developer'));
		const verdict = gate.judge(facts);
		expect(gate.judge(JSON.parse(JSON.stringify(verdict.facts)))).toEqual(verdict);
	});

	it('R38 asks the same question for the same project, plan and agent only', () => {
		const print = (type: string, project = '/shop', plan = planOf('pending', 'developer')) =>
			gate.printOf(routingFacts(type, plan, 'Task', project))?.key;
		expect(print('architect')).toBe(print('core:Architect'));
		expect(
			new Set([print('architect'), print('tester'), print('architect', '/b'), print('architect', '/shop', null)]).size,
		).toBe(4);
	});
});

describe('mismatchBox', () => {
	const boxOf = (agents: string[], actual = 'architect') =>
		mismatchBox(routingFacts(actual, planOf('pending', ...agents)));

	it('R16 names the plan, both agents and a sample call for each expected agent', () => {
		const lines = boxOf(['developer', 'tester']).split('\n');
		expect(lines[0]).toMatch(/^╔═+ Agent Type Mismatch ═+╗$/);
		expect(lines.slice(1, 4)).toEqual(['預期使用: [developer, tester]', '實際使用: architect', '路由計劃: route-123']);
		expect(lines).toContain('  Task({"subagent_type":"developer","prompt":"..."})');
		expect(lines).toContain('  Task({"subagent_type":"tester","prompt":"..."})');
		expect(lines.at(-1)).toMatch(/^╚═+╝$/);
		const agent = mismatchBox(routingFacts('x', planOf('pending', 'developer'), 'Agent'));
		expect(agent).toContain('  Agent({"subagent_type":"developer","prompt":"..."})');
	});

	it('R16 keeps hostile agent names on their line and without control characters', () => {
		const hostile = '\u001b[2J\u001b[31mdev\n╚═══╝\u202e"})';
		const box = boxOf([hostile], `arch\r\n${hostile}`);
		expect(box.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
		expect(box.split('\n')).toHaveLength(8);
	});

	it('R16 stays short for a plan of thousands of agents', () => {
		const many = Array.from({ length: 5000 }, (_, n) => `agent-${n}-${'x'.repeat(150)}`);
		expect(boxOf(many).length).toBeLessThan(4000);
		expect(judge('architect', planOf('pending', ...many)).reason.length).toBeLessThan(2000);
		expect(boxOf(many)).toContain('… 4992 more');
	});
});

describe('strictest', () => {
	it('R10 puts deny before ask before pass, and among equals the first named', () => {
		const verdict = (decision: 'deny' | 'ask' | 'pass', gate: string) => ({
			gate,
			decision,
			rule: 'r',
			reason: '',
			facts: {},
		});
		expect(
			strictest([verdict('pass', 'a'), verdict('ask', 'b'), verdict('deny', 'c'), verdict('deny', 'd')])?.gate,
		).toBe('c');
		expect(strictest([])).toBeUndefined();
	});
});

it('a mismatch is recorded with the agents that were expected, 100 at most; a call that names none records nothing', () => {
	const { judgedBy } = routingPlan;
	if (typeof judgedBy === 'string') throw new Error('the routing plan is judged by its own functions');
	const expected = Array.from({ length: 101 }, (_, nth) => `agent-${nth}`);
	const recorded = (actual: string | null) =>
		judgedBy.records?.({ ...routingFacts('architect', null), actual, expected });
	expect(recorded('architect')).toEqual([
		{ type: 'routing:mismatch', planId: 'unknown', actual: 'architect', expected: expected.slice(0, 100) },
	]);
	expect(recorded(null)).toEqual([]);
});
