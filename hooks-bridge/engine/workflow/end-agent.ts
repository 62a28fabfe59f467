import type { HookAt } from '#lib/agents/agent-hook.ts';
import type { DraftEvent } from '#lib/contract/events/event.ts';
import type { StageResult, WorkflowState } from '#lib/contract/sessions/read-model/workflow-state.ts';
import { isSafeId } from '#lib/ids/safe-id.ts';
import { parsedObject } from '#lib/json/json.ts';
import { agentNameOf } from '#lib/routing/routing-state.ts';
import { clip, printable } from '#lib/text/printable.ts';
import {
	agentOfStage,
	awaitingRepair,
	lastEnded,
	receivers,
	resultHint,
	stageForAgent,
} from '#lib/workflow/next-step.ts';
import { parseVerdict, verdictReason, worseVerdict } from '#lib/workflow/parse-verdict.ts';
import { DEBUGGER, GRADER, stageBase, stages } from '#lib/workflow/registry.ts';
import { findActive } from '#lib/workflow/workflow-fold.ts';
import { isRunning, keysOfBase, partialOf, stageOf } from '#lib/workflow/workflow-state.ts';
import { hookEvent } from '../draft-events.ts';
import type { Effect } from '../perform-effects.ts';
import { eventsOnly, type Ruling } from '../record.ts';
import { endStage } from './end-stage.ts';
import type { FlowCall } from './flow-call.ts';

const SILENCE = 'its agent ended without a word, so nobody knows whether it passed';

/**
 * SubagentStop in a running workflow (seed 001): verdict, end of the stage, retry or limit, its group, handoffs, hint for the
 * next step. An agent without a stage just ends.
 */
export function endAgent(call: FlowCall<HookAt<'agent-end'>>, state: WorkflowState | null): Ruling {
	const { hook, reported, context } = call;
	const agent = agentNameOf(hook.agentType);
	if (!isRunning(state) || agent === null || !hook.agentId) return eventsOnly(reported);
	const message = typeof hook.message === 'string' ? hook.message : '';
	if (agent === GRADER) return eventsOnly([...reported, ...graderScore(message, state)]);
	const key = findActive(state, { agent, agentId: hook.agentId });
	const active = key === undefined ? undefined : state.activeAgents[key];
	const stage = active?.stage ?? openStage(state, agent);
	const isBound = active?.agentId === hook.agentId;
	// The end of an agent that never started is only recorded and has no other effect.
	if (stage !== undefined && !isBound && !context.ports.flow.hasStarted(hook.sessionId, hook.agentId)) {
		return eventsOnly([hookEvent(hook)]);
	}
	if (stage === undefined) return { ...eventsOnly(reported), effects: passOnCause(state, agent, message) };

	const own = parseVerdict(stage, hook.message === undefined ? undefined : message);
	const ended = reported.map((draft) => (draft.type === 'agent:complete' ? { ...draft, stage, ...own } : draft));
	const beside = Object.entries(state.activeAgents).some(([other, one]) => other !== key && one.stage === stage);
	const action = `${stageBase(stage)} ended with ${own.result}`;
	const seen = { type: 'agent_performance', tag: `agent-${agent}`, trigger: `${agent} ends`, action } as const;
	const sighting: Effect = { does: 'note-sighting', seen };
	if (beside) return { ...eventsOnly(ended), effects: [sighting] };

	const before = stageOf(state, stage);
	const verdict = worseVerdict(before && partialOf(before), own);
	const { result } = verdict;
	const reason = result === 'unclear' ? SILENCE : verdictReason(message);
	const { drafts, after } = endStage(call, state, ended, { stage, verdict, reason });
	const handoffs = handOff({ agent, stage, result, message, state }, receivers(after, stage, result));
	return {
		decision: { decision: 'pass', message: `Signalbox: ${resultHint(after, stage, result)}` },
		events: drafts,
		effects: [...handoffs, ...tickBox(after, stage, result), sighting],
	};
}

