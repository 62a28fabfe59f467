import type { EventOf, KnownEvent } from '../contract/event.ts';
import { stageBase, stageKeys } from '../workflow/stage-keys.ts';
import { adoptWorkflow } from './adopt-workflow.ts';
import { isLater, latest } from './event-order.ts';
import type { SessionView, StageView } from './view.ts';

type WorkflowView = Pick<SessionView, 'workflow' | 'stages' | 'groups' | 'loop'>;

/** Whether a stage is being worked on: started since it last completed. */
export function isStageActive(stage: StageView): boolean {
	return stage.startedAt !== undefined && (!stage.completedAt || stage.startedAt > stage.completedAt);
}

/** Whether a workflow runs: it was started and has not ended. */
export function isWorkflowRunning(workflow: SessionView['workflow']): boolean {
	return workflow !== undefined && !workflow.completedAt && !workflow.abortedAt;
}

/** Whether a workflow ended and a person has asked for something else since. */
export function isWorkflowLeft(workflow: SessionView['workflow']): boolean {
	return !isWorkflowRunning(workflow) && workflow?.leftAt !== undefined;
}

/** Whether a running workflow rests by a person's word. */
export function isWorkflowPaused(workflow: SessionView['workflow']): boolean {
	const { pausedAt, resumedAt = '' } = workflow ?? {};
	return isWorkflowRunning(workflow) && pausedAt !== undefined && pausedAt > resumedAt;
}

/** Folds one stage's own events; any order gives the same object. */
export function foldStage(
	before: StageView | undefined,
	event: EventOf<'stage:start' | 'stage:complete' | 'stage:retry'>,
): StageView {
	const stage: StageView = before ?? { key: event.stage, starts: 0, retries: 0 };
	switch (event.type) {
		case 'stage:start': {
			const startedAt = latest(stage.startedAt, event.ts);
			return {
				...stage,
				starts: stage.starts + 1,
				...(startedAt && { startedAt }),
				...(event.mode && { mode: event.mode }),
			};
		}
		case 'stage:retry':
			return { ...stage, retries: stage.retries + 1, ...againOf(stage, event) };
		case 'stage:complete': {
			if (stage.end && !isLater(event, stage.end)) return stage;
			const { result: _result, ...rest } = stage;
			return {
				...rest,
				completedAt: event.ts,
				end: { ts: event.ts, id: event.id },
				...(event.result && { result: event.result }),
			};
		}
	}
}

function againOf({ again }: StageView, { ts, id, reason }: EventOf<'stage:retry'>): Pick<StageView, 'again'> {
	return reason && (!again || isLater({ ts, id }, again)) ? { again: { ts, id, reason } } : {};
}

/** Folds workflow, stage, group and loop events; gives only what changed, null for other events. */
export function foldWorkflow(view: WorkflowView, event: KnownEvent): Partial<WorkflowView> | null {
	switch (event.type) {
		case 'workflow:start':
			return {
				workflow: {
					type: event.workflowType,
					startedAt: event.ts,
					...(event.featureName && { featureName: event.featureName }),
				},
				stages: stageKeys(event.stages ?? []).map((key) => ({ key, starts: 0, retries: 0 })),
				groups: [],
			};
		case 'workflow:adopt':
			return adoptWorkflow(event);
		case 'workflow:complete':
		case 'workflow:abort':
			return foldEnd(view, event);
		case 'workflow:pause':
		case 'workflow:resume':
			return foldRest(view, event.type === 'workflow:pause' ? 'pausedAt' : 'resumedAt', event.ts);
		case 'error:fatal': {
			const fatal = { at: event.ts, reason: event.reason };
			return view.workflow ? { workflow: { ...view.workflow, fatal } } : {};
		}
		case 'prompt:submit':
			return event.source === 'user' ? leave(view, event.ts) : null;
		case 'specs:init':
			return view.workflow ? { workflow: { ...view.workflow, featureName: event.featureName } } : {};
		case 'stage:start':
		case 'stage:complete':
		case 'stage:retry':
			return { stages: upsertStage(view.stages, event) };
		case 'agent:delegate':
			return event.stage ? { stages: markDelegated(view.stages, event.stage, event.ts) } : {};
		case 'parallel:start':
			return event.group ? { groups: openGroup(view.groups, event.group, event.stages ?? [], event.ts) } : {};
		case 'parallel:converge':
			return { groups: convergeGroup(view.groups, event.group, event.ts) };
		case 'loop:start':
			return { loop: { iteration: 0 } };
		case 'loop:advance':
			return { loop: { iteration: event.iteration, ...(event.progress && { progress: event.progress }) } };
		case 'loop:complete':
			return {
				loop: {
					...view.loop,
					iteration: event.iteration ?? view.loop?.iteration ?? 0,
					endedAt: event.ts,
					...(event.reason && { reason: event.reason }),
				},
			};
		default:
			return null;
	}
}

function foldEnd(
	{ workflow }: WorkflowView,
	event: EventOf<'workflow:complete' | 'workflow:abort'>,
): Partial<WorkflowView> {
	const type = event.workflowType ?? workflow?.type ?? '';
	if (event.type === 'workflow:complete') return { workflow: { ...workflow, type, completedAt: event.ts } };
	return { workflow: { ...workflow, type, abortedAt: event.ts, ...(event.reason && { abortReason: event.reason }) } };
}

/** The first prompt after its end leaves a workflow behind. */
function leave({ workflow }: WorkflowView, ts: string): Partial<WorkflowView> | null {
	if (!workflow || isWorkflowRunning(workflow) || workflow.leftAt) return null;
	return { workflow: { ...workflow, leftAt: ts } };
}

function foldRest({ workflow }: WorkflowView, key: 'pausedAt' | 'resumedAt', ts: string): Partial<WorkflowView> {
	return workflow ? { workflow: { ...workflow, [key]: latest(workflow[key], ts) } } : {};
}

function upsertStage(stages: StageView[], event: EventOf<'stage:start' | 'stage:complete' | 'stage:retry'>) {
	const known = stages.some((stage) => stage.key === event.stage);
	if (!known) return [...stages, foldStage(undefined, event)];
	return stages.map((stage) => (stage.key === event.stage ? foldStage(stage, event) : stage));
}

/** Overtone itself never writes stage:start; its delegation names the base stage, so the first one not done begins. */
function markDelegated(stages: StageView[], stage: string, ts: string) {
	if (stages.some((item) => stageBase(item.key) === stageBase(stage) && isStageActive(item))) return stages;
	const target =
		stages.find((item) => item.key === stage && !item.completedAt) ??
		stages.find((item) => stageBase(item.key) === stageBase(stage) && !item.completedAt);
	return stages.map((item) => (item === target ? { ...item, startedAt: ts } : item));
}

function openGroup(groups: SessionView['groups'], name: string, stages: string[], startedAt: string) {
	return [...groups.filter((group) => group.name !== name), { name, stages, startedAt }];
}

function convergeGroup(groups: SessionView['groups'], name: string, convergedAt: string) {
	const known = groups.some((group) => group.name === name);
	if (!known) return [...groups, { name, stages: [], convergedAt }];
	return groups.map((group) => (group.name === name ? { ...group, convergedAt } : group));
}
