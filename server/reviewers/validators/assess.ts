import { join, relative } from 'node:path';
import { findPlan } from '#hooks-bridge/engine/facts.ts';
import type { AssessmentOutcome } from '#hooks-bridge/engine/record-assessment.ts';
import { stateFolder } from '#hooks-bridge/features/feature-folders.ts';
import { readTasks } from '#hooks-bridge/features/tasks-document.ts';
import type { WantedAssessment } from '#hooks-bridge/ports/denied-call.ts';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { isFeatureName } from '#lib/features/feature-name.ts';
import { parseTasks } from '#lib/features/tasks-file.ts';
import { defined } from '#lib/json/json.ts';
import { printable } from '#lib/text/printable.ts';
import { type CompletionCall, completionCall, textAfter } from '#lib/validators/completion-call.ts';
import {
	type Asking,
	type CompletionValidationContext,
	type CompletionValidationResult,
	CompletionWorkflowValidator,
	completionFallback,
} from '#lib/validators/completion-workflow-validator.ts';
import { failureWords, type LLMClient, LLMError } from '#lib/validators/llm-question.ts';
import { boxTasks, planTasks, type SessionTasks, sessionTasks, todoTasks } from '#lib/validators/session-tasks.ts';
import { findParent, spawnRequest } from '#lib/validators/spawn-request.ts';
import {
	FALLBACK_COMPLEXITY,
	type SpawnValidationContext,
	type SpawnValidationResult,
	SpawnValidator,
} from '#lib/validators/spawn-validator.ts';
import { memoryOf, type Task, withBlocked } from '#lib/validators/task.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';

export interface Bounds {
	withinMs: number;
	signal?: AbortSignal;
}

export interface AssessorOptions extends MemorySource {
	ports: Ports;
	client: LLMClient;
	model: () => string | undefined;
}

/** Asks the validator that a wanted assessment names, and words its result for the agent. */
export function createAssessor(options: AssessorOptions) {
	const { client, ports } = options;
	const spawns = new SpawnValidator(client);
	const completions = new CompletionWorkflowValidator(client);

	return {
		/** Null if there is nothing to report. Never rejects; without an answer in time it gives the fallback's. */
		async assess(wanted: WantedAssessment, bounds: Bounds): Promise<AssessmentOutcome | null> {
			const began = performance.now();
			const measured = () => ({ model: options.model(), durationMs: Math.round(performance.now() - began) });
			const { sessionId } = wanted.hook;
			const asking: Asking = { sessionId, withinMs: bounds.withinMs };
			const sessionTasks = await readSessionTasks(options, sessionId);
			if (wanted.validator === 'spawn') {
				const tasks = allTasks(options, sessionTasks, { ...wanted.hook, root: wanted.root });
				const context = spawnContext(wanted, memoryOf(tasks));
				const result = await orFallback(spawns.validateSpawn(context, asking), bounds, unratedSpawn);
				return spawnOutcome(context, result, measured());
			}
			const call = completionCall(wanted.hook);
			const context = call && completionSubject(call, wanted, sessionTasks, ports);
			if (!context) return null;
			const result = await orFallback(completions.validateCompletion(context, asking), bounds, (why) =>
				completionFallback(context, why),
			);
			if (result.allowed && !result.nextTask && !result.warnings) return null;
			return completionOutcome(context, result, measured());
		},
	};
}

const unratedSpawn = (fallback: string): SpawnValidationResult => ({
	allowed: true,
	requiresBreakdown: false,
	complexity: FALLBACK_COMPLEXITY,
	fallback,
});

export type Assessor = ReturnType<typeof createAssessor>;

