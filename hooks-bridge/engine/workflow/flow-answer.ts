import type { AgentHook, HookAt } from '#lib/agents/agent-hook.ts';
import type { HookDecision } from '#lib/contract/catalogue/judgement.ts';
import type { DraftEvent } from '#lib/contract/draft-event.ts';
import { isRunning } from '#lib/workflow/workflow-state.ts';
import type { HookRun } from '../ports.ts';
import { findSettings } from '../project.ts';
import { seal } from '../seal.ts';
import { ENRICHED, GUIDES } from '../takes-part.ts';
import { endAgent } from './end-agent.ts';
import { endTurn } from './end-turn.ts';
import { enrichTold } from './enrich-told.ts';
import { type FlowCall, type FlowPart, flowNotes } from './flow-part.ts';
import type { Flow } from './flow-port.ts';
import { guideSession } from './guide-session.ts';
import { loseAgents, mayLoseAgents } from './lose-agents.ts';
import { observeTool } from './observe-tool.ts';

/** A hook that is no start of a sub-agent, with what is told whatever the workflow says. */
export interface FlowRun<H extends AgentHook = AgentHook> extends FlowCall<H> {
	run: HookRun;
	beside: readonly DraftEvent[];
}

/** Appends what a hook tells in which the workflow takes part (`takes-part.ts`), and gives what it answers. */
export function flowAnswer(call: FlowRun): HookDecision | null {
	const { hook, ports } = call;
	const { at, sessionId } = hook;
	const has = ports.flow.has(sessionId);
	if (has && hook.at === 'agent-end') return atAgentEnd({ ...call, hook });
	if (has && hook.at === 'turn-end') return atTurnEnd({ ...call, hook });
	const loses = has && mayLoseAgents(hook);
	if (loses) ports.flow.locked(sessionId, (known) => append(call, [...flowNotes(known), ...loseAgents(call, known)]));
	const flow = has ? ports.flow.read(sessionId) : null;
	if (!loses) append(call, flow && ENRICHED.includes(at) ? enrichTold(call, flow) : call.told);
	if (GUIDES.includes(at)) return guideSession(call, flow, findSettings(call.root, ports));
	if (hook.at !== 'result' && hook.at !== 'failure') return null;
	const running = flow !== null && isRunning(flow.workflow) ? flow.workflow : null;
	const isObserved = running !== null || findSettings(call.root, ports).workflow.enabled === true;
	return isObserved ? observeTool({ ...call, hook }, running) : null;
}

function atAgentEnd(call: FlowRun<HookAt<'agent-end'>>): HookDecision | null {
	return underLock(call, (flow) => endAgent(call, flow.workflow));
}

function atTurnEnd(call: FlowRun<HookAt<'turn-end'>>): HookDecision | null {
	const { root, ports } = call;
	const { workflow } = ports.flow.read(call.hook.sessionId);
	const feature = isRunning(workflow) ? workflow.featureName : undefined;
	const tasks = feature === undefined ? null : ports.features.tasks(root, feature);
	const settings = findSettings(root, ports);
	return underLock(call, (flow) => endTurn(call, flow, tasks, settings));
}

/** Decided and appended under the session's lock; project files before and after it. */
function underLock(call: FlowRun, decide: (flow: Flow) => FlowPart): HookDecision | null {
	const { hook, run, ports } = call;
	const part = ports.flow.locked(hook.sessionId, (flow) => {
		const decided = decide(flow);
		append(call, [...flowNotes(flow), ...decided.drafts]);
		return decided;
	});
	const later = part.after?.() ?? [];
	if (later.length > 0) ports.append(hook.sessionId, seal(later, hook, run, ports, 'after'));
	return part.decision;
}

function append({ hook, run, beside, ports }: FlowRun, drafts: readonly DraftEvent[]): void {
	ports.append(hook.sessionId, seal([...drafts, ...beside], hook, run, ports));
}
