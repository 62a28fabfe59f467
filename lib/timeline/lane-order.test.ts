import { expect, test } from 'vitest';
import type { AgentView } from '../contract/sessions/read-model/session-view.ts';
import { type Lane, orderLanes } from './lanes.ts';

const agent = (agentId: string, second: number, toolUseId?: string): AgentView => ({
	...{ agentId, name: 'developer', starts: 1, ends: 0, calls: 0 },
	startedAt: new Date(second * 1000).toISOString(),
	...(toolUseId && { toolUseId }),
});
const lane = (agentId?: string): Lane => ({ agentId, bars: [], depth: 1 });
const callers: Readonly<Record<string, { agentId?: string; title: string }>> = {
	c1: { title: 'Build it' },
	c2: { agentId: 'a', title: '' },
	c3: { agentId: 'b', title: '' },
};
const placesOf = (lanes: readonly Lane[], agents: readonly AgentView[]) =>
	orderLanes(lanes, agents, (id) => callers[id]).map(({ agentId, level }) => [agentId ?? 'main', level]);

test('lanes are under their callers in the order in which they began, and the main lane stays on top', () => {
	const agents = [agent('b', 3, 'c2'), agent('a', 1, 'c1'), agent('z', 2, 'c1'), agent('c', 4, 'c3')];
	const order = [
		['main', 0],
		['a', 1],
		['b', 2],
		['c', 3],
		['z', 1],
	];
	expect(placesOf([], agents)).toEqual(order);
	expect(orderLanes([], agents, (id) => callers[id])[1]).toMatchObject({
		task: 'Build it',
		life: { from: 1000, to: null },
	});
	expect(placesOf([lane('c'), lane('z'), lane(), lane('a')], agents)).toEqual(order);
});

test('an agent that is not known any more, or whose callers go round in a circle, has a lane all the same', () => {
	expect(placesOf([lane('gone')], [])).toEqual([
		['main', 0],
		['gone', 1],
	]);
	const cyclic = [agent('a', 1, 'c3'), agent('b', 2, 'c2')];
	expect(
		placesOf([], cyclic)
			.map(([id]) => id)
			.sort(),
	).toEqual(['a', 'b', 'main']);
});
