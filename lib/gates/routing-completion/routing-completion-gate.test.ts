import { expect, test } from 'vitest';
import type { CompletionFacts } from '../gate.ts';
import { completionDirective, judgeCompletion } from './routing-completion-gate.ts';

const open: CompletionFacts = {
	planId: 'route-1',
	open: ['developer: build'],
	retry: 0,
	maxRetries: 3,
	running: 0,
	declared: false,
};

test.each([
	[{}, 'deny', 'retry', 'open-tasks', '1 tasks of the plan route-1 are open'],
	[{ retry: 1 }, 'deny', 'retry', 'open-tasks', '1 tasks of the plan route-1 are open'],
	[{ retry: 2 }, 'pass', 'failed', 'retries-used-up', '1 tasks of the plan route-1 are open after 2 retries'],
	[{ open: [] }, 'pass', 'completed', 'no-open-task', 'the plan route-1 has no open task'],
	[{ declared: true }, 'pass', 'completed', 'declared', 'the agent declared the plan route-1 complete'],
	[{ running: 1, declared: true }, 'pass', null, 'agents-running', '1 agents still work in the background'],
] as [Partial<CompletionFacts>, string, string | null, string, string][])(
	'R283 a stop with %j: %s, the plan %s by routing.%s',
	(change, decision, end, rule, reason) => {
		const facts = { ...open, ...change };
		const verdict = { gate: 'routing-completion', decision, rule: `routing.${rule}`, reason, facts, end };
		expect(judgeCompletion(facts)).toEqual(verdict);
	},
);

test('R283 the agent learns the first five tasks, which retry it is, and how many more tasks there are', () => {
	const tasks = Array.from({ length: 7 }, (_, index) => `developer: step ${index + 1}`);
	const lines = completionDirective({ ...open, open: tasks, retry: 1 }).split('\n');
	expect(lines[0]).toBe('The routing plan route-1 is not finished (retry 2 of 3). Delegate its open tasks:');
	expect(lines.slice(1)).toEqual([...tasks.slice(0, 5).map((task) => `- ${task}`), '… and 2 more']);
	expect(completionDirective(open)).toMatch(/:\n- developer: build$/);
});
