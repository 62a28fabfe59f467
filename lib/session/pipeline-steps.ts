import type { groupsIn, StageView } from './workflow-progress.ts';

/** One place in the pipeline: a stage, or the neighbouring stages of a parallel group. */
export interface PipelineStep {
	group: string | null;
	stages: StageView[];
}

/** Puts neighbouring stages of one parallel group together; stages keep their order. */
export function pipelineSteps(stages: readonly StageView[], groups: ReturnType<typeof groupsIn>): PipelineStep[] {
	const groupOf = (key: string) => groups.find((group) => group.stages.includes(key))?.name ?? null;
	const steps: PipelineStep[] = [];
	for (const stage of stages) {
		const group = groupOf(stage.key);
		const last = steps.at(-1);
		if (last && group !== null && last.group === group) last.stages.push(stage);
		else steps.push({ group, stages: [stage] });
	}
	return steps;
}
