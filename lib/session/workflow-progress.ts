import type { StageResult, StageState, WorkflowState } from '../contract/sessions/read-model/workflow-state.ts';
import { nextStages } from '../workflow/next-stages.ts';
import { awaitingRepair } from '../workflow/next-step.ts';
import { groupsOf } from '../workflow/registry.ts';
import { DEVELOPER, isSearched } from '../workflow/repair.ts';
import { DEBUGGER } from '../workflow/stages.ts';
import { isBadResult, isRunning, stageOf } from '../workflow/workflow-state.ts';
import { isAgentOpen } from './fold-agent.ts';
import type { SessionView } from './view.ts';

/** What of a session's view its workflow is. */
export type WorkflowPart = Pick<SessionView, 'sessionId' | 'workflow' | 'workflowLeftAt' | 'agents'>;

/** One stage of a workflow's state, with its key. */
export interface StageView extends StageState {
	key: string;
}

/** How a stage stands, in one word; `done` is an end of which nobody spoke a verdict that we know. */
export type StageProgress = 'pending' | 'active' | StageResult | 'done';

/** Where a workflow stands: what runs, what failed and what comes next. */
export interface WorkflowProgress {
	done: number;
	total: number;
	active: StageView[];
	/** Ended badly and were not begun again. */
	failed: StageView[];
	/** What may start next; several are a parallel group. Empty when the workflow is over or nothing is left. */
	next: string[];
	/** The stages, or the debugger, that must work before `next`, because a stage did not pass; empty when none must. */
	before: string[];
}

/** The stages of a workflow in their order; none where there is no workflow. */
export function stagesOf(workflow: WorkflowState | undefined): StageView[] {
	return Object.entries(workflow?.stages ?? {}).map(([key, stage]) => ({ ...stage, key }));
}

/** Says where the workflow of a session stands. Total; foreign stages and results count as what they seem. */
export function workflowProgress({ workflow, agents }: Pick<WorkflowPart, 'workflow' | 'agents'>): WorkflowProgress {
	const stages = stagesOf(workflow);
	const failed = stages.filter((stage) => isBad(standingOf(stage)));
	const done = stages.filter((stage) => ['pass', 'issues', 'done'].includes(standingOf(stage)));
	const active = stages.filter(({ status }) => status === 'active');
	const isOpen = isRunning(workflow) && !workflow.fatal;
	return {
		...{ done: done.length, total: stages.length, active, failed },
		next: isOpen ? nextStages(workflow).stages : [],
		before: isOpen ? repairBefore(workflow, agents) : [],
	};
}

/** One word for a stage. One that is to be done again stands as it ended. */
export function standingOf({ status, result, source, attempts, retries = 0 }: StageState): StageProgress {
	if (status === 'completed') return result === null || (result === 'pass' && source === 'none') ? 'done' : result;
	const last = attempts?.at(-1);
	return status === 'pending' && retries > 0 && last !== undefined && isBadResult(last) ? last : status;
}

/** The parallel groups of a workflow: those of its kind, else those that its events named. */
export function groupsIn(workflow: WorkflowState | undefined): { name: string; stages: readonly string[] }[] {
	const named = Object.entries(workflow?.groups ?? {}).map(([name, { stages = [] }]) => ({ name, stages }));
	return [...groupsOf(workflow?.workflowType ?? ''), ...named];
}

function isBad(standing: StageProgress): boolean {
	return standing === 'fail' || standing === 'reject' || standing === 'unclear';
}

/** The stage that a reader looks for: one that runs, else one that failed, else the next one, else the last. */
export function stageInFocus(stages: readonly StageView[]): StageView | undefined {
	const first = (fits: (standing: StageProgress) => boolean) => stages.find((stage) => fits(standingOf(stage)));
	return first((one) => one === 'active') ?? first(isBad) ?? first((one) => one === 'pending') ?? stages.at(-1);
}

/** Whoever must work before the stages that did not pass run again, unless that happens just now. */
function repairBefore(state: WorkflowState, agents: WorkflowPart['agents']): string[] {
	const broken = awaitingRepair(state);
	const dev = stageOf(state, 'DEV');
	const isAtWork = (name: string): boolean => agents.some((agent) => agent.name === name && isAgentOpen(agent));
	if (broken.length === 0 || dev?.status === 'active' || isAtWork(DEVELOPER)) return [];
	const failed = broken.filter((key) => stageOf(state, key)?.attempts?.at(-1) === 'fail');
	const maker = dev ? 'DEV' : DEVELOPER;
	return isSearched(state, failed) || isAtWork(DEBUGGER) ? [maker] : [DEBUGGER, maker];
}
