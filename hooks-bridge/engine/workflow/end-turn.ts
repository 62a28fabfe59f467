import type { HookAt } from '#lib/agents/agent-hook.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import type { DraftEvent } from '#lib/contract/events/event.ts';
import type { WorkflowState } from '#lib/contract/sessions/read-model/workflow-state.ts';
import { joinDecisions, type LoopFacts } from '#lib/gates/gate.ts';
import { judgeHook } from '#lib/gates/gate-table.ts';
import { countProgress, judgeLoop, LOOP_GATE, type LoopVerdict } from '#lib/gates/loop/loop-gate.ts';
import { COMPLETION_GATE, judgeCompletion } from '#lib/gates/routing-completion/routing-completion-gate.ts';
import { minutesAndSeconds } from '#lib/time/duration.ts';
import { failedStages, nextStep, stageProgress } from '#lib/workflow/next-step.ts';
import { passAtK } from '#lib/workflow/pass-at-k.ts';
import { isPaused, isRunning } from '#lib/workflow/workflow-state.ts';
import type { Flow } from '../../ports/flow-port.ts';
import { draftVerdicts } from '../decide-call.ts';
import type { HookContext } from '../facts.ts';
import type { Effect } from '../perform-effects.ts';
import { eventsOnly, joinRulings, type Ruling } from '../record.ts';
import { findPlanRest } from '../routing/decide-route.ts';
import { draftLost, endWaitingStages } from './end-stage.ts';
import { type FlowCall, foldDrafts } from './flow-call.ts';
import { guideOf } from './guide-session.ts';

interface Stop {
	drafts: DraftEvent[];
	state: WorkflowState;
	facts: LoopFacts;
}

/**
 * The main agent wants to stop (seeds 000 and 001). The gates say whether it may. By the same facts the loop goes on or ends, and
 * with it the workflow; the plan counts the stop or is over. A failed stage never counts as complete.
 */
export function handleTurnEnd(call: FlowCall<HookAt<'turn-end'>>, flow: Flow | null): Ruling {
	const { hook, reported, context } = call;
	if (hook.agentId) return eventsOnly(reported);
	const stop = flow && isRunning(flow.workflow) ? findStop(call, flow, flow.workflow) : null;
	const rest = findPlanRest(hook, context);
	const began = context.ports.now();
	const judgement = judgeHook(hook, { ...context, loop: () => stop?.facts ?? null, planRest: () => rest });
	const hasVerdictOf = (gate: string): boolean => judgement?.verdicts.some((verdict) => verdict.gate === gate) === true;
	const outcome = joinRulings(
		stop ? endLoop(stop, hasVerdictOf(LOOP_GATE), context) : eventsOnly([]),
		rest && hasVerdictOf(COMPLETION_GATE) ? countStop(judgeCompletion(rest)) : eventsOnly([]),
	);
	const decision = joinDecisions(judgement?.decision ?? null, outcome.decision);
	const verdicts = judgement ? draftVerdicts({ ...judgement, decision }, hook, context.ports.now() - began) : [];
	return {
		decision,
		events: [...(stop?.drafts ?? reported), ...verdicts, ...outcome.events],
		effects: outcome.effects,
	};
}

/** The facts of the loop after lost agents have ended, and the events of those ends. */
function findStop(call: FlowCall<HookAt<'turn-end'>>, flow: Flow, before: WorkflowState): Stop {
	const { hook, reported, context } = call;
	const lost = draftLost(before, findEndedAgents(before, hook.running), 'it ended without a result');
	const drafts = endWaitingStages(call, before, [...reported, ...lost]);
	if (!flow.loop) drafts.push({ type: 'loop:start', workflowType: before.workflowType });
	const state = foldDrafts(before, drafts, call);
	const running = countRunning(hook.running, state);
	return { drafts, state, facts: findLoopFacts(state, flow, context, { running, lost: lost.length }) };
}

