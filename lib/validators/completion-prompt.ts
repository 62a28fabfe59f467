import { taskHierarchy } from './hierarchy.ts';
import { DATA_RULE, dataSection } from './prompt-data.ts';
import { isRemaining, type Task, withBlocked } from './task.ts';

/** What is looked at when a task is about to be completed (seed 002). */
export interface CompletionValidationContext {
	completedTask: Task;
	/** The completed task may be among them, whatever status it has there: it does not count as remaining. */
	allTasks: readonly Task[];
	completedTaskFiles: readonly string[];
}

/** All tasks as they are once this one is completed: what waited for it alone waits no more. */
function tasksAfter({ completedTask, allTasks }: CompletionValidationContext): Task[] {
	const done: Task = { ...completedTask, status: 'completed' };
	const isKnown = allTasks.some(({ id }) => id === done.id);
	return withBlocked(isKnown ? allTasks.map((task) => (task.id === done.id ? done : task)) : [...allTasks, done]);
}

/** The tasks that are still to be done once this one is completed. */
export function remainingTasks(context: CompletionValidationContext): Task[] {
	return tasksAfter(context).filter(isRemaining);
}

/** What the model is asked to do with the context. */
export const COMPLETION_SYSTEM = [
	'You look at the tasks of a coding session at the moment when one of them is completed, and say what comes next.',
	DATA_RULE,
	'Rules:',
	'1. Dependencies come first: a task that others wait for goes before them; a blocked task is never next.',
	'2. Keep the usual order of work: design, implementation, tests, documents.',
	'3. A next task that touches four or more files, or has six or more steps, needs breakdown.',
	'4. A next task that works on the files of the completed one has integration dependencies: name those files.',
	'5. Name the completed tasks that should be reviewed before the next one starts, and why.',
	'6. Set nextTask to null and hasLogicalNext to false only if tasks remain and none of them follows from what was',
	'   done, or if the completed task is plainly unfinished; say why in workflowContinuity.reason.',
	'Shape: {"nextTask": {"nextTaskId": string|null, "nextTaskDescription": string|null, "needsBreakdown": boolean,',
	'"breakdownReason": string|null, "hasIntegrationDependencies": boolean, "integrationFiles": string[],',
	'"reviewTasks": [{"taskId": string, "description": string, "reason": string}]} | null,',
	'"workflowContinuity": {"hasLogicalNext": boolean, "reason": string}}',
].join('\n');

/** The four sections of the context, in the seed's order; everything in them is data. */
export function completionPrompt(context: CompletionValidationContext): string {
	const { completedTask, allTasks, completedTaskFiles } = context;
	const { id, description, priority } = completedTask;
	const before = allTasks.filter((task) => task.id !== id && task.status === 'completed');
	return [
		dataSection('Just Completed Task', { id, description, priority, modifiedFiles: completedTaskFiles }, 2000),
		dataSection(
			'Previously Completed Tasks',
			before.slice(-50).map((task) => ({ id: task.id, description: task.description, files: filesOf(task) })),
		),
		dataSection(
			'Remaining Tasks',
			remainingTasks(context).map((task) => ({
				id: task.id,
				description: task.description,
				status: task.status,
				priority: task.priority,
				parent: task.parentId,
				blockedBy: task.blockedBy,
				files: filesOf(task),
			})),
		),
		dataSection('Task Hierarchy', taskHierarchy(tasksAfter(context))),
	].join('\n\n');
}

function filesOf({ relatedFiles = [], filesModified = [] }: Task): string[] | undefined {
	const files = [...new Set([...relatedFiles, ...filesModified])].slice(0, 20);
	return files.length > 0 ? files : undefined;
}
