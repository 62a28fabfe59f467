import type { RequestedAgent } from '#lib/agents/tool-call.ts';
import type { DraftEvent } from '#lib/contract/events/event.ts';
import type { WorkflowState } from '#lib/contract/sessions/read-model/workflow-state.ts';
import { agentNameOf, GENERAL_AGENT } from '#lib/routing/routing-state.ts';
import { groupOf, stageForAgent } from '#lib/workflow/next-step.ts';
import { isRunning, stageOf } from '#lib/workflow/workflow-state.ts';

/** The events of a sub-agent's start: the delegation, and the begin of its stage and parallel group in a workflow. */
export function draftStart(request: RequestedAgent, state: WorkflowState | null): DraftEvent[] {
	const agent = agentNameOf(request.type);
	const key = isRunning(state) && agent !== null ? stageForAgent(state, agent) : undefined;
	if (!isRunning(state) || key === undefined) return [agentDelegate(request)];
	const drafts: DraftEvent[] = [agentDelegate(request, key)];
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

function agentDelegate({ type, description, background }: RequestedAgent, stage?: string): DraftEvent {
	return {
		type: 'agent:delegate',
		agent: agentNameOf(type) ?? GENERAL_AGENT,
		stage,
		description,
		subagentType: type?.slice(0, 200) || undefined,
		background,
	};
}
