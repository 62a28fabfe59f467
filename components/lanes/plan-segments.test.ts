import { expect, test } from 'vitest';
import type { AgentView, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { emptyView } from '#lib/session/fold.ts';
import { planTimeline } from './plan-rows.tsx';

const at = (second: number) => new Date(second * 1000).toISOString();
const agent = (name: string, from: number, to?: number): AgentView => ({
	agentId: `${name}-${from}`,
	name,
	starts: 1,
	ends: to === undefined ? 0 : 1,
	startedAt: at(from),
	...(to !== undefined && { endedAt: at(to) }),
	calls: 0,
});
const plan = (status = 'in_progress'): NonNullable<SessionView['plan']> => ({
	planId: 'p',
	status,
	at: at(0),
	seq: 1,
	phases: [
		{ phase: 1, tasks: [{ agent: 'planner', status: 'completed' }] },
		{
			phase: 2,
			tasks: [
				{ agent: 'developer', status: 'executing' },
				{ agent: 'tester', status: 'executing' },
			],
		},
		{
			phase: 3,
			tasks: [
				{ agent: 'reviewer', status: 'pending' },
				{ agent: 'writer', status: 'pending' },
				{ agent: 'archivist', status: 'skipped' },
			],
		},
	],
});

test('tasks lie where their agents worked, parallel ones under each other; the rest is expected', () => {
	const agents = [agent('planner', 10, 20), agent('developer', 30), agent('tester', 35, 50), agent('stranger', 1)];
	expect(planTimeline({ ...emptyView('s1'), plan: plan(), agents }, 60_000)).toEqual({
		depth: 2,
		segments: [
			{
				key: '0 0 planner-10',
				agent: 'planner',
				phase: 'Phase 1',
				status: 'completed',
				from: 10_000,
				to: 20_000,
				isOpen: false,
				depth: 0,
			},
			{
				key: '1 0 developer-30',
				agent: 'developer',
				phase: 'Phase 2',
				status: 'executing',
				from: 30_000,
				to: 60_000,
				isOpen: true,
				depth: 0,
			},
			{
				key: '1 1 tester-35',
				agent: 'tester',
				phase: 'Phase 2',
				status: 'executing',
				from: 35_000,
				to: 50_000,
				isOpen: false,
				depth: 1,
			},
		],
		expected: [{ key: '2', phase: 'Phase 3', agents: ['reviewer', 'writer'] }],
	});
});

test('a plan that is over expects nobody, and without a plan there is no row', () => {
	expect(planTimeline({ ...emptyView('s1'), plan: plan('failed') }, 0)).toEqual({
		segments: [],
		depth: 1,
		expected: [],
	});
	expect(planTimeline(emptyView('s1'), 0)).toBeNull();
});