/** The work's result, or after `withinMs` and on `signal` the fallback's. */
function orFallback<T>(work: Promise<T>, { withinMs, signal }: Bounds, fallback: (why: string) => T): Promise<T> {
	return new Promise((resolve, reject) => {
		const end = () => {
			clearTimeout(timer);
			signal?.removeEventListener('abort', end);
			resolve(fallback(failureWords(new LLMError('timeout'))));
		};
		const timer = setTimeout(end, Math.max(1, withinMs));
		signal?.addEventListener('abort', end);
		if (signal?.aborted) end();
		work.then(resolve, reject).finally(() => {
			clearTimeout(timer);
			signal?.removeEventListener('abort', end);
		});
	});
}

function spawnContext(
	{ hook }: WantedAssessment,
	memoryStore: SpawnValidationContext['memoryStore'],
): SpawnValidationContext {
	const spawned = hook.at === 'call' ? spawnRequest(hook.call) : null;
	const request = spawned ?? { description: '', prompt: '', role: '' };
	const { description, prompt, role } = request;
	const parent = findParent(request, memoryStore);
	return {
		task: prompt === '' ? description : prompt,
		name: description,
		role,
		...(parent !== undefined && { parent_task_id: parent }),
		memoryStore,
	};
}

/** What it took to ask. */
interface Measured {
	model: string | undefined;
	durationMs: number;
}

function spawnOutcome(
	context: SpawnValidationContext,
	result: SpawnValidationResult,
	measured: Measured,
): AssessmentOutcome {
	const { allowed, requiresBreakdown, complexity, breakdownDecision, suggestedMessage, fallback } = result;
	const parent = allowed ? context.parent_task_id : undefined;
	const subject = printable(context.name || context.task, 300);
	const assessment = {
		subject,
		reasoning: complexity?.reasoning ?? result.reason ?? 'It is a subtask of a known task.',
		...(complexity && { rating: complexity.rating, evidence: complexity.evidence }),
		...(breakdownDecision && { breakdown: breakdownDecision }),
		...origin(fallback, complexity ? measured : { ...measured, model: undefined }),
	};
	if (!allowed) {
		const rule = requiresBreakdown ? 'spawn.needs-breakdown' : 'spawn.unknown-parent';
		const reason = requiresBreakdown ? `"${subject}" must be broken down first: ${result.reason}` : result.reason;
		return { decision: 'deny', rule, reason: reason ?? rule, message: suggestedMessage, assessment };
	}
	if (parent !== undefined) {
		return {
			decision: 'pass',
			rule: 'spawn.subtask',
			reason: `it is a subtask of ${printable(parent, 100)}`,
			assessment,
		};
	}
	const rating = complexity?.rating ?? 'moderate';
	if (fallback !== undefined && !breakdownDecision) {
		return { decision: 'pass', rule: 'spawn.unrated', reason: `${fallback}, so it counts as moderate`, assessment };
	}
	const whole = rating === 'complex' ? ' and may stay whole' : '';
	return { decision: 'pass', rule: `spawn.${rating}`, reason: `the task is ${rating}${whole}`, assessment };
}

function completionOutcome(
	{ completedTask }: CompletionValidationContext,
	result: CompletionValidationResult,
	measured: Measured,
): AssessmentOutcome {
	const { allowed, blockReason, warnings, suggestions, nextTask, reasoning, fallback, because } = result;
	const subject = printable(completedTask.description, 300);
	const assessment = {
		subject,
		reasoning,
		...defined({ warnings, suggestions, nextTask }),
		...origin(fallback, measured),
	};
	if (!allowed) {
		const reason = `tasks remain and none follows "${subject}": ${reasoning}`;
		return { decision: 'deny', rule: 'completion.no-logical-next', reason, message: blockReason, assessment };
	}
	const reason = nextTask ? `next is "${printable(nextTask.description, 200)}"` : 'nothing stands in the way';
	const rule = fallback === undefined ? 'completion.next' : 'completion.by-priority';
	// Without a model, "next by priority" tells the agent nothing new.
	const isNews = fallback === undefined || because !== undefined;
	const message = isNews ? [...(warnings ?? []), ...(suggestions ?? [])].join('\n') : '';
	return { decision: 'pass', rule, reason, ...(message !== '' && { message }), assessment };
}

