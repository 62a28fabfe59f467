import type { AgentHook, HookPoint } from '#lib/agents/agent-hook.ts';
import type { DraftEvent, KnownEvent } from '#lib/contract/events/event.ts';
import type { WorkflowState } from '#lib/contract/sessions/read-model/workflow-state.ts';
import { foldWorkflowState } from '#lib/workflow/workflow-fold.ts';
import type { Flow } from '../../ports/flow-port.ts';
import type { HookContext } from '../facts.ts';

/** One hook that concerns a session's workflow, or could. */
export interface FlowCall<H extends AgentHook = AgentHook> {
	hook: H;
	/** Events that the hook itself reports. */
	reported: readonly DraftEvent[];
	context: HookContext;
}

/** The state once these events are folded. */
export function foldDrafts(
	state: WorkflowState,
	drafts: readonly DraftEvent[],
	{ hook, context }: FlowCall,
): WorkflowState {
	const ts = new Date(context.ports.now()).toISOString();
	const { sessionId, agentId } = hook;
	const events = drafts.map((draft) => ({ agentId, ...draft, ts, sessionId }) as unknown as KnownEvent);
	return events.reduce<WorkflowState | null>(foldWorkflowState, state) ?? state;
}

/** Records edits of the state files, and that the lock was not free. */
export function draftNotes(flow: Flow): DraftEvent[] {
	const adopted = flow.adopted.map((one): DraftEvent => ({ type: 'workflow:adopt', ...one }));
	if (flow.locked) return adopted;
	const message = 'The state of the workflow was locked by another process; its files are brought up to date later.';
	return [...adopted, { type: 'system:warning', code: 'workflow/lock-busy', message }];
}

/** Hooks that record more events if a workflow runs. */
export const ENRICHED: readonly HookPoint[] = ['compact', 'agent-start', 'turn-failure', 'session-end'];

/** Agents may have stopped without an event. */
const BEGINS: readonly unknown[] = ['startup', 'resume'];

/** Whether a hook may mean that agents have stopped although they did not report it. */
export function mayEndAgents(hook: AgentHook): boolean {
	switch (hook.at) {
		case 'session-start':
			return BEGINS.includes(hook.source);
		case 'session-end':
		case 'turn-failure':
			return true;
		case 'failure':
			return hook.call.deed.does === 'start-agent';
		default:
			return false;
	}
}
