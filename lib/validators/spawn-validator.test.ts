import { expect, test } from 'vitest';
import { breakdownPrompt, FALLBACK_COMPLEXITY, SpawnValidator } from './spawn-validator.ts';
import { memoryOf, type Task } from './task.ts';
import { scriptedClient } from './testing/scripted-client.ts';

const evidence = {
	filesCount: 6,
	functionsEstimate: 9,
	linesEstimate: null,
	integrationPoints: ['sessions', 'mail'],
	hasMultipleSteps: true,
	requiresCoordination: true,
};
const complex = { rating: 'complex', evidence, reasoning: 'It touches six files.' };
const breakdown = {
	required: true,
	reasoning: 'Several components must agree.',
	suggestedSubtasks: ['Write the login form', 'Store sessions', 'Send mails', 'Test the whole'],
	integrationConsiderations: ['One session format'],
};
const request = { task: 'Implement authentication system', memoryStore: memoryOf([]) };

test.each(['simple', 'moderate'])('R553 a %s task is allowed after one question', async (rating) => {
	const { client, asked } = scriptedClient({ ...complex, rating });
	const result = await new SpawnValidator(client).validateSpawn(request);
	expect(result).toMatchObject({ allowed: true, requiresBreakdown: false, complexity: { rating } });
	expect(asked.map(({ name }) => name)).toEqual(['complexity_assessment']);
});

test('R553 a complex task that must be broken down is not allowed, with subtasks and considerations', async () => {
	const { client } = scriptedClient(complex, breakdown);
	const result = await new SpawnValidator(client).validateSpawn(request);
	expect(result).toMatchObject({
		allowed: false,
		requiresBreakdown: true,
		reason: breakdown.reasoning,
		complexity: { rating: 'complex' },
		breakdownDecision: breakdown,
	});
	expect(result.fallback).toBeUndefined();
});

test('R553 a complex task that may stay whole is allowed with both assessments', async () => {
	const { client } = scriptedClient(complex, { ...breakdown, required: false });
	const result = await new SpawnValidator(client).validateSpawn(request);
	expect(result).toMatchObject({ allowed: true, requiresBreakdown: false, breakdownDecision: { required: false } });
	expect(result.complexity?.rating).toBe('complex');
});

test('R554 a subtask of a known parent is allowed without a question', async () => {
	const parent: Task = { id: 'p1', description: 'login', status: 'active', priority: 'high' };
	const { client, asked } = scriptedClient(complex, breakdown);
	const spawn = { ...request, parent_task_id: 'p1', memoryStore: memoryOf([parent]) };
	expect(await new SpawnValidator(client).validateSpawn(spawn)).toEqual({ allowed: true, requiresBreakdown: false });
	expect(asked).toEqual([]);
});

test('R554 a subtask of an unknown parent is not allowed, and that is no matter of breakdown', async () => {
	const result = await new SpawnValidator(scriptedClient().client).validateSpawn({ ...request, parent_task_id: 'p2' });
	expect(result).toEqual({ allowed: false, requiresBreakdown: false, reason: 'Parent task not found: p2' });
});

test('R555 without a rating the task counts as moderate and is allowed', async () => {
	for (const failure of ['not-configured', 'timeout', 'budget', 'failed', 'unreadable'] as const) {
		const result = await new SpawnValidator(scriptedClient(failure).client).validateSpawn(request);
		expect(result).toMatchObject({ allowed: true, requiresBreakdown: false, complexity: FALLBACK_COMPLEXITY });
		expect(result.fallback).toBeDefined();
	}
});

test('R555 a rating that is none of the three, or lacks its parts, is no rating', async () => {
	for (const answer of [
		{ ...complex, rating: 'huge' },
		{ ...complex, evidence: undefined },
		{ ...complex, reasoning: 5 },
		{ ...complex, allowed: true },
	]) {
		const result = await new SpawnValidator(scriptedClient(answer).client).validateSpawn(request);
		expect(result.complexity?.rating).toBe('moderate');
	}
});

test('R555 without a decision a complex task is broken down, with three general subtasks', async () => {
	for (const second of ['timeout', { required: 'yes' }, { ...breakdown, required: 'no' }] as const) {
		const result = await new SpawnValidator(scriptedClient(complex, second).client).validateSpawn(request);
		expect(result).toMatchObject({ allowed: false, requiresBreakdown: true, fallback: expect.any(String) });
		expect(result.breakdownDecision?.suggestedSubtasks).toHaveLength(3);
		expect(result.breakdownDecision?.integrationConsiderations).toHaveLength(1);
	}
});

test('R556 the message names task, rating, evidence, subtasks, considerations and the next steps', async () => {
	const { client } = scriptedClient(complex, breakdown);
	const { suggestedMessage } = await new SpawnValidator(client).validateSpawn(request);
	expect(suggestedMessage).toMatchInlineSnapshot(`
		"This task must be broken down before a sub-agent gets it.
		Task: Implement authentication system
		Complexity: complex. It touches six files.
		Evidence:
		- files: 6
		- functions: about 9
		- integration points: sessions, mail
		- several sequential steps
		- coordination between components
		Recommendation: Several components must agree.
		Suggested subtasks:
		1. Write the login form
		2. Store sessions
		3. Send mails
		4. Test the whole
		Where they meet:
		- One session format
		Next steps:
		1. Make a task for the whole.
		2. Break it down into subtasks like the ones above.
		3. Start one sub-agent for each subtask and name the subtask in its description.
		For example:
		- a sub-agent for "Write the login form"
		- a sub-agent for "Store sessions"
		- a sub-agent for "Send mails""
	`);
});

test('R556 the breakdown is decided with the whole context of the session', () => {
	const task = (id: string, status: Task['status'], more: Partial<Task> = {}): Task => ({
		id,
		description: `task ${id}`,
		status,
		priority: 'medium',
		...more,
	});
	const tasks = [
		...Array.from({ length: 7 }, (_, index) => task(`c${index}`, 'completed', { filesModified: [`${index}.ts`] })),
		task('a1', 'active'),
		...Array.from({ length: 12 }, (_, position) => task(`w${position}`, 'waiting', { parentId: 'a1' })),
		task('b1', 'blocked', { blockedBy: ['a1'] }),
	];
	const prompt = breakdownPrompt(
		{ ...request, role: 'developer', files: ['a.ts'], success_criteria: 'tests pass', memoryStore: memoryOf(tasks) },
		FALLBACK_COMPLEXITY,
	);
	const data = prompt
		.split('\n')
		.filter((line) => /^[[{]/.test(line))
		.map((line) => JSON.parse(line));
	expect(data[0]).toEqual({
		task: request.task,
		role: 'developer',
		files: ['a.ts'],
		successCriteria: 'tests pass',
	});
	expect(data[2].count).toBe(7);
	expect(data[2].last.map(({ files }: { files: string[] }) => files[0])).toEqual([
		'2.ts',
		'3.ts',
		'4.ts',
		'5.ts',
		'6.ts',
	]);
	expect(data[3]).toEqual(['task a1']);
	expect([data[4].count, data[4].first.length, data[4].first[0].parent]).toEqual([12, 10, 'a1']);
	expect(data[5]).toEqual([{ description: 'task b1', blockedBy: ['a1'] }]);
	expect(data[6]).toEqual({ topLevel: 9, subtasks: 12 });
});
