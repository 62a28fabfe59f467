import type { Tone } from '../contract/events/event-labels.ts';
import type { StuckStage } from '../contract/sessions/read-model/session-summary.ts';
import type { AgentView, SessionView, StageRun } from '../contract/sessions/read-model/session-view.ts';
import type { StageResult, StageState, WorkflowState } from '../contract/sessions/read-model/workflow-state.ts';
import { english, type Plain, type Say } from '../messages/say.ts';
import { inEnglish, inWords, type Sentence, sentence } from '../messages/sentence.ts';
import { clip } from '../text/printable.ts';
import { awaitingRepair, DEVELOPER, isSearched, nextStages } from '../workflow/next-step.ts';
import { DEBUGGER, groupsOf, stageBase } from '../workflow/registry.ts';
import { isBadResult, isPaused, isRunning, limitReason, stageOf } from '../workflow/workflow-state.ts';
import { isAgentOpen } from './fold-agents.ts';

export type WorkflowPart = Pick<SessionView, 'sessionId' | 'workflow' | 'workflowLeftAt' | 'agents'>;

export interface StageView extends StageState {
	key: string;
}

/** `done` is an end without a known verdict. */
type StageProgress = 'pending' | 'active' | StageResult | 'done';

export interface WorkflowProgress {
	done: number;
	total: number;
	active: StageView[];
	failed: StageView[];
	/** What may start next; several are a parallel group. */
	next: string[];
	/** Stages or agents that must work before `next`, because a stage did not pass. */
	before: string[];
}

export function stagesOf(workflow: WorkflowState | undefined): StageView[] {
	return Object.entries(workflow?.stages ?? {}).map(([key, stage]) => ({ ...stage, key }));
}

/** A stage that has to run again counts as failed, not as done. */
export function workflowProgress({ workflow, agents }: Pick<WorkflowPart, 'workflow' | 'agents'>): WorkflowProgress {
	const stages = stagesOf(workflow);
	const failed = stages.filter((stage) => isBad(stageProgress(stage)));
	const done = stages.filter((stage) => ['pass', 'issues', 'done'].includes(stageProgress(stage)));
	const active = stages.filter(({ status }) => status === 'active');
	const isOpen = isRunning(workflow) && !workflow.fatal;
	return {
		done: done.length,
		total: stages.length,
		active,
		failed,
		next: isOpen ? nextStages(workflow).stages : [],
		before: isOpen ? repairBefore(workflow, agents) : [],
	};
}

/** One word for a stage; one that is to run again shows how it ended. */
export function stageProgress({ status, result, source, attempts, retries = 0 }: StageState): StageProgress {
	if (status === 'completed') return result === null || (result === 'pass' && source === 'none') ? 'done' : result;
	const last = attempts?.at(-1);
	return status === 'pending' && retries > 0 && last !== undefined && isBadResult(last) ? last : status;
}

/** The parallel groups of the workflow's kind, and those that its events named. */
export function groupsIn(workflow: WorkflowState | undefined): { name: string; stages: readonly string[] }[] {
	const named = Object.entries(workflow?.groups ?? {}).map(([name, { stages = [] }]) => ({ name, stages }));
	return [...groupsOf(workflow?.workflowType ?? ''), ...named];
}

function isBad(progress: StageProgress): boolean {
	return progress === 'fail' || progress === 'reject' || progress === 'unclear';
}

/** The stage to open first: at work, else failed, else next, else the last. */
export function stageInFocus(stages: readonly StageView[]): StageView | undefined {
	const first = (fits: (progress: StageProgress) => boolean) => stages.find((stage) => fits(stageProgress(stage)));
	return first((one) => one === 'active') ?? first(isBad) ?? first((one) => one === 'pending') ?? stages.at(-1);
}

