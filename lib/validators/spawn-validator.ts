import { printable } from '../text/printable.ts';
import { BreakdownDecision, ComplexityAssessment } from './answers.ts';
import type { Asking } from './completion-workflow-validator.ts';
import { DATA_RULE, dataSection } from './data-section.ts';
import { failureWords, type LLMClient } from './llm-question.ts';
import type { MemoryStore, Task } from './task.ts';

/** Names are those of the validators' interface. */
export interface SpawnValidationContext {
	task: string;
	name?: string | undefined;
	role?: string | undefined;
	files?: readonly string[] | undefined;
	success_criteria?: string | undefined;
	parent_task_id?: string | undefined;
	memoryStore: MemoryStore;
}

/** The beginning of a long prompt says what it is about. */
const MAX_REQUEST = 8000;

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

export function complexityPrompt(context: SpawnValidationContext): string {
	return requestSection(context);
}

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
	return dataSection('Requested Task', { task, name, role, files, successCriteria: success_criteria }, MAX_REQUEST);
}

export interface SpawnValidationResult {
	allowed: boolean;
	reason?: string;
	requiresBreakdown: boolean;
	complexity?: ComplexityAssessment;
	breakdownDecision?: BreakdownDecision;
	suggestedMessage?: string;
	fallback?: string;
}

/** Without a rating the spawn is allowed. */
export const FALLBACK_COMPLEXITY: ComplexityAssessment = {
	rating: 'moderate',
	evidence: {
		filesCount: undefined,
		functionsEstimate: undefined,
		linesEstimate: undefined,
		integrationPoints: [],
		hasMultipleSteps: true,
		requiresCoordination: false,
	},
	reasoning: 'Nobody rated the task; it counts as moderate.',
};

const FALLBACK_BREAKDOWN: BreakdownDecision = {
	required: true,
	reasoning: 'The task was rated complex and nobody decided whether it can stay whole.',
	suggestedSubtasks: ['Design it and name the files', 'Implement the parts one by one', 'Test that the parts fit'],
	integrationConsiderations: ['Settle the interfaces between the parts before the first of them is implemented'],
};

/** Decides whether a task is small enough for one sub-agent: asks a model, and without a rating allows it. */
export class SpawnValidator {
	readonly #client: LLMClient;

	constructor(client: LLMClient) {
		this.#client = client;
	}

	/** Never rejects. A subtask of a known parent is allowed without a question. */
	async validateSpawn(
		context: SpawnValidationContext,
		asking: Asking = { sessionId: '' },
	): Promise<SpawnValidationResult> {
		const { parent_task_id: parent, memoryStore } = context;
		if (parent !== undefined) {
			if (memoryStore.getTask(parent)) return { allowed: true, requiresBreakdown: false };
			return { allowed: false, requiresBreakdown: false, reason: `Parent task not found: ${parent}` };
		}
		const rated = await this.#rate(context, asking);
		const { complexity } = rated;
		if (complexity.rating !== 'complex') return { allowed: true, requiresBreakdown: false, ...rated };
		const decided = await this.#decide(context, complexity, asking);
		const { breakdownDecision: decision } = decided;
		if (!decision.required) return { allowed: true, requiresBreakdown: false, complexity, ...decided };
		return {
			allowed: false,
			reason: decision.reasoning,
			requiresBreakdown: true,
			complexity,
			...decided,
			suggestedMessage: breakdownMessage(context.task, complexity, decision),
		};
	}

	async #rate(
		context: SpawnValidationContext,
		asking: Asking,
	): Promise<{ complexity: ComplexityAssessment; fallback?: string }> {
		try {
			const prompt = complexityPrompt(context);
			const question = { name: 'complexity_assessment', system: COMPLEXITY_SYSTEM, prompt };
			return { complexity: await this.#client.ask({ ...question, schema: ComplexityAssessment, ...asking }) };
		} catch (error) {
			return { complexity: FALLBACK_COMPLEXITY, fallback: failureWords(error) };
		}
	}

	async #decide(
		context: SpawnValidationContext,
		complexity: ComplexityAssessment,
		asking: Asking,
	): Promise<{ breakdownDecision: BreakdownDecision; fallback?: string }> {
		try {
			const prompt = breakdownPrompt(context, complexity);
			const question = { name: 'breakdown_decision', system: BREAKDOWN_SYSTEM, prompt };
			return { breakdownDecision: await this.#client.ask({ ...question, schema: BreakdownDecision, ...asking }) };
		} catch (error) {
			return { breakdownDecision: FALLBACK_BREAKDOWN, fallback: failureWords(error) };
		}
	}
}

const EXAMPLES = 3;

function breakdownMessage(
	task: string,
	{ rating, evidence, reasoning }: ComplexityAssessment,
	{ suggestedSubtasks, integrationConsiderations, reasoning: why }: BreakdownDecision,
): string {
	const { filesCount, functionsEstimate, linesEstimate, integrationPoints } = evidence;
	const facts = [
		...(filesCount === undefined ? [] : [`- files: ${filesCount}`]),
		...(functionsEstimate === undefined ? [] : [`- functions: about ${functionsEstimate}`]),
		...(linesEstimate === undefined ? [] : [`- lines: about ${linesEstimate}`]),
		...(integrationPoints.length === 0 ? [] : [`- integration points: ${integrationPoints.join(', ')}`]),
		...(evidence.hasMultipleSteps ? ['- several sequential steps'] : []),
		...(evidence.requiresCoordination ? ['- coordination between components'] : []),
	];
	const numbered = (items: readonly string[]) => items.map((item, index) => `${index + 1}. ${item}`);
	return [
		'This task must be broken down before a sub-agent gets it.',
		`Task: ${printable(task, 500)}`,
		`Complexity: ${rating}. ${reasoning}`,
		...(facts.length > 0 ? ['Evidence:', ...facts] : []),
		`Recommendation: ${why}`,
		...(suggestedSubtasks.length > 0 ? ['Suggested subtasks:', ...numbered(suggestedSubtasks)] : []),
		...(integrationConsiderations.length > 0
			? ['Where they meet:', ...integrationConsiderations.map((item) => `- ${item}`)]
			: []),
		'Next steps:',
		'1. Make a task for the whole.',
		'2. Break it down into subtasks like the ones above.',
		'3. Start one sub-agent for each subtask and name the subtask in its description.',
		...(suggestedSubtasks.length > 0
			? ['For example:', ...suggestedSubtasks.slice(0, EXAMPLES).map((item) => `- a sub-agent for "${item}"`)]
			: []),
	].join('\n');
}
