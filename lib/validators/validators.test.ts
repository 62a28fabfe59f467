import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scriptedClient } from './testing/scripted-client.ts';
import type * as Validators from './validators.ts';

const ENTRY = 'lib/validators/validators.ts';
const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'sb-validators-'));
let library: typeof Validators;

beforeAll(async () => {
	const outfile = join(folder, 'validators.mjs');
	await build({ entryPoints: [join(root, ENTRY)], outfile, bundle: true, platform: 'node', format: 'esm' });
	library = await import(pathToFileURL(outfile).href);
});
afterAll(() => rmSync(folder, { recursive: true }));

const task = (id: string, status: Validators.TaskStatus): Validators.Task => {
	return { id, description: `task ${id}`, status, priority: 'medium' };
};

test('R1275 the package exports the validators, and its build makes what it exports', () => {
	const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	expect(exports['./validators']).toBe('./dist/validators.js');
	expect(readFileSync(join(root, 'scripts/bundle-programs.mjs'), 'utf8')).toContain(`'${ENTRY}'`);
});

test('R1275 the built SpawnValidator is used as seed 002 shows it', async () => {
	const { SpawnValidator, memoryOf } = library;
	const evidence = { hasMultipleSteps: true, requiresCoordination: true };
	const complexity = { rating: 'complex', evidence, reasoning: 'many parts' };
	const subtasks = { suggestedSubtasks: ['one', 'two', 'three'], integrationConsiderations: ['sessions'] };
	const { client } = scriptedClient(complexity, { required: true, reasoning: 'too large', ...subtasks });
	const validator = new SpawnValidator(client);
	const memoryStore = memoryOf([task('p', 'active')]);
	const result = await validator.validateSpawn({
		task: 'Implement authentication system',
		parent_task_id: undefined,
		memoryStore,
	});
	expect(result).toMatchObject({ allowed: false, requiresBreakdown: true, reason: 'too large' });
	expect(result.suggestedMessage).toContain('Suggested subtasks:\n1. one');
	const subtask = await validator.validateSpawn({ task: 'Write the form', parent_task_id: 'p', memoryStore });
	expect(subtask.allowed).toBe(true);
});

test('R1275 the built CompletionWorkflowValidator is used as seed 002 shows it', async () => {
	const { CompletionWorkflowValidator, LLMError } = library;
	const completedTask = task('a', 'active');
	const context = {
		completedTask,
		allTasks: [completedTask, task('b', 'waiting')],
		completedTaskFiles: ['src/auth/login.ts', 'src/auth/session.ts'],
	};
	const { client } = scriptedClient({ workflowContinuity: { hasLogicalNext: false, reason: 'unclear' } });
	const blocked = await new CompletionWorkflowValidator(client).validateCompletion(context);
	expect([blocked.allowed, blocked.blockReason]).toEqual([false, expect.stringContaining('unclear')]);
	const down: Validators.LLMClient = { ask: () => Promise.reject(new LLMError('failed')) };
	const fallback = await new CompletionWorkflowValidator(down).validateCompletion(context);
	expect(fallback).toMatchObject({ allowed: true, suggestions: ['Recommended next task: task b (b)'] });
});
