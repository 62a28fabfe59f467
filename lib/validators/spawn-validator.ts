import { BreakdownDecision, ComplexityAssessment } from './answers.ts';
import type { Asking } from './completion-workflow-validator.ts';
import { failureWords, type LLMClient } from './llm-client.ts';
import { breakdownMessage } from './spawn-message.ts';
import {
	BREAKDOWN_SYSTEM,
	breakdownPrompt,
	COMPLEXITY_SYSTEM,
	complexityPrompt,
	type SpawnValidationContext,
} from './spawn-prompt.ts';

/** What the validator says of a spawn (seed 002). */
export interface SpawnValidationResult {
	allowed: boolean;
	reason?: string;
	requiresBreakdown: boolean;
	complexity?: ComplexityAssessment;
	breakdownDecision?: BreakdownDecision;
	/** For the agent and its person: why, and what to do. */
	suggestedMessage?: string;
	/** The model had no part in the rating or the decision, and why. */
	fallback?: string;
}

/** What is taken for granted where no model rates: moderate, so that the spawn is allowed. */
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

/** What is decided of a task that was rated complex, where the second answer does not come. */
const FALLBACK_BREAKDOWN: BreakdownDecision = {
	required: true,
	reasoning: 'The task was rated complex and nobody decided whether it can stay whole.',
	suggestedSubtasks: ['Design it and name the files', 'Implement the parts one by one', 'Test that the parts fit'],
	integrationConsiderations: ['Settle the interfaces between the parts before the first of them is implemented'],
};

/** Validates that a sub-agent is not spawned for what should be broken down first (seed 002). */
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
