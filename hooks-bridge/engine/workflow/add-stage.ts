import type { DraftEvent } from '#lib/contract/events/draft-event.ts';
import type { WorkflowState } from '#lib/contract/sessions/read-model/workflow-state.ts';
import { stageForAgent } from '#lib/workflow/next-step.ts';
import { findActive } from '#lib/workflow/workflow-fold.ts';
import { isRunning, stageOf } from '#lib/workflow/workflow-state.ts';
import type { Flow } from '../../ports/flow-port.ts';
import type { FlowCall } from './flow-call.ts';

/** A hook's events, with the stage or the workflow that they belong to. */
export function addStage({ hook, reported }: FlowCall, { workflow: state, loop }: Flow): DraftEvent[] {
	return reported.map((draft) => {
		if (draft.type === 'session:end') return loop ? { ...draft, iteration: loop.iteration } : draft;
		if (!isRunning(state)) return draft;
		switch (draft.type) {
			case 'session:compact':
				return { ...draft, workflowType: state.workflowType, currentStage: state.currentStage };
			case 'agent:start':
			case 'agent:error': {
				const clue = { agent: draft.agent, agentId: hook.agentId, toolUseId: draft.toolUseId };
				const key = findActive(state, clue);
				const stage = key === undefined ? awaited(state, draft.agent) : state.activeAgents[key]?.stage;
				return stage === undefined ? draft : { ...draft, stage };
			}
			default:
				return draft;
		}
	});
}

/** A resumed agent has no new call. */
function awaited(state: WorkflowState, agent: string): string | undefined {
	const key = stageForAgent(state, agent);
	return stageOf(state, key)?.status === 'active' ? key : undefined;
}