function origin(fallback: string | undefined, { model, durationMs }: Measured) {
	if (fallback !== undefined) return { fallback: true, fallbackReason: fallback, durationMs };
	return { ...(model !== undefined && { model }), durationMs };
}

/** Null if the call completes nothing that was open. */
export function completionSubject(
	call: CompletionCall,
	wanted: WantedAssessment,
	tasks: SessionTasks,
	ports: Ports,
): CompletionValidationContext | null {
	const completedTaskFiles = tasks.files.slice(-50);
	switch (call.kind) {
		case 'task': {
			const known = tasks.tasks.find(({ id }) => id === call.id);
			if (known?.status === 'completed') return null;
			const fresh: Task = { id: call.id, description: call.subject ?? '', status: 'active', priority: 'medium' };
			const completedTask = known ?? fresh;
			if (completedTask.description === '') return null;
			return { completedTask, allTasks: tasks.tasks, completedTaskFiles };
		}
		case 'todo':
			return newlyDone(tasks.todos.get(wanted.hook.agentId ?? '') ?? [], todoTasks(call.todos), completedTaskFiles);
		case 'boxes': {
			const { root } = wanted;
			const read = root === '' ? undefined : ports.readProjectFile(root, relative(root, call.path));
			const before = read?.ok ? read.text : '';
			return newlyDone(boxesOf(before), boxesOf(textAfter(before, call)), completedTaskFiles);
		}
	}
}

const boxesOf = (text: string): Task[] => boxTasks(parseTasks(text).boxes);

/** The last task that is newly completed; the others count as completed before. */
function newlyDone(
	before: readonly Task[],
	after: readonly Task[],
	completedTaskFiles: readonly string[],
): CompletionValidationContext | null {
	const isDone = ({ status }: Task) => status === 'completed';
	const doneBefore = new Set(before.filter(isDone).map(({ description }) => description));
	const completedTask = after.findLast((task) => isDone(task) && !doneBefore.has(task.description));
	return completedTask ? { completedTask, allTasks: after, completedTaskFiles } : null;
}

const MAX_EVENTS = 10_000;
const PAGE_SIZE = 500;

export interface MemorySource {
	reads: Pick<SessionReads, 'events'>;
	viewOf: (sessionId: string) => SessionView | undefined;
	ports: Ports;
}

/** The tasks in a session's events. Lets the event loop turn between pages. */
export async function readSessionTasks({ reads, viewOf }: MemorySource, sessionId: string): Promise<SessionTasks> {
	const last = viewOf(sessionId)?.seq ?? 0;
	const events: IndexedEvent[] = [];
	for (let after = Math.max(0, last - MAX_EVENTS); after < last; ) {
		const page = await reads.events(sessionId, { after, limit: PAGE_SIZE });
		events.push(...page.filter(({ type }) => READ_TYPES.has(type)));
		const end = page.at(-1);
		if (!end) break;
		after = end.seq;
		await new Promise(setImmediate);
	}
	return sessionTasks(events);
}

const READ_TYPES = new Set(['tool:call', 'tool:result', 'agent:start', 'todo:update']);

/** The client's tasks, the actor's todos, the feature's boxes and the plan. */
export function allTasks(
	source: MemorySource,
	tasks: SessionTasks,
	{ sessionId, agentId, root }: { sessionId: string; agentId?: string; root: string },
): Task[] {
	const feature = source.viewOf(sessionId)?.workflow?.featureName;
	const boxes =
		root !== '' && isFeatureName(feature)
			? boxTasks(readTasks(root, join(root, stateFolder('in-progress'), feature)).boxes)
			: [];
	const plan = findPlan(root, source.ports).found?.plan;
	const todos = tasks.todos.get(agentId ?? '') ?? [];
	return withBlocked([...tasks.tasks, ...todos, ...boxes, ...(plan ? planTasks(plan) : [])]);
}