function findLoopFacts(
	state: WorkflowState,
	{ loop }: Flow,
	context: HookContext,
	{ running, lost }: { running: number; lost: number },
): LoopFacts {
	const tasks = state.featureName === undefined ? null : context.tasks();
	const { done, total } = stageProgress(state);
	const open = Object.entries(state.stages).filter(([, stage]) => stage.status !== 'completed');
	return {
		workflowType: state.workflowType,
		createdAt: state.createdAt,
		iteration: loop?.iteration ?? 0,
		stopped: loop?.stopped ?? false,
		paused: isPaused(state),
		consecutiveErrors: (loop?.consecutiveErrors ?? 0) + lost,
		fatal: state.fatal?.reason ?? null,
		running,
		openStages: open.map(([key]) => key),
		failedStages: failedStages(state),
		openBoxes: tasks?.next ?? [],
		boxesDone: tasks?.done ?? 0,
		boxesTotal: tasks?.total ?? 0,
		stagesDone: done,
		stagesTotal: total,
		nextStep: open.length > 0 ? nextStep(state) : null,
		stopWith: guideOf(context.settings) === 'skills' ? '/ot:stop' : '`signalbox workflow stop`',
	};
}

/** Clients that do not list their background tasks run an agent there only if asked. */
function countRunning(running: string[] | null, state: WorkflowState): number {
	return running?.length ?? Object.values(state.activeAgents).filter((one) => one.background).length;
}

/** Agents still listed although the turn ended and the client has no such task: they ended without a SubagentStop. */
function findEndedAgents(state: WorkflowState, running: string[] | null): string[] {
	return Object.entries(state.activeAgents).flatMap(([key, { agentId, background }]) => {
		const isOver = agentId === undefined ? running?.length === 0 : running?.includes(agentId) === false;
		return isOver || (running === null && !background) ? [key] : [];
	});
}

/** After the loop's verdict: another iteration, or the end of the loop and of the workflow. */
function endLoop({ state, facts }: Stop, hasLoopVerdict: boolean, context: HookContext): Ruling {
	const verdict = judgeLoop(facts);
	const { iteration } = facts;
	switch (verdict.end) {
		case 'wait':
		case 'rest':
			return eventsOnly([]);
		case 'go-on':
			return eventsOnly(
				hasLoopVerdict ? [{ type: 'loop:advance', iteration: iteration + 1, ...countProgress(facts) }] : [],
			);
		case 'complete':
		case 'abort':
			return endWorkflow(state, facts, verdict, context.ports.now());
	}
}

function endWorkflow(state: WorkflowState, facts: LoopFacts, verdict: LoopVerdict, now: number): Ruling {
	const { workflowType, failCount, rejectCount, featureName } = state;
	const duration = minutesAndSeconds(now - Date.parse(state.createdAt));
	const isComplete = verdict.end === 'complete';
	const ended: DraftEvent = isComplete
		? { type: 'workflow:complete', workflowType, duration }
		: { type: 'workflow:abort', workflowType, failCount, rejectCount, duration, reason: verdict.reason };
	const reason = isComplete ? 'complete' : verdict.rule.slice('loop.'.length);
	const archives = isComplete && featureName !== undefined;
	return {
		decision: { decision: 'pass', message: writeSummary(state, facts, verdict, duration) },
		events: [ended, { type: 'loop:complete', iteration: facts.iteration, reason }],
		effects: archives ? [{ does: 'archive-feature', feature: featureName }] : [],
	};
}

/** After the verdict on a plan: one retry less, or its end. */
function countStop({ end, reason }: ReturnType<typeof judgeCompletion>): Ruling {
	if (end === null) return eventsOnly([]);
	const effects: Effect[] = [{ does: 'count-stop', end }];
	const decision: HookDecision | null =
		end === 'retry' ? null : { decision: 'pass', message: `Signalbox: ${reason}; it is ${end}.` };
	return { decision, events: [], effects };
}

function writeSummary(state: WorkflowState, facts: LoopFacts, verdict: LoopVerdict, duration: string): string {
	const attempts = Object.entries(state.stages).map(([key, stage]) => [key, stage.attempts ?? []] as const);
	const { pass1Rate, unclearCount } = passAtK(Object.fromEntries(attempts));
	const unclear = unclearCount === 0 ? '' : `, ${unclearCount} ended without a verdict`;
	const rate = pass1Rate === null ? '' : `, ${Math.round(pass1Rate * 100)} % passed at the first attempt${unclear}`;
	const head = verdict.end === 'complete' ? 'is complete' : `was aborted (${verdict.reason})`;
	// A person who stopped it knows; otherwise they must learn that passed stages are not lost.
	const isOwn = verdict.end === 'complete' || facts.stopped;
	const way = isOwn
		? ''
		: ' `signalbox workflow resume`, or the session’s page, continues it with the stages that passed.';
	return `Signalbox: the workflow ${state.workflowType} ${head}: ${facts.stagesDone}/${facts.stagesTotal} stages in ${duration}${rate}.${way}`;
}
