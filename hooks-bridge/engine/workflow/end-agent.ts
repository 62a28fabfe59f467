import type { HookAt } from '#lib/agents/agent-hook.ts';
import type { StageResult, WorkflowState } from '#lib/contract/sessions/read-model/workflow-state.ts';
import { agentNameOf } from '#lib/routing/routing-state.ts';
import { awaitingRepair, receivers, resultHint, stageForAgent } from '#lib/workflow/next-step.ts';
import { parseVerdict, verdictReason, worseVerdict } from '#lib/workflow/parse-verdict.ts';
import { DEBUGGER, GRADER, stageBase, stages } from '#lib/workflow/registry.ts';
import { findActive } from '#lib/workflow/workflow-fold.ts';
import { isRunning, keysOfBase, partialOf, stageOf } from '#lib/workflow/workflow-state.ts';
import { hookEvent } from '../draft-events.ts';
import { type Effect, type Ruling, tellOnly } from '../ruling.ts';
import { endStage } from './end-stage.ts';
import type { FlowCall } from './flow-call.ts';
import { graderScore } from './grader-score.ts';
import { handOff } from './handoff.ts';

const SILENCE = 'its agent ended without a word, so nobody knows whether it passed';

/**
 * SubagentStop in a running workflow (seed 001): the agent's verdict, the end of its stage, retry or limit, the group's
 * convergence, handoffs, and the hint for the next step. An agent of no stage only ends.
 */
export function endAgent(call: FlowCall<HookAt<'agent-end'>>, state: WorkflowState | null): Ruling {
	const { hook, told, world } = call;
	const agent = agentNameOf(hook.agentType);
	if (!isRunning(state) || agent === null || !hook.agentId) return tellOnly(told);
	const message = typeof hook.message === 'string' ? hook.message : '';
	if (agent === GRADER) return tellOnly([...told, ...graderScore(message, state)]);
	const key = findActive(state, { agent, agentId: hook.agentId });
	const active = key === undefined ? undefined : state.activeAgents[key];
	const stage = active?.stage ?? openStage(state, agent);
	const isBound = active?.agentId === hook.agentId;
	// One that never started ends nothing, whoever posts that it has: kept as what was posted, and no more.
	if (stage !== undefined && !isBound && !world.sight.flow.hasStarted(hook.sessionId, hook.agentId)) {
		return tellOnly([hookEvent(hook)]);
	}
	if (stage === undefined) return { ...tellOnly(told), effects: handOnCause(state, agent, message) };

	const own = parseVerdict(stage, hook.message === undefined ? undefined : message);
	const ended = told.map((draft) => (draft.type === 'agent:complete' ? { ...draft, stage, ...own } : draft));
	const beside = Object.entries(state.activeAgents).some(([other, one]) => other !== key && one.stage === stage);
	const action = `${stageBase(stage)} ended with ${own.result}`;
	const seen = { type: 'agent_performance', tag: `agent-${agent}`, trigger: `${agent} ends`, action } as const;
	const sighting: Effect = { does: 'note-sighting', seen };
	if (beside) return { ...tellOnly(ended), effects: [sighting] };

	const before = stageOf(state, stage);
	const verdict = worseVerdict(before && partialOf(before), own);
	const { result } = verdict;
	const reason = result === 'unclear' ? SILENCE : verdictReason(message);
	const { drafts, settled } = endStage(call, state, ended, { stage, verdict, reason });
	const handoffs = handOff({ agent, stage, result, message, state }, receivers(settled, stage, result));
	return {
		decision: { decision: 'pass', message: `Signalbox: ${resultHint(settled, stage, result)}` },
		events: drafts,
		effects: [...handoffs, ...tickBox(settled, stage, result), sighting],
	};
}

/** What a debugger found goes to the developer who repairs, in a workflow without a stage for it too. */
function handOnCause(state: WorkflowState, agent: string, message: string): Effect[] {
	if (agent !== DEBUGGER || awaitingRepair(state).length === 0) return [];
	return handOff({ agent, stage: 'DEBUG', result: 'pass', message, state }, [stages.DEV.agent]);
}

/** An agent that was woken again was not asked for again: its stage is one that waits to be done again. */
function openStage(state: WorkflowState, agent: string): string | undefined {
	const key = stageForAgent(state, agent);
	const stage = stageOf(state, key);
	const waits = stage?.status === 'active' || (stage?.status === 'pending' && (stage.retries ?? 0) > 0);
	return waits ? key : undefined;
}

/** A box stands for all stages of its name: TEST is done when the tests are written and have passed. */
function tickBox(state: WorkflowState, stage: string, result: StageResult): Effect[] {
	const base = stageBase(stage);
	if (state.featureName === undefined || (result !== 'pass' && result !== 'issues')) return [];
	if (keysOfBase(state, base).some((key) => stageOf(state, key)?.status !== 'completed')) return [];
	return [{ does: 'tick-box', feature: state.featureName, label: base }];
}
