import type { DraftEvent } from '#lib/contract/events/draft-event.ts';
import type { WorkflowState } from '#lib/contract/sessions/read-model/workflow-state.ts';
import { textOf } from '#lib/json/json.ts';
import { findActive } from '#lib/workflow/workflow-fold.ts';
import { agentOfKey, isRunning } from '#lib/workflow/workflow-state.ts';
import type { Flow } from '../../ports/flow-port.ts';
import { addStage } from './add-stage.ts';
import { endWaitingStages } from './end-stage.ts';
import type { FlowCall } from './flow-call.ts';

/** The events of a hook that may end agents without their report, and the ends of stages that waited only for them. */
export function endLostAgents(call: FlowCall, flow: Flow): DraftEvent[] {
	const drafts = addStage(call, flow);
	if (!isRunning(flow.workflow)) return drafts;
	return endWaitingStages(call, flow.workflow, [...lostBy(call, flow.workflow), ...drafts]);
}

function lostBy({ hook }: FlowCall, state: WorkflowState): DraftEvent[] {
	switch (hook.at) {
		case 'session-start':
		case 'session-end':
			return draftLost(state, Object.keys(state.activeAgents), 'its session ended before it did');
		case 'failure': {
			const { toolUseId, interrupt, error } = hook;
			const key = toolUseId === undefined ? undefined : findActive(state, { toolUseId });
			// An interrupted agent has not failed; the end of its call shows that it stopped.
			if (key === undefined || interrupt === true) return [];
			return draftLost(state, [key], textOf(error, 1000) ?? 'its call failed');
		}
		default:
			return [];
	}
}

/** Agents that no longer work, as events. */
export function draftLost(state: WorkflowState, keys: readonly string[], reason: string): DraftEvent[] {
	return keys.flatMap((key): DraftEvent[] => {
		const active = state.activeAgents[key];
		if (!active) return [];
		const { stage, agentId, toolUseId } = active;
		return [{ type: 'agent:error', agent: agentOfKey(key), stage, reason, agentId, toolUseId }];
	});
}
