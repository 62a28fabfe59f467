import type { AgentHook } from '#lib/agents/agent-hook.ts';
import { FIRST_AGENT } from '#lib/agents/agent-table.ts';
import type { DraftEvent } from '#lib/contract/events/event.ts';
import type { WorkflowState, WorkflowType } from '#lib/contract/sessions/read-model/workflow-state.ts';
import { FEATURE_NAME_RULE, isFeatureName } from '#lib/features/feature-name.ts';
import { minutesAndSeconds } from '#lib/time/duration.ts';
import { stageProgress } from '#lib/workflow/next-step.ts';
import { isWorkflowType, workflows } from '#lib/workflow/registry.ts';
import { isPaused, isRunning } from '#lib/workflow/workflow-state.ts';
import type { Flow } from '../../ports/flow-port.ts';
import type { Ports } from '../../ports/ports.ts';
import { seal } from '../record.ts';
import { draftNotes } from './flow-call.ts';

/** Acts on a session's workflow for a command or a person in the browser. */
export interface WorkflowService {
	sessionId: string;
	/** The project's folder; empty when it is not known. */
	project: string;
	/** One for each request; the ids of its events derive from it. */
	requestId: string;
	ports: Ports;
}

/** How a start ended; `detail` is for a person. `attached`: a workflow of this type ran already. */
export type WorkflowStarted =
	| { ok: true; how: 'started' | 'attached'; state: WorkflowState; feature?: string }
	| { ok: false; code: 'workflow/unknown' | 'workflow/running' | 'workflow/feature'; detail: string };

/**
 * Starts a workflow, with a feature if named, and always with a new loop. While one runs, the same type attaches the feature and
 * another type is refused.
 */
export function startWorkflow(service: WorkflowService, type: string, feature?: string): WorkflowStarted {
	const { ports, sessionId, project } = service;
	if (!isWorkflowType(type)) {
		const known = Object.keys(workflows).join(', ');
		return { ok: false, code: 'workflow/unknown', detail: `There is no workflow "${type}". There are: ${known}.` };
	}
	if (feature !== undefined && !isFeatureName(feature)) {
		return { ok: false, code: 'workflow/feature', detail: `A feature is named by ${FEATURE_NAME_RULE}.` };
	}
	const running = ports.flow.has(sessionId) ? ports.flow.read(sessionId).workflow : null;
	if (isRunning(running) && running.workflowType !== type) return refusal(running);
	if (feature === undefined) return ports.flow.locked(sessionId, (flow) => begin(service, flow, type));
	const tasks = [...new Set(workflows[type].stages)];
	const opened = ports.features.open(project, feature, { workflow: type, tasks, sessionId });
	if (!opened.ok) return { ok: false, code: 'workflow/feature', detail: opened.detail };
	return ports.flow.locked(sessionId, (flow) => begin(service, flow, type, { feature, path: opened.path }));
}

function begin(
	service: WorkflowService,
	flow: Flow,
	type: WorkflowType,
	opened?: { feature: string; path: string },
): WorkflowStarted {
	const feature = opened?.feature;
	const named = feature === undefined ? {} : { feature };
	if (isRunning(flow.workflow)) {
		if (flow.workflow.workflowType !== type) return refusal(flow.workflow);
		recordEvents(service, [...draftNotes(flow), ...attach(flow.workflow, opened)]);
		return { ok: true, how: 'attached', state: flow.workflow, ...named };
	}
	const stages = [...workflows[type].stages];
	recordEvents(service, [
		...draftNotes(flow),
		{ type: 'workflow:start', workflowType: type, stages, featureName: feature },
		{ type: 'loop:start', workflowType: type },
	]);
	const state = service.ports.flow.read(service.sessionId).workflow;
	if (!state) throw new Error('the workflow was told but is not in the timeline');
	return { ok: true, how: 'started', state, ...named };
}

/** A running workflow gets another feature; no other event records that. */
function attach({ featureName }: WorkflowState, opened: { feature: string; path: string } | undefined): DraftEvent[] {
	if (opened === undefined || opened.feature === featureName) return [];
	return [{ type: 'specs:init', featureName: opened.feature, featurePath: opened.path }];
}

/** How a pause, its end, or the loop's stop went; `detail` is for a person. */
export type WorkflowChanged =
	| { ok: true; state: WorkflowState }
	| { ok: false; code: 'workflow/state'; detail: string };

