import { printable } from '../text/printable.ts';
import { type NextTaskAnalysis, WorkflowAnalysis } from './answers.ts';
import { DATA_RULE, dataSection } from './data-section.ts';
import { failureWords, type LLMClient, type LLMQuestion } from './llm-question.ts';
import { isRemaining, nextByPriority, type Task, taskHierarchy, withBlocked } from './task.ts';

export interface CompletionValidationContext {
	completedTask: Task;
	allTasks: readonly Task[];
	completedTaskFiles: readonly string[];
}

/** All tasks once this one is completed, with those that it blocked. */
function tasksAfter({ completedTask, allTasks }: CompletionValidationContext): Task[] {
	const done: Task = { ...completedTask, status: 'completed' };
	const isKnown = allTasks.some(({ id }) => id === done.id);
	return withBlocked(isKnown ? allTasks.map((task) => (task.id === done.id ? done : task)) : [...allTasks, done]);
}

function remainingTasks(context: CompletionValidationContext): Task[] {
	return tasksAfter(context).filter(isRemaining);
}

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

/** Everything in the sections is data. */
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

export interface CompletionValidationResult {
	allowed: boolean;
	blockReason?: string;
	warnings?: string[];
	suggestions?: string[];
	nextTask?: { id?: string; description: string };
	because?: string;
	reasoning: string;
	fallback?: string;
}

export type Asking = Pick<LLMQuestion<unknown>, 'sessionId' | 'withinMs'>;

/** Decides whether a completed task leads to the next one: asks a model, or without one follows priorities. */
export class CompletionWorkflowValidator {
	readonly #client: LLMClient;

	constructor(client: LLMClient) {
		this.#client = client;
	}

	/** Never rejects: without a model the next task is chosen by priority, which never blocks. */
	async validateCompletion(
		context: CompletionValidationContext,
		asking: Asking = { sessionId: '' },
	): Promise<CompletionValidationResult> {
		const remaining = remainingTasks(context);
		if (remaining.length === 0) return { allowed: true, reasoning: 'no task remains' };
		try {
			const analysis = await this.#client.ask({
				name: 'workflow_analysis',
				system: COMPLETION_SYSTEM,
				prompt: completionPrompt(context),
				schema: WorkflowAnalysis,
				...asking,
			});
			return judge(analysis, context, remaining);
		} catch (error) {
			return completionFallback(context, failureWords(error));
		}
	}
}

/** The answer without a model. It never blocks; `why` is recorded with it. */
export function completionFallback(context: CompletionValidationContext, why: string): CompletionValidationResult {
	const next = nextByPriority(remainingTasks(context));
	if (!next) return { allowed: true, reasoning: 'no task remains', fallback: why };
	const { task, because } = next;
	return {
		allowed: true,
		reasoning: `chosen by priority (${task.priority}) and dependencies${because ? `: ${because}` : ''}`,
		suggestions: [because ? `${recommend(task)}, because ${because}.` : recommend(task)],
		nextTask: { id: task.id, description: task.description },
		...(because && { because }),
		fallback: why,
	};
}

function judge(
	{ nextTask, workflowContinuity }: WorkflowAnalysis,
	{ completedTask }: CompletionValidationContext,
	remaining: readonly Task[],
): CompletionValidationResult {
	const reasoning = workflowContinuity.reason;
	// Only a missing next task, or the statement that nothing follows, blocks.
	if (!nextTask || (!workflowContinuity.hasLogicalNext && nextTask.nextTaskId === undefined)) {
		return { allowed: false, blockReason: blockReason(completedTask, remaining.length, reasoning), reasoning };
	}
	const found = remaining.find(({ id }) => id === nextTask.nextTaskId);
	const next = found ?? { id: nextTask.nextTaskId, description: nextTask.nextTaskDescription ?? '' };
	const warnings = [...unknownTask(nextTask, found), ...breakdownWarning(nextTask), ...integrationWarning(nextTask)];
	const suggestions = [
		...(nextTask.needsBreakdown ? ['Break the next task down into 3-7 subtasks before it is started.'] : []),
		...(integrates(nextTask) ? ['Review the shared files before the next task is started.'] : []),
		...reviews(nextTask),
		...(next.description === '' ? [] : [recommend(next)]),
	];
	return {
		allowed: true,
		reasoning,
		...(warnings.length > 0 && { warnings }),
		...(suggestions.length > 0 && { suggestions }),
		...(next.description !== '' && { nextTask: { ...(next.id && { id: next.id }), description: next.description } }),
	};
}

function blockReason(completed: Task, remaining: number, reason: string): string {
	return [
		`"${printable(completed.description, 300)}" cannot be completed yet: ${remaining} ${remaining === 1 ? 'task remains' : 'tasks remain'} and none of them follows. ${reason}`,
		'1. Look at the remaining tasks and say which of them comes next.',
		'2. Add the task that is missing between what was done and what remains.',
		'3. Correct what the tasks wait for, if that is wrong.',
		'4. Abandon the tasks that are no longer needed.',
	].join('\n');
}

function unknownTask({ nextTaskId }: NextTaskAnalysis, found: Task | undefined): string[] {
	if (nextTaskId === undefined || found) return [];
	return [`The recommended next task ${nextTaskId} is not among the remaining tasks.`];
}

function breakdownWarning({ needsBreakdown, breakdownReason }: NextTaskAnalysis): string[] {
	if (!needsBreakdown) return [];
	return [`The next task is complex and should be broken down${breakdownReason ? `: ${breakdownReason}` : '.'}`];
}

const integrates = ({ hasIntegrationDependencies, integrationFiles }: NextTaskAnalysis) =>
	hasIntegrationDependencies && integrationFiles.length > 0;

function integrationWarning(next: NextTaskAnalysis): string[] {
	if (!integrates(next)) return [];
	return [`The next task depends on files of the completed one: ${next.integrationFiles.join(', ')}`];
}

function reviews({ reviewTasks }: NextTaskAnalysis): string[] {
	if (reviewTasks.length === 0) return [];
	const lines = reviewTasks.map(({ taskId, description, reason }) => `- ${taskId} ${description}: ${reason}`);
	return ['Review these completed tasks before the next one:', ...lines];
}

function recommend({ id, description }: { id?: string; description: string }): string {
	return `Recommended next task: ${printable(description, 300)}${id ? ` (${printable(id, 100)})` : ''}`;
}
