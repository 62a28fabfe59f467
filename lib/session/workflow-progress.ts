import { nextStages } from '../workflow/next-stages.ts';
import { groupsOf, stageMode } from '../workflow/registry.ts';
import { DEVELOPER, needsRepair } from '../workflow/repair.ts';
import { DEBUGGER } from '../workflow/stages.ts';
import type { StageResult, StageState, WorkflowState } from '../workflow/workflow-state.ts';
import { isAgentOpen } from './fold-agent.ts';
import { isStageActive } from './fold-workflow.ts';
import type { SessionView, StageView } from './view.ts';

/** What of a session's view its workflow is. */
export type WorkflowPart = Pick<SessionView, 'sessionId' | 'workflow' | 'stages' | 'groups' | 'agents'>;

/** How a stage stands, in one word; `done` is an end without a result that we know. */
export type StageStanding = 'pending' | 'active' | 'pass' | 'fail' | 'reject' | 'issues' | 'done';

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

const OVER: Pick<WorkflowProgress, 'next' | 'before'> = { next: [], before: [] };

/** Says where the workflow of a session stands. Total; foreign stages and results count as what they seem. */
export function workflowProgress(view: WorkflowPart): WorkflowProgress {
	const { stages, workflow } = view;
	const failed = stages.filter((stage) => isBad(standingOf(stage)));
	const done = stages.filter((stage) => ['pass', 'issues', 'done'].includes(standingOf(stage)));
	const progress = { done: done.length, total: stages.length, active: stages.filter(isStageActive), failed };
	if (!workflow || workflow.completedAt || workflow.abortedAt || workflow.fatal) return { ...progress, ...OVER };
	const { stages: next } = nextStages(stateOf(view, workflow.type));
	return { ...progress, next, before: repairBefore(view, next) };
}

/** One word for a stage. */
export function standingOf(stage: StageView): StageStanding {
	if (isStageActive(stage)) return 'active';
	if (!stage.completedAt) return 'pending';
	return resultOf(stage) ?? 'done';
}

/** What a numbered stage does: as its events say, else as its workflow has it. */
export function modeOf({ stages }: Pick<SessionView, 'stages'>, { key, mode }: StageView): string | undefined {
	return (
		mode ??
		stageMode(
			stages.map((stage) => stage.key),
			key,
		)
	);
}

/** The parallel groups of a session: its workflow's own, else those that its events named. */
export function groupsIn({ workflow, groups }: Pick<SessionView, 'workflow' | 'groups'>): WorkflowPart['groups'] {
	const known = groupsOf(workflow?.type ?? '').map(({ name, stages }) => ({ name, stages: [...stages] }));
	return [...known, ...groups];
}

function isBad(standing: StageStanding): boolean {
	return standing === 'fail' || standing === 'reject';
}

/** Why a stage's last run did not pass, as its agent said; nothing where only an earlier run gave a reason. */
export function lastFailure({ again, end }: StageView): string | undefined {
	return again && end && again.ts >= end.ts ? again.reason : undefined;
}

/** The stage that a reader looks for: one that runs, else one that failed, else the next one, else the last. */
export function stageInFocus(stages: readonly StageView[]): StageView | undefined {
	const first = (fits: (standing: StageStanding) => boolean) => stages.find((stage) => fits(standingOf(stage)));
	return first((one) => one === 'active') ?? first(isBad) ?? first((one) => one === 'pending') ?? stages.at(-1);
}

function resultOf({ result }: StageView): StageResult | undefined {
	const word = result?.toLowerCase();
	return (['pass', 'fail', 'reject', 'issues'] as const).find((known) => known === word);
}

function stateOf({ sessionId, stages }: WorkflowPart, workflowType: string): WorkflowState {
	const entries = stages.map((stage): [string, StageState] => [
		stage.key,
		{ status: statusOf(stage), result: resultOf(stage) ?? null },
	]);
	return {
		...{ sessionId, workflowType, createdAt: '', currentStage: null, activeAgents: {} },
		...{ failCount: 0, rejectCount: 0, retroCount: 0, stages: Object.fromEntries(entries) },
	};
}

function statusOf(stage: StageView): StageState['status'] {
	const standing = standingOf(stage);
	if (standing === 'active') return 'active';
	return standing === 'pending' || isBad(standing) ? 'pending' : 'completed';
}

/** Whoever must work before a stage that did not pass runs again, unless that happens or has happened since. */
function repairBefore(view: WorkflowPart, next: readonly string[]): string[] {
	const { stages, agents } = view;
	const again = stages.filter(
		(stage) => next.includes(stage.key) && isBad(standingOf(stage)) && needsRepair(stage.key, modeOf(view, stage)),
	);
	const dev = stages.find(({ key }) => key === 'DEV');
	if (again.length === 0 || (dev && isStageActive(dev))) return [];
	const isSince = (at: string | undefined, ones: readonly StageView[]): boolean =>
		ones.every(({ completedAt }) => (at ?? '') > (completedAt ?? ''));
	const helps = (name: string, ones: readonly StageView[]): boolean =>
		agents.some((agent) => agent.name === name && (isAgentOpen(agent) || isSince(agent.endedAt, ones)));
	if (isSince(dev?.completedAt, again) || helps(DEVELOPER, again)) return [];
	const failed = again.filter((stage) => standingOf(stage) === 'fail');
	const maker = dev ? dev.key : DEVELOPER;
	return failed.length > 0 && !helps(DEBUGGER, failed) ? [DEBUGGER, maker] : [maker];
}
