import { agentNameOf } from '#lib/routing/agent-name.ts';
import { findActive } from '#lib/workflow/active-agents.ts';
import { convergedGroup, stageForAgent } from '#lib/workflow/next-stages.ts';
import { awaitingRepair, receivers, resultHint } from '#lib/workflow/next-step.ts';
import { parseVerdict, worseResult } from '#lib/workflow/parse-verdict.ts';
import { stageBase } from '#lib/workflow/stage-keys.ts';
import { DEBUGGER, GRADER, stages } from '#lib/workflow/stages.ts';
import { verdictReason } from '#lib/workflow/verdict-reason.ts';
import {
	isRunning,
	keysOfBase,
	RESULT_LIMIT,
	type StageResult,
	stageOf,
	type WorkflowState,
} from '#lib/workflow/workflow-state.ts';
import type { DraftEvent } from '../ports.ts';
import { type FlowCall, type FlowPart, stateAfter } from './flow-part.ts';
import { graderScore } from './grader-score.ts';
import { writeHandoffs } from './handoff.ts';
import { noteSighting } from './note-sighting.ts';

/**
 * SubagentStop in a running workflow (seed 001): the agent's verdict, the end of its stage, retry or limit, the group's
 * convergence, handoffs, and the hint for the next step. An agent of no stage only ends.
 */
export function endAgent(call: FlowCall, state: WorkflowState | null): FlowPart {
	const { input, told, ports } = call;
	const agent = agentNameOf(input.fields.agent_type);
	if (!isRunning(state) || agent === null || !input.agentId) return { drafts: told, output: null };
	const said = input.fields.last_assistant_message;
	const message = typeof said === 'string' ? said : '';
	if (agent === GRADER) return { drafts: [...told, ...graderScore(message, state)], output: null };
	const key = findActive(state, { agent, agentId: input.agentId });
	const stage = (key === undefined ? undefined : state.activeAgents[key]?.stage) ?? openStage(state, agent);
	if (stage === undefined) return { drafts: [...told, ...causeFound(call, state, agent, message)], output: null };

	const own = parseVerdict(stage, message);
	const ended = told.map((draft) => (draft.type === 'agent:complete' ? { ...draft, stage, result: own } : draft));
	const beside = Object.entries(state.activeAgents).some(([other, one]) => other !== key && one.stage === stage);
	const after = (): DraftEvent[] => {
		const action = `${stageBase(stage)} ended with ${own}`;
		noteSighting(call, { type: 'agent_performance', tag: `agent-${agent}`, trigger: `${agent} ends`, action });
		return [];
	};
	if (beside) return { drafts: ended, output: null, after };

	const result = worseResult(stageOf(state, stage)?.partial, own);
	const drafts: DraftEvent[] = [...ended, { type: 'stage:complete', stage, result }];
	drafts.push(...consequence(state, stage, result, message));
	const settled = stateAfter(state, drafts, input, ports);
	const group = convergedGroup(settled, stage);
	if (group !== undefined) drafts.push({ type: 'parallel:converge', group });
	drafts.push(...writeHandoffs(call, { agent, stage, result, message, state }, receivers(settled, stage, result)));
	return {
		drafts,
		output: { systemMessage: `Signalbox: ${resultHint(settled, stage, result)}` },
		after: () => {
			tick(call, settled, stage, result);
			return after();
		},
	};
}

/** What a debugger found goes to the developer who repairs, in a workflow without a stage for it too. */
function causeFound(call: FlowCall, state: WorkflowState, agent: string, message: string): DraftEvent[] {
	if (agent !== DEBUGGER || awaitingRepair(state).length === 0) return [];
	return writeHandoffs(call, { agent, stage: 'DEBUG', result: 'pass', message, state }, [stages.DEV.agent]);
}

/** An agent that was woken again was not asked for anew: its stage is one that waits to be done again. */
function openStage(state: WorkflowState, agent: string): string | undefined {
	const key = stageForAgent(state, agent);
	const stage = stageOf(state, key);
	const waits = stage?.status === 'active' || (stage?.status === 'pending' && (stage.retries ?? 0) > 0);
	return waits ? key : undefined;
}

/** What a bad result leads to: the stage is done again, or at the third one a person must decide. */
function consequence(state: WorkflowState, stage: string, result: StageResult, message: string): DraftEvent[] {
	if (result === 'pass') return [];
	const count = { fail: state.failCount, reject: state.rejectCount, issues: state.retroCount }[result] + 1;
	const counted = { fail: { failCount: count }, reject: { rejectCount: count }, issues: { retroCount: count } }[result];
	if (count < RESULT_LIMIT) return [{ type: 'stage:retry', stage, ...counted, reason: verdictReason(message) }];
	const said = `${stage} ended with ${result.toUpperCase()}, number ${count} in this workflow`;
	const reason = `${said}; a person must decide how to go on`;
	return [{ type: 'error:fatal', reason, ...(result === 'issues' ? {} : counted) }];
}

/** A box stands for all stages of its name: TEST is done when the tests are written and have passed. */
function tick({ root, ports }: FlowCall, state: WorkflowState, stage: string, result: StageResult): void {
	const base = stageBase(stage);
	if (state.featureName === undefined || result === 'fail' || result === 'reject') return;
	if (keysOfBase(state, base).some((key) => stageOf(state, key)?.status !== 'completed')) return;
	ports.features.tick(root, state.featureName, base);
}
