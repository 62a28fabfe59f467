import { FEATURE_NAME_RULE, isFeatureName } from '#lib/features/feature-name.ts';
import { stageProgress } from '#lib/workflow/next-stages.ts';
import { isWorkflowType, type WorkflowType, workflows } from '#lib/workflow/registry.ts';
import { isRunning, type WorkflowState } from '#lib/workflow/workflow-state.ts';
import type { DraftEvent, Ports } from '../ports.ts';
import { seal } from '../seal.ts';
import { flowNotes } from './flow-part.ts';
import type { Flow } from './flow-port.ts';

/** Who acts on a session's workflow beside its agent: a command or a person in the browser. */
export interface WorkflowDesk {
	sessionId: string;
	/** The project's folder; empty when it is not known. */
	project: string;
	/** One for each request; names its events. */
	requestId: string;
	ports: Ports;
}

/** How a start ended; `detail` is for a person. `attached` means that this very workflow ran already. */
export type WorkflowStarted =
	| { ok: true; how: 'started' | 'attached'; state: WorkflowState; feature?: string }
	| { ok: false; code: 'workflow/unknown' | 'workflow/running' | 'workflow/feature'; detail: string };

/**
 * Starts a workflow in a session, with a feature if one is named. The same type again attaches the feature; another
 * type is refused while one runs. A new start always begins a new loop.
 */
export function startWorkflow(desk: WorkflowDesk, type: string, feature?: string): WorkflowStarted {
	const { ports, sessionId, project } = desk;
	if (!isWorkflowType(type)) {
		const known = Object.keys(workflows).join(', ');
		return { ok: false, code: 'workflow/unknown', detail: `There is no workflow "${type}". There are: ${known}.` };
	}
	if (feature !== undefined && !isFeatureName(feature)) {
		return { ok: false, code: 'workflow/feature', detail: `A feature is named by ${FEATURE_NAME_RULE}.` };
	}
	const running = ports.flow.has(sessionId) ? ports.flow.read(sessionId).workflow : null;
	if (isRunning(running) && running.workflowType !== type) return refusal(running);
	if (feature !== undefined) {
		const tasks = [...new Set(workflows[type].stages)];
		const opened = ports.features.open(project, feature, { workflow: type, tasks, sessionId });
		if (!opened.ok) return { ok: false, code: 'workflow/feature', detail: opened.detail };
	}
	return ports.flow.locked(sessionId, (flow) => begin(desk, flow, type, feature));
}

function begin(desk: WorkflowDesk, flow: Flow, type: WorkflowType, feature: string | undefined): WorkflowStarted {
	const named = feature === undefined ? {} : { feature };
	if (isRunning(flow.workflow)) {
		if (flow.workflow.workflowType !== type) return refusal(flow.workflow);
		tell(desk, flowNotes(flow));
		return { ok: true, how: 'attached', state: flow.workflow, ...named };
	}
	const stages = [...workflows[type].stages];
	tell(desk, [
		...flowNotes(flow),
		{ type: 'workflow:start', workflowType: type, stages, featureName: feature },
		{ type: 'loop:start', workflowType: type },
	]);
	const state = desk.ports.flow.read(desk.sessionId).workflow;
	if (!state) throw new Error('the workflow was told but is not in the timeline');
	return { ok: true, how: 'started', state, ...named };
}

/** Stops a session's workflow: the loop ends and the workflow is aborted. False when none runs. */
export function stopWorkflow(desk: WorkflowDesk, reason = 'stopped by a person'): boolean {
	const { ports, sessionId } = desk;
	if (!ports.flow.has(sessionId)) return false;
	return ports.flow.locked(sessionId, (flow) => {
		const { workflow, loop } = flow;
		if (!isRunning(workflow)) return false;
		const { workflowType, failCount, rejectCount } = workflow;
		tell(desk, [
			...flowNotes(flow),
			{ type: 'loop:complete', iteration: loop?.iteration ?? 0, reason: 'stopped' },
			{ type: 'workflow:abort', workflowType, failCount, rejectCount, reason },
		]);
		return true;
	});
}

/** A session's workflow as it is now; null when it has none. */
export function workflowStatus(ports: Ports, sessionId: string): (Flow & { workflow: WorkflowState }) | null {
	const flow = ports.flow.has(sessionId) ? ports.flow.read(sessionId) : null;
	return flow?.workflow ? { ...flow, workflow: flow.workflow } : null;
}

function refusal(running: WorkflowState): WorkflowStarted {
	const { done, total } = stageProgress(running);
	const detail = `The workflow ${running.workflowType} runs here (${done}/${total}). Stop it first: signalbox workflow stop`;
	return { ok: false, code: 'workflow/running', detail };
}

function tell({ sessionId, requestId, ports }: WorkflowDesk, drafts: readonly DraftEvent[]): void {
	const input = { hook: 'workflow', sessionId, fields: {} };
	ports.append(sessionId, seal(drafts, input, { requestId, profile: 'open' }, ports, 'workflow'));
}
