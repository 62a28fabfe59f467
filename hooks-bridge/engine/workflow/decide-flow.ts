import type { DraftEvent } from '#lib/contract/events/draft-event.ts';
import type { WorkflowState } from '#lib/contract/sessions/read-model/workflow-state.ts';
import { isRunning } from '#lib/workflow/workflow-state.ts';
import type { Flow } from '../../ports/flow-port.ts';
import { ENRICHED, joinRulings, mayLoseAgents, type Ruling, tellOnly } from '../ruling.ts';
import { addStage } from './add-stage.ts';
import { endAgent } from './end-agent.ts';
import { handleTurnEnd } from './end-turn.ts';
import { type FlowCall, foldDrafts } from './flow-call.ts';
import { guideSession } from './guide-session.ts';
import { loseAgents } from './lose-agents.ts';
import { observeTool } from './observe-tool.ts';

/** What the session's workflow makes of a hook in which it takes part (`takes-part.ts`), starts of sub-agents apart. */
export function decideFlow(call: FlowCall): Ruling {
	const { hook, world } = call;
	const flow = world.flow();
	if (hook.at === 'turn-end') return handleTurnEnd({ ...call, hook }, flow);
	if (flow && hook.at === 'agent-end') return endAgent({ ...call, hook }, flow.workflow);
	const events = flow ? tellWithin(call, flow) : call.told;
	const after = flow?.workflow ? foldDrafts(flow.workflow, events, call) : null;
	return joinRulings(tellOnly(events), advise(call, isRunning(after) ? after : null));
}

function tellWithin(call: FlowCall, flow: Flow): readonly DraftEvent[] {
	if (mayLoseAgents(call.hook)) return loseAgents(call, flow);
	return ENRICHED.includes(call.hook.at) ? addStage(call, flow) : call.told;
}

/** The guidance for the agent; `running` is its workflow, if one runs. */
function advise(call: FlowCall, running: WorkflowState | null): Ruling {
	const { hook, world } = call;
	if (hook.at !== 'result' && hook.at !== 'failure') return guideSession(call, running);
	const isObserved = running !== null || world.settings.workflow.enabled === true;
	return isObserved ? observeTool({ ...call, hook }, running) : tellOnly([]);
}
