import type { WorkflowState } from '../contract/sessions/read-model/workflow-state.ts';
import { groupsOf, type WorkflowGroup } from './registry.ts';
import { stageBase } from './stage-keys.ts';
import { type StageName, stageOfAgent, stages } from './stages.ts';
import { isBadResult, keysOfBase, stageOf } from './workflow-state.ts';

/** What may start next: one stage, or the open stages of one parallel group; empty when none is pending. */
export interface NextStages {
	stages: string[];
	group?: string;
}

/** The first pending stage, together with the pending members of its parallel group. */
export function nextStages(state: WorkflowState): NextStages {
	const first = Object.keys(state.stages).find((key) => isPending(state, key));
	if (first === undefined) return { stages: [] };
	const group = groupOf(state, first);
	if (!group) return { stages: [first] };
	const open = group.stages.filter((key) => isPending(state, key));
	return open.length > 1 ? { stages: open, group: group.name } : { stages: [first] };
}

/** The parallel group that a stage of this workflow belongs to. */
export function groupOf(state: WorkflowState, key: string): WorkflowGroup | undefined {
	return groupsOf(state.workflowType).find((group) => group.stages.includes(key));
}

/**
 * The stage that an agent's start would be for: its first one that is not completed, else its last one, which then
 * runs again. Nothing for an agent that has no stage in this workflow.
 */
export function stageForAgent(state: WorkflowState, agent: string): string | undefined {
	const base = stageOfAgent(agent);
	const keys = base === undefined ? [] : keysOfBase(state, base);
	return keys.find((key) => stageOf(state, key)?.status !== 'completed') ?? keys.at(-1);
}

/** The pending stages that must come before a stage; members of its own parallel group need not. */
export function skippedBy(state: WorkflowState, key: string): string[] {
	const keys = Object.keys(state.stages);
	const beside = groupOf(state, key)?.stages ?? [];
	return keys.slice(0, Math.max(0, keys.indexOf(key))).filter((one) => isPending(state, one) && !beside.includes(one));
}

/** The agent that works on a stage; the key itself where the stage is not one of ours. */
export function agentOfStage(key: string): string {
	const base = stageBase(key);
	return Object.hasOwn(stages, base) ? stages[base as StageName].agent : base.toLowerCase();
}

/** Whether all members of the stage's group have ended well and this was not told before. */
export function convergedGroup(state: WorkflowState, key: string): string | undefined {
	const group = groupOf(state, key);
	if (!group || state.groups?.[group.name]?.convergedAt) return undefined;
	const well = group.stages.every((one) => {
		const stage = stageOf(state, one);
		return stage?.status === 'completed' && !isBadResult(stage.result);
	});
	return well ? group.name : undefined;
}

/** The stage whose end came last; nothing before the first. */
export function lastEnded(state: WorkflowState): string | undefined {
	return Object.entries(state.stages)
		.filter(([, stage]) => stage.completedAt !== undefined)
		.sort(([, a], [, b]) => ((a.completedAt ?? '') < (b.completedAt ?? '') ? -1 : 1))
		.at(-1)?.[0];
}

/** How many stages are completed, and how many there are. */
export function stageProgress(state: WorkflowState): { done: number; total: number } {
	const all = Object.values(state.stages);
	return { done: all.filter((stage) => stage.status === 'completed').length, total: all.length };
}

/** Stages that ended badly and were not opened again. */
export function failedStages(state: WorkflowState): string[] {
	const bad = ({ status, result }: WorkflowState['stages'][string]): boolean =>
		status === 'completed' && isBadResult(result);
	return Object.entries(state.stages).flatMap(([key, stage]) => (bad(stage) ? [key] : []));
}

function isPending(state: WorkflowState, key: string): boolean {
	return stageOf(state, key)?.status === 'pending';
}
