import { agentNameOf } from '#lib/routing/agent-name.ts';
import { groupOf, stageForAgent } from '#lib/workflow/next-stages.ts';
import { isRunning, stageOf, type WorkflowState } from '#lib/workflow/workflow-state.ts';
import { agentDelegate } from '../../agents/claude-code/agent-drafts.ts';
import { isJson } from '../../agents/claude-code/json.ts';
import type { DraftEvent } from '../ports.ts';

/** What the start of a sub-agent means: the delegation, and the begin of its stage and parallel group in a workflow. */
export function startDrafts(toolInput: unknown, state: WorkflowState | null): DraftEvent[] {
	const agent = isJson(toolInput) ? agentNameOf(toolInput.subagent_type) : null;
	const key = isRunning(state) && agent !== null ? stageForAgent(state, agent) : undefined;
	if (!isRunning(state) || key === undefined) return [agentDelegate(toolInput)];
	const drafts: DraftEvent[] = [agentDelegate(toolInput, key)];
	const stage = stageOf(state, key);
	if (stage?.result === 'issues') {
		drafts.push({ type: 'stage:retry', stage: key, reason: 'another round after its ISSUES' });
	}
	if (stage && stage.status !== 'active') drafts.push({ type: 'stage:start', stage: key, mode: stage.mode });
	const group = groupOf(state, key);
	if (group && state.groups?.[group.name] === undefined) {
		drafts.push({ type: 'parallel:start', group: group.name, stages: [...group.stages] });
	}
	return drafts;
}
