import type { DraftEvent } from '#lib/contract/events/event.ts';
import type { Verdict, WorkflowState } from '#lib/contract/sessions/read-model/workflow-state.ts';
import { textOf } from '#lib/json/json.ts';
import { inEnglish } from '#lib/messages/sentence.ts';
import { convergedGroup, stageForAgent } from '#lib/workflow/next-step.ts';
import { findActive, unattendedStages } from '#lib/workflow/workflow-fold.ts';
import { agentOfKey, isRunning, limitReason, RESULT_LIMIT, stageOf } from '#lib/workflow/workflow-state.ts';
import type { Flow } from '../../ports/flow-port.ts';
import { type FlowCall, foldDrafts } from './flow-call.ts';

/** How a stage ended, and why it did not pass. */
export interface StageEnd {
	stage: string;
	verdict: Verdict;
	reason: string;
}

/** `drafts` with the end of a stage and what follows from it: retry or limit, and the convergence of its group. */
export function endStage(
	call: FlowCall,
	state: WorkflowState,
	drafts: readonly DraftEvent[],
	end: StageEnd,
): { drafts: DraftEvent[]; after: WorkflowState } {
	const { stage, verdict } = end;
	const before = foldDrafts(state, drafts, call);
	const ended: DraftEvent[] = [{ type: 'stage:complete', stage, ...verdict }, ...draftConsequence(before, end)];
	const after = foldDrafts(before, ended, call);
	const group = convergedGroup(after, stage);
	if (group !== undefined) ended.push({ type: 'parallel:converge', group });
	return { drafts: [...drafts, ...ended], after };
}

/** `ownDrafts`, and the ends of the stages that waited for an agent that is gone: by the results of the others. */
export function endWaitingStages(call: FlowCall, state: WorkflowState, ownDrafts: readonly DraftEvent[]): DraftEvent[] {
	let drafts = [...ownDrafts];
	for (const [stage, verdict] of unattendedStages(foldDrafts(state, ownDrafts, call))) {
		const reason = `one of its agents was lost, another one ended with ${verdict.result.toUpperCase()}`;
		drafts = endStage(call, state, drafts, { stage, verdict, reason }).drafts;
	}
	return drafts;
}

/** After a bad result the stage is repeated; after the third a person must decide. */
function draftConsequence(state: WorkflowState, { stage, verdict: { result }, reason: why }: StageEnd): DraftEvent[] {
	if (result === 'pass') return [];
	const { failCount, rejectCount, retroCount, unclearCount = 0 } = state;
	const count = { fail: failCount, reject: rejectCount, issues: retroCount, unclear: unclearCount }[result] + 1;
	const counts = { fail: { failCount: count }, reject: { rejectCount: count }, issues: { retroCount: count } };
	const counted = result === 'unclear' ? {} : counts[result];
	// ISSUES need no repair: a retry is recorded when one begins.
	if (count < RESULT_LIMIT) return result === 'issues' ? [] : [{ type: 'stage:retry', stage, ...counted, reason: why }];
	const reason = inEnglish(limitReason(stage, result, count));
	return [{ type: 'error:fatal', reason, ...(result === 'issues' ? {} : counted) }];
}

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

/** The events of a hook at which agents are lost: those of the agents, and the ends of stages that waited for them alone. */
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