/** Pauses a workflow: its agent may stop, and no stage binds it. What is done and open is kept until the workflow is resumed. */
export function pauseWorkflow(service: WorkflowService): WorkflowChanged {
	return whileRunning(service, (flow, state) => {
		if (isPaused(state)) return refused('The workflow is paused already.');
		recordEvents(service, [...draftNotes(flow), { type: 'workflow:pause', workflowType: state.workflowType }]);
		return { ok: true, state };
	});
}

/**
 * Resumes a workflow that a person paused or that came to a limit, with its passed stages; not one that a person stopped. The
 * agent goes on with its next prompt; after a limit the loop begins again.
 */
export function resumeWorkflow(service: WorkflowService): WorkflowChanged {
	return changeIfAny(service, (flow, state) => {
		const { workflowType, ended, fatal } = state;
		if (ended?.how === 'complete' || (ended && flow.loop?.stopReason === 'stopped')) return refused(NONE);
		const isOver = ended !== undefined || fatal !== undefined;
		if (!isOver && !isPaused(state)) return refused('The workflow is not paused.');
		const loop: DraftEvent[] = isOver ? [{ type: 'loop:start', workflowType }] : [];
		recordEvents(service, [...draftNotes(flow), { type: 'workflow:resume', workflowType }, ...loop]);
		return { ok: true, state };
	});
}

/** Stops only the loop (seed 001): the agent may stop, and at the end of its turn the workflow is aborted. */
export function stopLoop(service: WorkflowService): WorkflowChanged {
	return whileRunning(service, (flow, state) => {
		if (!flow.loop || flow.loop.stopped) return refused('The loop does not run.');
		recordEvents(service, [
			...draftNotes(flow),
			{ type: 'loop:complete', iteration: flow.loop.iteration, reason: 'stopped' },
		]);
		return { ok: true, state };
	});
}

/** Stops a session's workflow: the loop ends and the workflow is aborted. False if none runs. */
export function stopWorkflow(service: WorkflowService, reason = 'stopped by a person'): boolean {
	return whileRunning(service, (flow, state) => {
		const { workflowType, failCount, rejectCount, createdAt } = state;
		const duration = minutesAndSeconds(service.ports.now() - Date.parse(createdAt));
		recordEvents(service, [
			...draftNotes(flow),
			{ type: 'loop:complete', iteration: flow.loop?.iteration ?? 0, reason: 'stopped' },
			{ type: 'workflow:abort', workflowType, failCount, rejectCount, duration, reason },
		]);
		return { ok: true, state };
	}).ok;
}

const NONE = 'No workflow runs in this session.';

type Change = (flow: Flow, state: WorkflowState) => WorkflowChanged;

function whileRunning(service: WorkflowService, change: Change): WorkflowChanged {
	return changeIfAny(service, (flow, state) => (isRunning(state) ? change(flow, state) : refused(NONE)));
}

function changeIfAny({ ports, sessionId }: WorkflowService, change: Change): WorkflowChanged {
	if (!ports.flow.has(sessionId)) return refused(NONE);
	return ports.flow.locked(sessionId, (flow) => (flow.workflow ? change(flow, flow.workflow) : refused(NONE)));
}

const refused = (detail: string): WorkflowChanged => ({ ok: false, code: 'workflow/state', detail });

/** A session's current workflow; null if it has none. */
export function workflowStatus(ports: Ports, sessionId: string): (Flow & { workflow: WorkflowState }) | null {
	const flow = ports.flow.has(sessionId) ? ports.flow.read(sessionId) : null;
	return flow?.workflow ? { ...flow, workflow: flow.workflow } : null;
}

function refusal(running: WorkflowState): WorkflowStarted {
	const { done, total } = stageProgress(running);
	const detail = `The workflow ${running.workflowType} runs here (${done}/${total}). Stop it first: signalbox workflow stop`;
	return { ok: false, code: 'workflow/running', detail };
}

function recordEvents({ sessionId, requestId, ports }: WorkflowService, drafts: readonly DraftEvent[]): void {
	const hook: AgentHook = { agent: FIRST_AGENT, at: 'other', name: 'workflow', sessionId, raw: {} };
	ports.append(sessionId, seal(drafts, hook, { requestId, profile: 'open' }, ports, 'workflow'));
}
