import { printable } from '../text/printable.ts';
import { type NextTaskAnalysis, WorkflowAnalysis } from './answers.ts';
import {
	COMPLETION_SYSTEM,
	type CompletionValidationContext,
	completionPrompt,
	remainingTasks,
} from './completion-prompt.ts';
import { failureWords, type LLMClient, type LLMQuestion } from './llm-client.ts';
import { nextByPriority } from './next-task.ts';
import type { Task } from './task.ts';

/** What the validator says of a completion (seed 002). */
export interface CompletionValidationResult {
	allowed: boolean;
	blockReason?: string;
	warnings?: string[];
	suggestions?: string[];
	/** The recommended next task. */
	nextTask?: { id?: string; description: string };
	/** Of a fallback: what is written about the tasks and decided which comes next. */
	because?: string;
	/** Why, in the model's words or the fallback's. */
	reasoning: string;
	/** The model had no part in it, and why. */
	fallback?: string;
}

/** Whose budget a question is taken from, and how long an answer is of use. */
export type Asking = Pick<LLMQuestion<unknown>, 'sessionId' | 'withinMs'>;

/** Validates the completion of a task and says what comes next (seed 002). */
export class CompletionWorkflowValidator {
	readonly #client: LLMClient;

	constructor(client: LLMClient) {
		this.#client = client;
	}

	/** Never rejects: without an answer of the model the next task is chosen by priority, which never blocks. */
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

/** What is said without a model: the next task by priority. It never blocks. */
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
	// A next task that the model does name is taken: only its absence, or its word that nothing follows, blocks.
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
