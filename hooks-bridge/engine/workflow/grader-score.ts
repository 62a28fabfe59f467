import type { DraftEvent } from '#lib/contract/events/draft-event.ts';
import type { WorkflowState } from '#lib/contract/sessions/read-model/workflow-state.ts';
import { isJson } from '#lib/json/json.ts';
import { agentOfStage, lastEnded } from '#lib/workflow/next-step.ts';

const ASPECTS = ['clarity', 'completeness', 'actionability'] as const;
const OBJECT = /\{[^{}]{0,2000}\}/g;

/**
 * grader:score from a grader's last message: the last JSON object with clarity, completeness and actionability, whole
 * numbers from 1 to 5; `overall` is their mean. It grades the stage that it names, else the one completed last.
 */
export function graderScore(message: string, state: WorkflowState): DraftEvent[] {
	for (const json of (message.slice(-64 * 1024).match(OBJECT) ?? []).reverse()) {
		const found = parse(json);
		if (!found) continue;
		const marks = ASPECTS.map((aspect) => found[aspect]);
		if (!marks.every((mark): mark is number => Number.isInteger(mark) && Number(mark) >= 1 && Number(mark) <= 5))
			continue;
		const overall = Math.round((marks.reduce((sum, mark) => sum + mark, 0) / marks.length) * 100) / 100;
		const stage =
			typeof found.stage === 'string' && Object.hasOwn(state.stages, found.stage) ? found.stage : lastEnded(state);
		if (stage === undefined) return [];
		const scores = { ...Object.fromEntries(ASPECTS.map((aspect, at) => [aspect, marks[at] ?? 0])), overall };
		return [{ type: 'grader:score', stage, agent: agentOfStage(stage), scores }];
	}
	return [];
}

function parse(json: string): Record<string, unknown> | null {
	try {
		const value: unknown = JSON.parse(json);
		return isJson(value) ? value : null;
	} catch {
		return null;
	}
}
