import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callKind } from '../agents/recorded-event.ts';
import { agentNameOf, expectedAgents, isActivePlan, parseRoutingState } from './routing-state.ts';

const plan = (phases: unknown, status: unknown = 'pending') => JSON.stringify({ planId: 'route-1', status, phases });
const isStart = (tool: unknown) => callKind({ tool: tool as string }) === 'start-agent';
const agentsOf = (json: string) => {
	const read = parseRoutingState(json);
	return read.ok ? expectedAgents(read.plan) : read.reason;
};

describe('agent names', () => {
	it.each([
		['developer', 'developer'],
		['vibe-engine-core:developer', 'developer'],
		['  Architect  ', 'architect'],
		['a:b: Tester ', 'tester'],
		['', null],
		['plugin:', null],
		['   ', null],
		[undefined, null],
		[7, null],
		[{ toString: () => 'developer' }, null],
	])('R11 %j names %j', (given, name) => {
		expect(agentNameOf(given)).toBe(name);
	});

	it('R12 knows both tool names exactly', () => {
		expect(['Agent', 'Task', 'agent', 'TaskCreate', '', null].map(isStart)).toEqual([
			true,
			true,
			false,
			false,
			false,
			false,
		]);
	});
});

describe('parseRoutingState', () => {
	it('R13 expects the agents of open tasks over all phases, each once, in file order', () => {
		const tasks = (...pairs: [string, string][]) => ({ tasks: pairs.map(([agent, status]) => ({ agent, status })) });
		const phases = [
			tasks(['architect', 'completed'], ['developer', 'pending']),
			tasks(['x:Tester', 'executing'], ['developer', 'executing'], ['reviewer', 'failed'], ['explorer', 'skipped']),
		];
		expect(agentsOf(plan(phases))).toEqual(['developer', 'tester']);
	});

	it('R10 holds plans that are pending or in progress for active, no others', () => {
		const states = ['pending', 'in_progress', 'completed', 'failed', 'cancelled', 'Pending', ''];
		expect(states.filter((status) => isActivePlan({ status }))).toEqual(['pending', 'in_progress']);
	});

	it.each([
		['', 'it is not valid JSON'],
		['{"planId":', 'it is not valid JSON'],
		['null', 'it is not a JSON object'],
		['[]', 'it is not a JSON object'],
		['"plan"', 'it is not a JSON object'],
		['{"status":"pending"}', 'it has no list of phases'],
		['{"status":"pending","phases":{}}', 'it has no list of phases'],
		['{"phases":[]}', 'it has no status'],
	])('R17 refuses %j because %s', (json, reason) => {
		expect(parseRoutingState(json)).toEqual({ ok: false, reason });
	});

	it('R18 leaves out tasks and phases that are none, and reads the rest', () => {
		const tasks = [
			null,
			5,
			'x',
			[],
			{ agent: 5 },
			{ agent: '' },
			{ status: 'pending' },
			{ agent: 'dev', status: 'pending' },
		];
		expect(agentsOf(plan([null, 3, 'p', [], { tasks: 'no' }, { phase: 'x', tasks }]))).toEqual(['dev']);
	});

	it('R18 survives __proto__ keys, deep nesting and a plan of a mebibyte', () => {
		const json = '{"__proto__":{"polluted":1},"status":"pending","phases":[{"__proto__":{"tasks":[]},"tasks":[]}]}';
		expect(agentsOf(json)).toEqual([]);
		expect('polluted' in {}).toBe(false);
		expect(agentsOf(`{"status":"pending","phases":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).toEqual([]);
		const many = Array.from({ length: 16_000 }, (_, n) => ({
			agent: `agent-${n}`,
			status: 'pending',
			description: 'x',
		}));
		expect(agentsOf(plan([{ tasks: many }]))).toHaveLength(16_000);
	});

	it('R18 never throws, whatever the text', () => {
		fc.assert(fc.property(fc.json({ maxDepth: 6 }), (json) => void parseRoutingState(json)));
		fc.assert(
			fc.property(fc.record({ status: fc.anything(), phases: fc.array(fc.anything()) }), (value) => {
				const read = parseRoutingState(JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? Number(v) : v)));
				if (read.ok) expectedAgents(read.plan);
			}),
		);
	});

	it('R13 reads a file that starts with a byte order mark', () => {
		expect(agentsOf(`\ufeff${plan([{ tasks: [{ agent: 'dev', status: 'pending' }] }])}`)).toEqual(['dev']);
	});
});
