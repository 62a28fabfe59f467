import type { HookAt } from '#lib/agents/agent-hook.ts';
import type { HookDecision } from '#lib/contract/catalogue/judgement.ts';
import type { DraftEvent } from '#lib/contract/draft-event.ts';
import type { LoopFacts } from '#lib/gates/loop/loop-facts.ts';
import { type LoopVerdict, loopGate, loopProgress } from '#lib/gates/loop/loop-gate.ts';
import type { Settings } from '#lib/settings/settings.ts';
import { minutesAndSeconds } from '#lib/time/duration.ts';
import { LOOP_LIMITS } from '#lib/workflow/loop-fold.ts';
import { failedStages, stageProgress } from '#lib/workflow/next-stages.ts';
import { nextStep } from '#lib/workflow/next-step.ts';
import { passAtK } from '#lib/workflow/pass-at-k.ts';
import { isPaused, isRunning, type WorkflowState } from '#lib/workflow/workflow-state.ts';
import { settleStages } from './end-stage.ts';
import { type FlowCall, type FlowPart, stateAfter } from './flow-part.ts';
import type { FeatureTasks, Flow } from './flow-port.ts';
import { guideOf } from './guide-session.ts';
import { lostAgents } from './lose-agents.ts';

/**
 * Stop in a running workflow (seed 001): sends the agent on while stages or boxes are open, ends the loop at its
 * limits, completes the workflow and has its feature archived. A failed stage never ends as complete.
 */
export function endTurn(
	call: FlowCall<HookAt<'turn-end'>>,
	flow: Flow,
	tasks: FeatureTasks | null,
	settings: Settings,
): FlowPart {
	const { hook, told } = call;
	if (!isRunning(flow.workflow) || hook.agentId) return { drafts: told, decision: null };
	const gone = goneAgents(flow.workflow, hook.running);
	const lost = lostAgents(flow.workflow, gone, 'it ended without a result');
	const drafts = settleStages(call, flow.workflow, [...told, ...lost]);
	if (!flow.loop) drafts.push({ type: 'loop:start', workflowType: flow.workflow.workflowType });
	const state = stateAfter(flow.workflow, drafts, hook, call.ports);
	const facts = loopFacts(state, flow, tasks, runningAgents(hook.running, state), lost.length);
	const verdict = loopGate(facts);
	switch (verdict.end) {
		case 'wait':
			return { drafts, decision: null };
		case 'rest':
			return { drafts: [...drafts, judged(verdict)], decision: null };
		case 'go-on':
			return settings.gates.loop.enabled ? goOn(drafts, state, facts, verdict, settings) : { drafts, decision: null };
		case 'complete':
		case 'abort':
			return end(call, drafts, state, facts, verdict);
	}
}

function loopFacts(
	state: WorkflowState,
	{ loop }: Flow,
	tasks: FeatureTasks | null,
	running: number,
	lost: number,
): LoopFacts {
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
	};
}

/** Clients that do not list their background tasks run an agent there only if asked. */
function runningAgents(running: string[] | null, state: WorkflowState): number {
	return running?.length ?? Object.values(state.activeAgents).filter((one) => one.background).length;
}

/**
 * Agents that are still noted although the turn ended and the client has no such task any more: they ended without a
 * SubagentStop. Of a client that lists none, those are all that were not sent into the background.
 */
function goneAgents(state: WorkflowState, running: string[] | null): string[] {
	return Object.entries(state.activeAgents).flatMap(([key, { agentId, background }]) => {
		const isOver = agentId === undefined ? running?.length === 0 : running?.includes(agentId) === false;
		return isOver || (running === null && !background) ? [key] : [];
	});
}

/** The verdict as it is told, with what is answered for it. */
function judged({ end: _end, ...verdict }: LoopVerdict, answer?: HookDecision): DraftEvent {
	return { type: 'gate:verdict', ...verdict, hook: 'Stop', ...(answer && { answer }) };
}

function goOn(
	drafts: DraftEvent[],
	state: WorkflowState,
	facts: LoopFacts,
	verdict: LoopVerdict,
	settings: Settings,
): FlowPart {
	const iteration = facts.iteration + 1;
	const stop = guideOf(settings) === 'skills' ? '/ot:stop' : '`signalbox workflow stop`';
	const progress = loopProgress(facts);
	const tasks = facts.boxesTotal === 0 ? '' : `, ${progress.tasks} tasks`;
	const step =
		facts.openStages.length > 0 ? nextStep(state) : `Do the open tasks and tick them: ${facts.openBoxes.join('; ')}.`;
	const reason = [
		`The workflow ${state.workflowType} is not finished (${progress.progress} stages${tasks}): ${verdict.reason}.`,
		step ?? '',
		`Go on without asking the person. This is round ${iteration} of ${LOOP_LIMITS.iterations}; only the person may end it, with ${stop}.`,
	].join('\n');
	const decision: HookDecision = { decision: 'deny', reason };
	return {
		drafts: [...drafts, judged(verdict, decision), { type: 'loop:advance', iteration, ...progress }],
		decision,
	};
}

function end(
	call: FlowCall,
	drafts: DraftEvent[],
	state: WorkflowState,
	facts: LoopFacts,
	verdict: LoopVerdict,
): FlowPart {
	const { workflowType, failCount, rejectCount, featureName } = state;
	const duration = minutesAndSeconds(call.ports.now() - Date.parse(state.createdAt));
	const how = verdict.end;
	const ended: DraftEvent =
		how === 'complete'
			? { type: 'workflow:complete', workflowType, duration }
			: { type: 'workflow:abort', workflowType, failCount, rejectCount, duration, reason: verdict.reason };
	const rule = verdict.rule.slice('loop.'.length);
	const { iteration } = facts;
	return {
		drafts: [
			...drafts,
			judged(verdict),
			ended,
			{ type: 'loop:complete', iteration, reason: how === 'complete' ? 'complete' : rule },
		],
		decision: { decision: 'pass', message: summary(state, facts, verdict, duration) },
		...(how === 'complete' && featureName !== undefined && { after: () => archive(call, featureName) }),
	};
}

function archive({ root, hook, ports }: FlowCall, feature: string): DraftEvent[] {
	const done = ports.features.archive(root, feature, hook.sessionId);
	if (done.ok) return [];
	return [
		{ type: 'system:warning', code: 'feature/not-archived', message: `${feature} was not archived: ${done.detail}` },
	];
}

function summary(state: WorkflowState, facts: LoopFacts, verdict: LoopVerdict, duration: string): string {
	const attempts = Object.entries(state.stages).map(([key, stage]) => [key, stage.attempts ?? []] as const);
	const { pass1Rate, unclearCount } = passAtK(Object.fromEntries(attempts));
	const unclear = unclearCount === 0 ? '' : `, ${unclearCount} ended without a verdict`;
	const rate = pass1Rate === null ? '' : `, ${Math.round(pass1Rate * 100)} % passed at the first attempt${unclear}`;
	const head = verdict.end === 'complete' ? 'is complete' : `was aborted (${verdict.reason})`;
	// Who stopped it knows that; else the person must hear that what passed is not lost.
	const isOwn = verdict.end === 'complete' || facts.stopped;
	const way = isOwn
		? ''
		: ' `signalbox workflow resume`, or the session’s page, lets it go on with the stages that passed.';
	return `Signalbox: the workflow ${state.workflowType} ${head}: ${facts.stagesDone}/${facts.stagesTotal} stages in ${duration}${rate}.${way}`;
}
