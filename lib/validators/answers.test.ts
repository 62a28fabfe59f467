import { expect, test } from 'vitest';
import * as z from 'zod';
import { BreakdownDecision, ComplexityAssessment, WorkflowAnalysis } from './answers.ts';
import { CompletionWorkflowValidator } from './completion-workflow-validator.ts';
import { SpawnValidator } from './spawn-validator.ts';
import { memoryOf, type Task } from './task.ts';
import { scriptedClient } from './testing/scripted-client.ts';

const task = (id: string): Task => ({ id, description: `task ${id}`, status: 'waiting', priority: 'medium' });
const required = { required: true, reasoning: 'r', suggestedSubtasks: ['one'], integrationConsiderations: [] };

test('R1270 a complex task is denied though the optional figures are missing', async () => {
	const evidence = { hasMultipleSteps: true, requiresCoordination: true };
	const { client } = scriptedClient({ rating: 'complex', evidence, reasoning: 'many parts' }, required);
	const result = await new SpawnValidator(client).validateSpawn({ task: 'Build it', memoryStore: memoryOf([]) });
	expect(result).toMatchObject({ allowed: false, complexity: { rating: 'complex', evidence } });
	expect(result.fallback).toBeUndefined();
});

test('R1270 an analysis without nextTask blocks while tasks remain', async () => {
	const { client } = scriptedClient({ workflowContinuity: { hasLogicalNext: false, reason: 'no tests' } });
	const context = { completedTask: task('a'), allTasks: [task('a'), task('b')], completedTaskFiles: [] };
	const result = await new CompletionWorkflowValidator(client).validateCompletion(context);
	expect([result.allowed, result.fallback]).toEqual([false, undefined]);
});

test('R1270 a next task needs only its two yes or no', async () => {
	const nextTask = { nextTaskId: 'b', needsBreakdown: false, hasIntegrationDependencies: true };
	const { client } = scriptedClient({ nextTask, workflowContinuity: { hasLogicalNext: true, reason: 'b follows' } });
	const context = { completedTask: task('a'), allTasks: [task('b')], completedTaskFiles: [] };
	const result = await new CompletionWorkflowValidator(client).validateCompletion(context);
	expect(result).toMatchObject({ allowed: true, nextTask: { id: 'b', description: 'task b' } });
	expect([result.warnings, result.fallback]).toEqual([undefined, undefined]);
});

test('R1270 providers are asked for every field, as strict structured output wants it', () => {
	for (const schema of [ComplexityAssessment, BreakdownDecision, WorkflowAnalysis]) {
		const jsonSchema = z.toJSONSchema(schema, { target: 'draft-7', io: 'input', reused: 'inline' });
		const objects = [...JSON.stringify(jsonSchema).matchAll(/"type":"object"/g)].length;
		const whole = (value: unknown): number => {
			if (typeof value !== 'object' || value === null) return 0;
			const { type, properties, required: listed } = value as Record<string, unknown>;
			const names = type === 'object' ? Object.keys(properties as object) : [];
			if (type === 'object') expect(listed).toEqual(names);
			return Object.values(value).reduce((sum, inner) => sum + whole(inner), type === 'object' ? 1 : 0);
		};
		expect(whole(jsonSchema)).toBe(objects);
	}
});
