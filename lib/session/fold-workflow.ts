import type { EventOf, KnownEvent } from '../contract/events/event.ts';
import type { SessionView, StageRun } from '../contract/sessions/read-model/session-view.ts';
import { stageBase } from '../workflow/registry.ts';
import { foldWorkflowState } from '../workflow/workflow-fold.ts';

type WorkflowView = Pick<SessionView, 'workflow' | 'workflowLeftAt' | 'loop'>;

/** Whether a workflow ended and a person has asked for something else since. */
export function isWorkflowLeft({ workflow, workflowLeftAt }: WorkflowView): boolean {
	const { ended } = workflow ?? {};
	return ended !== undefined && workflowLeftAt !== undefined && workflowLeftAt >= ended.at;
}

export function foldWorkflow(view: WorkflowView, event: KnownEvent): Partial<WorkflowView> | null {
	switch (event.type) {
		case 'prompt:submit':
			return event.source === 'user' && view.workflow?.ended && !isWorkflowLeft(view)
				? { workflowLeftAt: event.ts }
				: null;
		case 'loop:start':
		case 'loop:advance':
		case 'loop:complete':
			return { loop: foldLoop(view.loop, event) };
		default: {
			const workflow = foldWorkflowState(view.workflow ?? null, event);
			return workflow && workflow !== view.workflow ? { workflow } : null;
		}
	}
}

function foldLoop(
	loop: SessionView['loop'],
	event: EventOf<'loop:start' | 'loop:advance' | 'loop:complete'>,
): SessionView['loop'] {
	switch (event.type) {
		case 'loop:start':
			return { iteration: 0 };
		case 'loop:advance':
			return {
				iteration: event.iteration,
				...(event.progress && { progress: event.progress }),
				...(event.tasks && { tasks: event.tasks }),
			};
		case 'loop:complete': {
			const iteration = event.iteration ?? loop?.iteration ?? 0;
			return { ...loop, iteration, endedAt: event.ts, ...(event.reason && { reason: event.reason }) };
		}
	}
}

const KEPT_RUNS = 200;

const NONE: readonly StageRun[] = [];

export function foldStageRuns(runs: readonly StageRun[] = NONE, event: KnownEvent): readonly StageRun[] {
	switch (event.type) {
		case 'stage:start':
			return begin(runs, event.stage, Date.parse(event.ts));
		case 'agent:delegate': {
			// Overtone itself writes no stage:start, and names the base stage only.
			const { stage } = event;
			const isRunning = (run: StageRun) => run.to === null && stageBase(run.stage) === stageBase(stage ?? '');
			return stage && !runs.some(isRunning) ? begin(runs, stage, Date.parse(event.ts)) : runs;
		}
		case 'stage:complete':
			// Without a spoken verdict the result is not known.
			return complete(runs, event.stage, event.source === 'none' ? 'unclear' : event.result, Date.parse(event.ts));
		case 'workflow:complete':
		case 'workflow:abort':
		case 'session:end':
			return runs.some(({ to }) => to === null)
				? runs.map((run) => (run.to === null ? { ...run, to: Math.max(run.from, Date.parse(event.ts)) } : run))
				: runs;
		default:
			return runs;
	}
}

export function runsAt(runs: readonly StageRun[], instant: number): StageRun[] {
	return runs
		.filter(({ from }) => from <= instant)
		.map((run) => (run.to === null || run.to <= instant ? run : { stage: run.stage, from: run.from, to: null }));
}

function begin(runs: readonly StageRun[], stage: string, from: number): readonly StageRun[] {
	const isRunning = runs.some((run) => run.to === null && run.stage === stage);
	return isRunning ? runs : [...runs, { stage, from, to: null }].slice(-KEPT_RUNS);
}

function complete(
	runs: readonly StageRun[],
	stage: string,
	result: string | undefined,
	at: number,
): readonly StageRun[] {
	const running = (key: string) => runs.findIndex((run) => run.to === null && run.stage === key);
	const own = running(stage);
	const index = own === -1 ? running(stageBase(stage)) : own;
	const from = runs[index]?.from ?? at;
	const run: StageRun = { stage, from, to: Math.max(from, at), ...(result && { result }) };
	return index === -1 ? [...runs, run].slice(-KEPT_RUNS) : runs.with(index, run);
}
