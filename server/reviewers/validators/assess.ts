import type { AssessmentOutcome } from '#hooks-bridge/engine/validators/tell-assessment.ts';
import type { Ports, WantedAssessment } from '#hooks-bridge/ports/ports.ts';
import { printable } from '#lib/text/printable.ts';
import type { CompletionValidationContext } from '#lib/validators/completion-prompt.ts';
import {
	type Asking,
	type CompletionValidationResult,
	CompletionWorkflowValidator,
	completionFallback,
} from '#lib/validators/completion-workflow-validator.ts';
import { findParent } from '#lib/validators/find-parent.ts';
import { failureWords, type LLMClient, LLMError } from '#lib/validators/llm-client.ts';
import type { SpawnValidationContext } from '#lib/validators/spawn-prompt.ts';
import { spawnRequest } from '#lib/validators/spawn-request.ts';
import { FALLBACK_COMPLEXITY, type SpawnValidationResult, SpawnValidator } from '#lib/validators/spawn-validator.ts';
import { memoryOf } from '#lib/validators/task.ts';
import { callOf, completionSubject } from './completion-subject.ts';
import { allTasks, type MemorySource, readSessionTasks } from './session-memory.ts';

/** Milliseconds for a whole assessment, and a signal that ends it with the fallback. */
export interface Bounds {
	withinMs: number;
	signal?: AbortSignal;
}

export interface AssessorOptions extends MemorySource {
	ports: Ports;
	client: LLMClient;
	/** The model's name for people; undefined without one. */
	model: () => string | undefined;
}

/** Asks the seed's validators about a hook. */
export interface Assessor {
	/** Null where there is nothing to say of it. Never rejects; without an answer in time it is the fallback's. */
	assess(wanted: WantedAssessment, bounds: Bounds): Promise<AssessmentOutcome | null>;
}

export function createAssessor(options: AssessorOptions): Assessor {
	const { client, ports } = options;
	const spawns = new SpawnValidator(client);
	const completions = new CompletionWorkflowValidator(client);

	async function assessSpawn(wanted: WantedAssessment, bounds: Bounds): Promise<AssessmentOutcome> {
		const began = performance.now();
		const sessionTasks = await readSessionTasks(options, wanted.hook.sessionId);
		const context = spawnContext(
			wanted,
			memoryOf(allTasks(options, sessionTasks, { ...wanted.hook, root: wanted.root })),
		);
		const asking: Asking = { sessionId: wanted.hook.sessionId, withinMs: bounds.withinMs };
		const late = (fallback: string): SpawnValidationResult => ({
			allowed: true,
			requiresBreakdown: false,
			complexity: FALLBACK_COMPLEXITY,
			fallback,
		});
		const result = await orFallback(spawns.validateSpawn(context, asking), bounds, late);
		return spawnOutcome(context, result, { model: options.model(), durationMs: Math.round(performance.now() - began) });
	}

	async function assessCompletion(wanted: WantedAssessment, bounds: Bounds): Promise<AssessmentOutcome | null> {
		const began = performance.now();
		const call = callOf(wanted);
		const sessionTasks = await readSessionTasks(options, wanted.hook.sessionId);
		const context = call && completionSubject(call, wanted, sessionTasks, ports);
		if (!context) return null;
		const asking: Asking = { sessionId: wanted.hook.sessionId, withinMs: bounds.withinMs };
		const result = await orFallback(completions.validateCompletion(context, asking), bounds, (why) =>
			completionFallback(context, why),
		);
		// Nothing remains: nothing was asked and there is nothing to recommend.
		if (result.allowed && !result.nextTask && !result.warnings) return null;
		return completionOutcome(context, result, {
			model: options.model(),
			durationMs: Math.round(performance.now() - began),
		});
	}

	return {
		assess: (wanted, bounds) =>
			wanted.validator === 'spawn' ? assessSpawn(wanted, bounds) : assessCompletion(wanted, bounds),
	};
}

/** The result, or the fallback once the time is over or the server stops. */
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
	const asked = hook.at === 'call' ? spawnRequest(hook.call) : null;
	const request = asked ?? { description: '', prompt: '', role: '' };
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

interface Beside {
	model: string | undefined;
	durationMs: number;
}

function spawnOutcome(
	context: SpawnValidationContext,
	result: SpawnValidationResult,
	beside: Beside,
): AssessmentOutcome {
	const { allowed, requiresBreakdown, complexity, breakdownDecision, suggestedMessage, fallback } = result;
	const parent = allowed ? context.parent_task_id : undefined;
	const subject = printable(context.name || context.task, 300);
	const assessment = {
		subject,
		reasoning: complexity?.reasoning ?? result.reason ?? 'It is a subtask of a known task.',
		...(complexity && { rating: complexity.rating, evidence: complexity.evidence }),
		...(breakdownDecision && { breakdown: breakdownDecision }),
		...origin(fallback, complexity ? beside : { ...beside, model: undefined }),
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
	beside: Beside,
): AssessmentOutcome {
	const { allowed, blockReason, warnings, suggestions, nextTask, reasoning, fallback, because } = result;
	const subject = printable(completedTask.description, 300);
	const assessment = {
		subject,
		reasoning,
		...(warnings && { warnings }),
		...(suggestions && { suggestions }),
		...(nextTask && { nextTask }),
		...origin(fallback, beside),
	};
	if (!allowed) {
		const reason = `tasks remain and none follows "${subject}": ${reasoning}`;
		return { decision: 'deny', rule: 'completion.no-logical-next', reason, message: blockReason, assessment };
	}
	const reason = nextTask ? `next is "${printable(nextTask.description, 200)}"` : 'nothing stands in the way';
	const rule = fallback === undefined ? 'completion.next' : 'completion.by-priority';
	// That the next one is merely the next of the list is no news to the agent.
	const isNews = fallback === undefined || because !== undefined;
	const message = isNews ? [...(warnings ?? []), ...(suggestions ?? [])].join('\n') : '';
	return { decision: 'pass', rule, reason, ...(message !== '' && { message }), assessment };
}

function origin(fallback: string | undefined, { model, durationMs }: Beside) {
	if (fallback !== undefined) return { fallback: true, fallbackReason: fallback, durationMs };
	return { ...(model !== undefined && { model }), durationMs };
}
