import { printable } from '../text/printable.ts';
import type { BreakdownDecision, ComplexityAssessment } from './answers.ts';

const EXAMPLES = 3;

/** What the agent reads instead of getting its sub-agent: the rating, its evidence, the subtasks and the next steps. */
export function breakdownMessage(
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
	const numbered = (items: readonly string[]) => items.map((item, at) => `${at + 1}. ${item}`);
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