function repairBefore(state: WorkflowState, agents: WorkflowPart['agents']): string[] {
	const broken = awaitingRepair(state);
	const dev = stageOf(state, 'DEV');
	const isAtWork = (name: string): boolean => agents.some((agent) => agent.name === name && isAgentOpen(agent));
	if (broken.length === 0 || dev?.status === 'active' || isAtWork(DEVELOPER)) return [];
	const failed = broken.filter((key) => stageOf(state, key)?.attempts?.at(-1) === 'fail');
	const maker = dev ? 'DEV' : DEVELOPER;
	return isSearched(state, failed) || isAtWork(DEBUGGER) ? [maker] : [DEBUGGER, maker];
}

type Stuck = Pick<SessionView, 'workflow' | 'agents' | 'turn' | 'turnAt' | 'lastAt' | 'ended' | 'lost' | 'startedAt'>;

/** The stage that needs a person: a limit was reached, or stages failed and no agent works. */
export function stuckStage(view: Stuck): StuckStage | undefined {
	const { workflow, agents, turn, turnAt, lastAt, startedAt } = view;
	if (!isRunning(workflow) || isPaused(workflow) || view.ended || view.lost) return undefined;
	const { failed } = workflowProgress({ workflow, agents });
	const stages = failed.map(({ key }) => key);
	const { fatal } = workflow;
	if (fatal) return { stages, ...inWords({ why: limitOf(workflow, fatal.reason) ?? fatal.reason }), at: fatal.at };
	if (failed.length === 0 || turn === 'running' || agents.some(isAgentOpen)) return undefined;
	const why =
		failed.map(
			(stage) =>
				stage.again ?? sentence('{stage} ended with {result}', { stage: stage.key, result: stageProgress(stage) }),
		)[0] ?? '';
	return { stages, ...inWords({ why }), at: turnAt ?? lastAt ?? startedAt ?? '' };
}

/** The recorded reason as a sentence, where it is the limit that the stages show. */
function limitOf(workflow: WorkflowState, reason: string): Sentence | undefined {
	const { failCount: fail, rejectCount: reject, retroCount: issues, unclearCount: unclear = 0 } = workflow;
	const counts = { pass: 0, fail, reject, issues, unclear };
	return stagesOf(workflow)
		.flatMap(({ key, result }) => (result ? [limitReason(key, result, counts[result])] : []))
		.find((words) => inEnglish(words) === reason);
}

/** The stage in which something happened at an instant (ISO); of parallel ones the last begun. */
export function stageAt(stages: readonly StageView[], at: string): string | undefined {
	return stages
		.filter(({ status, startedAt, completedAt = '' }) => {
			if (startedAt === undefined || startedAt > at) return false;
			return status === 'active' || completedAt > at;
		})
		.sort((a, b) => ((a.startedAt ?? '') < (b.startedAt ?? '') ? 1 : -1))[0]?.key;
}

export const stageLooks: Record<StageProgress, { word: Plain; tone: Tone }> = {
	pending: { word: 'pending', tone: 'plain' },
	active: { word: 'running', tone: 'run' },
	pass: { word: 'pass', tone: 'ok' },
	done: { word: 'done, no verdict', tone: 'ok' },
	fail: { word: 'fail', tone: 'err' },
	reject: { word: 'reject', tone: 'err' },
	issues: { word: 'issues', tone: 'warn' },
	unclear: { word: 'unclear', tone: 'warn' },
};

/** A stage that was begun and never ended. */
export const leftOpenLook: { word: Plain; tone: Tone } = { word: 'left open', tone: 'plain' };

interface PipelineStep {
	group: string | null;
	stages: StageView[];
}

/** Neighbours of one parallel group are one step. */
export function pipelineSteps(stages: readonly StageView[], groups: ReturnType<typeof groupsIn>): PipelineStep[] {
	const groupOf = (key: string) => groups.find((group) => group.stages.includes(key))?.name ?? null;
	const steps: PipelineStep[] = [];
	for (const stage of stages) {
		const group = groupOf(stage.key);
		const last = steps.at(-1);
		if (last && group !== null && last.group === group) last.stages.push(stage);
		else steps.push({ group, stages: [stage] });
	}
	return steps;
}