/** A debugger's findings go to the developer who repairs, also in a workflow without a stage for debugging. */
function passOnCause(state: WorkflowState, agent: string, message: string): Effect[] {
	if (agent !== DEBUGGER || awaitingRepair(state).length === 0) return [];
	return handOff({ agent, stage: 'DEBUG', result: 'pass', message, state }, [stages.DEV.agent]);
}

/** A resumed agent has no new call: its stage is one that must be repeated. */
function openStage(state: WorkflowState, agent: string): string | undefined {
	const key = stageForAgent(state, agent);
	const stage = stageOf(state, key);
	const waits = stage?.status === 'active' || (stage?.status === 'pending' && (stage.retries ?? 0) > 0);
	return waits ? key : undefined;
}

/** One box is for all stages of its name: TEST is done when the tests are written and have passed. */
function tickBox(state: WorkflowState, stage: string, result: StageResult): Effect[] {
	const base = stageBase(stage);
	if (state.featureName === undefined || (result !== 'pass' && result !== 'issues')) return [];
	if (keysOfBase(state, base).some((key) => stageOf(state, key)?.status !== 'completed')) return [];
	return [{ does: 'tick-box', feature: state.featureName, label: base }];
}

const ASPECTS = ['clarity', 'completeness', 'actionability'] as const;
const OBJECT = /\{[^{}]{0,2000}\}/g;

/**
 * grader:score, from the last JSON object of a grader's message: clarity, completeness and actionability, each 1 to 5; `overall`
 * is the mean. Grades the stage that it names, else the one completed last.
 */
function graderScore(message: string, state: WorkflowState): DraftEvent[] {
	for (const json of (message.slice(-64 * 1024).match(OBJECT) ?? []).reverse()) {
		const found = parsedObject(json);
		if (!found) continue;
		const marks = ASPECTS.map((aspect) => found[aspect]);
		if (!marks.every((mark): mark is number => Number.isInteger(mark) && Number(mark) >= 1 && Number(mark) <= 5))
			continue;
		const overall = Math.round((marks.reduce((sum, mark) => sum + mark, 0) / marks.length) * 100) / 100;
		const stage =
			typeof found.stage === 'string' && Object.hasOwn(state.stages, found.stage) ? found.stage : lastEnded(state);
		if (stage === undefined) return [];
		const scores = { ...Object.fromEntries(ASPECTS.map((aspect, index) => [aspect, marks[index] ?? 0])), overall };
		return [{ type: 'grader:score', stage, agent: agentOfStage(stage), scores }];
	}
	return [];
}

/** Limit for a runaway agent; otherwise the whole message is handed on. */
const MAX_CHARS = 512 * 1024;
const OWN = /^#{1,3}[ \t]*HANDOFF\b.*$/mu;

interface Handoff {
	agent: string;
	stage: string;
	result: StageResult;
	message: string;
	/** Before the stage ended. */
	state: WorkflowState;
}

/** Writes what an agent leaves to each receiver; nothing if its message is empty. */
function handOff(handoff: Handoff, receivers: readonly string[]): Effect[] {
	const { agent, message } = handoff;
	if (message.trim() === '') return [];
	return receivers
		.filter((to) => to !== agent && isSafeId(agent) && isSafeId(to))
		.map((to) => ({ does: 'write-handoff', from: agent, to, text: writeText(handoff, to) }));
}

/** The document: the agent's own handoff block if there is one, else its message in four sections. */
function writeText({ agent, stage, result, message, state }: Handoff, to: string): string {
	const whole = clip(message, MAX_CHARS);
	const own = OWN.exec(whole);
	if (own) return `## HANDOFF: ${agent} → ${to}\n${whole.slice(own.index + own[0].length)}\n`;
	const feature = state.featureName ? `, feature ${printable(state.featureName, 100)}` : '';
	return [
		`## HANDOFF: ${agent} → ${to}`,
		'',
		'### Context',
		`Workflow ${printable(state.workflowType, 60)}${feature}. Stage ${stage} ended with ${result}.`,
		'',
		'### Findings',
		whole.trim(),
		'',
		'### Files Modified',
		'Not stated.',
		'',
		'### Open Questions',
		'Not stated.',
		'',
	].join('\n');
}
