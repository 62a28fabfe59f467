import { type KnownEvent, parseEvent } from '../../contract/events/event.ts';
import { type EventType, isKnown } from '../../contract/events/event-labels.ts';
import type { WorkflowState } from '../../contract/sessions/read-model/workflow-state.ts';
import { foldWorkflowState } from '../workflow-fold.ts';

let serial = 0;
const BASE = Date.UTC(2026, 1, 23, 14);

/** A real event of the contract; each is a second later than the one before. */
export function workflowEvent(type: EventType, fields: Record<string, unknown> = {}): KnownEvent {
	serial += 1;
	const ts = new Date(BASE + serial * 1000).toISOString();
	const parsed = parseEvent({ id: `w${serial}`, ts, type, category: '', label: type, sessionId: 's1', ...fields });
	if (!parsed || !isKnown(parsed)) throw new Error(`not in the catalogue: ${type} ${JSON.stringify(fields)}`);
	return parsed;
}

/** Folds events given as [type, fields] over a state. */
export function foldAll(
	events: readonly (readonly [EventType, Record<string, unknown>?])[],
	from: WorkflowState | null = null,
): WorkflowState {
	let state = from;
	for (const [type, fields] of events) state = foldWorkflowState(state, workflowEvent(type, fields));
	if (!state) throw new Error('no workflow');
	return state;
}

/** A workflow of this type, just started. */
export const begin = (workflowType: string) => foldAll([['workflow:start', { workflowType }]]);

/** One whole run of a stage by its agent. */
export function ran(stage: string, agent: string, result: string): [EventType, Record<string, unknown>][] {
	const toolUseId = `t-${stage}-${++serial}`;
	return [
		['agent:delegate', { agent, stage, toolUseId }],
		['stage:start', { stage }],
		['agent:start', { agent, agentId: `a-${toolUseId}`, toolUseId }],
		['agent:complete', { agent, agentId: `a-${toolUseId}`, stage, result }],
		['stage:complete', { stage, result }],
	];
}