const REASON_CHARS = 120;
const NAME_CHARS = 60;
const NAMED = 4;

/** `TEST:2 (fail): 3 tests failed` */
export function failureOf(stage: StageView, say: Say = english): string {
	const how = `${stage.key} (${say(stageLooks[stageProgress(stage)].word)})`;
	return stage.again === undefined ? how : `${how}: ${clip(stage.again, REASON_CHARS)}`;
}

/** What runs and who works on it; if the workflow is stuck, why. */
export function nowOf(view: WorkflowPart, progress: WorkflowProgress, say: Say = english): string {
	const why = stuckReason(view.workflow, say);
	const running = atWork(view.agents, progress, why !== null, say).join(' + ');
	if (why === null) return running || say('no stage runs');
	return running ? say('{why}; still at work: {running}', { why, running }) : why;
}

function stuckReason(workflow: SessionView['workflow'], say: Say): string | null {
	const { how, reason } = workflow?.ended ?? {};
	if (how === 'complete') return say('complete');
	if (how === 'abort') return reason ? say('aborted: {reason}', { reason }) : say('aborted');
	if (workflow?.fatal) return say('stopped: {reason}', { reason: workflow.fatal.reason });
	return isPaused(workflow) ? say('paused by a person') : null;
}

/** `DEV by developer`; with `agentsOnly` only stages that an agent works on. */
function atWork(agents: readonly AgentView[], { active }: WorkflowProgress, agentsOnly: boolean, say: Say): string[] {
	const open = agents.filter(isAgentOpen).map((agent) => ({ ...agent, name: clip(agent.name, NAME_CHARS) }));
	const worksOn = (key: string, { stage }: AgentView): boolean => stage === key || stage === stageBase(key);
	const stages = active.flatMap(({ key }) => {
		const names = open.filter((agent) => worksOn(key, agent)).map(({ name }) => name);
		if (names.length > 0) return [say('{stage} by {agents}', { stage: key, agents: someOf(names, say).join(', ') })];
		return agentsOnly ? [] : [key];
	});
	const beside = open.filter((agent) => !active.some(({ key }) => worksOn(key, agent)));
	return [
		...stages,
		...someOf(
			beside.map(({ name }) => say('{agent} (no stage)', { agent: name })),
			say,
		),
	];
}

function someOf(names: readonly string[], say: Say): string[] {
	if (names.length <= NAMED) return [...names];
	return [...names.slice(0, NAMED), say('{count} more', { count: names.length - NAMED })];
}

/** What comes next, in words: stages, a repair, a person or nothing. */
export function nextOf(
	workflow: WorkflowState,
	{ next, before, active }: WorkflowProgress,
	say: Say = english,
): string {
	if (isPaused(workflow)) return say('nothing until it is resumed');
	if (workflow.ended) return say('nothing');
	if (workflow.fatal) return say('a person’s word: go on, or stop');
	if (next.length === 0) return active.length > 0 ? say('the end') : say('nothing');
	const steps = next.join(' + ');
	return before.length > 0 ? say('{first}, then {steps} again', { first: before.join(', '), steps }) : steps;
}

/** Whether a workflow ended and a person has asked for something else since. */
export function isWorkflowLeft({
	workflow,
	workflowLeftAt,
}: Pick<SessionView, 'workflow' | 'workflowLeftAt'>): boolean {
	const { ended } = workflow ?? {};
	return ended !== undefined && workflowLeftAt !== undefined && workflowLeftAt >= ended.at;
}

/** The runs as known at an instant (ms): later ones are left out, later ends are open. */
export function runsAt(runs: readonly StageRun[], instant: number): StageRun[] {
	return runs
		.filter(({ from }) => from <= instant)
		.map((run) => (run.to === null || run.to <= instant ? run : { stage: run.stage, from: run.from, to: null }));
}
