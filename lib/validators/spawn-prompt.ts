import type { ComplexityAssessment } from './answers.ts';
import { DATA_RULE, dataSection } from './prompt-data.ts';
import type { MemoryStore, Task } from './task.ts';

/** What is looked at when a sub-agent is about to be spawned; the names are the seed's. */
export interface SpawnValidationContext {
	task: string;
	name?: string | undefined;
	role?: string | undefined;
	files?: readonly string[] | undefined;
	success_criteria?: string | undefined;
	/** Makes it a subtask: no complexity is asked for, but the parent must exist. */
	parent_task_id?: string | undefined;
	memoryStore: MemoryStore;
}

/** A prompt for a sub-agent may be long; its begin says what it is about. */
const LONGEST_REQUEST = 8000;

/** The first question: how complex is it? The ratings are the seed's. */
export const COMPLEXITY_SYSTEM = [
	'You rate the complexity of a task that a coding agent wants to hand to a sub-agent.',
	DATA_RULE,
	'Ratings:',
	'- simple: one file, 1-2 functions, fewer than 50 lines, no integration, 1-2 steps',
	'- moderate: 2-3 files, 2-5 functions, 50-200 lines, minimal integration, 3-5 steps',
	'- complex: 4 or more files, 6 or more functions, more than 200 lines, several integrations, 6 or more steps',
	'Give the evidence: files, functions and lines as numbers (null where it cannot be told), integration points by',
	'name, whether it has several sequential steps, whether it needs coordination between components.',
	'Shape: {"rating": "simple"|"moderate"|"complex", "evidence": {"filesCount": number|null, "functionsEstimate":',
	'number|null, "linesEstimate": number|null, "integrationPoints": string[], "hasMultipleSteps": boolean,',
	'"requiresCoordination": boolean}, "reasoning": string}',
].join('\n');

/** The second question, only of a complex task: must it be broken down first? */
export const BREAKDOWN_SYSTEM = [
	'You decide whether a complex task must be broken down before a sub-agent gets it.',
	DATA_RULE,
	'Required when: four or more files; six or more distinct steps; coordination between several components; words of',
	'the large scale ("implement system", "build feature", "create module").',
	'Not required when: it is well scoped despite its complexity; it is one cohesive unit of work; breaking it down',
	'would make artificial boundaries.',
	'When required, suggest 3-7 subtasks, each a piece of work for one sub-agent, in the order in which they are done,',
	'and name what must be thought of where they meet.',
	'Shape: {"required": boolean, "reasoning": string, "suggestedSubtasks": string[], "integrationConsiderations": string[]}',
].join('\n');

/** The data of the first question. */
export function complexityPrompt(context: SpawnValidationContext): string {
	return requestSection(context);
}

/** The data of the second question: the request, its rating, and where the session stands. */
export function breakdownPrompt(context: SpawnValidationContext, complexity: ComplexityAssessment): string {
	const tasks = context.memoryStore.tasks();
	const of = (status: Task['status']) => tasks.filter((task) => task.status === status);
	const done = of('completed');
	const waiting = of('waiting');
	const subtasks = tasks.filter(({ parentId }) => parentId !== undefined).length;
	return [
		requestSection(context),
		dataSection('Complexity', complexity),
		dataSection('Completed Tasks', {
			count: done.length,
			last: done.slice(-5).map((task) => ({ description: task.description, files: task.filesModified?.slice(0, 20) })),
		}),
		dataSection(
			'Active Tasks',
			of('active').map(({ description }) => description),
		),
		dataSection('Waiting Tasks', {
			count: waiting.length,
			first: waiting.slice(0, 10).map((task) => ({ description: task.description, parent: task.parentId })),
		}),
		dataSection(
			'Blocked Tasks',
			of('blocked').map((task) => ({ description: task.description, blockedBy: task.blockedBy })),
		),
		dataSection('Task Counts', { topLevel: tasks.length - subtasks, subtasks }),
	].join('\n\n');
}

function requestSection({ task, name, role, files, success_criteria }: SpawnValidationContext): string {
	return dataSection('Requested Task', { task, name, role, files, successCriteria: success_criteria }, LONGEST_REQUEST);
}
