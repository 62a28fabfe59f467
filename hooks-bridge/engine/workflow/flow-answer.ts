import { isRunning } from '#lib/workflow/workflow-state.ts';
import type { HookOutput } from '../../agents/claude-code/outputs.ts';
import type { DraftEvent, HookRun } from '../ports.ts';
import { findSettings } from '../project.ts';
import { seal } from '../seal.ts';
import { ENDS, ENRICHED, GUIDES, TOOLS } from '../takes-part.ts';
import { endAgent } from './end-agent.ts';
import { endTurn } from './end-turn.ts';
import { enrichTold } from './enrich-told.ts';
import { type FlowCall, type FlowPart, flowNotes } from './flow-part.ts';
import type { Flow } from './flow-port.ts';
import { guideSession } from './guide-session.ts';
import { loseAgents, mayLoseAgents } from './lose-agents.ts';
import { observeTool } from './observe-tool.ts';

/** A hook that is no start of a sub-agent, with what is told whatever the workflow says. */
export interface FlowRun extends FlowCall {
	run: HookRun;
	beside: readonly DraftEvent[];
}

/** Appends what a hook tells in which the workflow takes part (`takes-part.ts`), and gives what it prints. */
export function flowAnswer(call: FlowRun): HookOutput {
	const { input, ports } = call;
	const { hook, sessionId } = input;
	const has = ports.flow.has(sessionId);
	if (has && ENDS.includes(hook)) return atEnd(call);
	const loses = has && mayLoseAgents(input);
	if (loses) ports.flow.locked(sessionId, (known) => append(call, [...flowNotes(known), ...loseAgents(call, known)]));
	const flow = has ? ports.flow.read(sessionId) : null;
	if (!loses) append(call, flow && ENRICHED.includes(hook) ? enrichTold(call, flow) : call.told);
	if (GUIDES.includes(hook)) return guideSession(call, flow, findSettings(call.root, ports));
	const running = TOOLS.includes(hook) && flow !== null && isRunning(flow.workflow) ? flow.workflow : null;
	return running ? observeTool(call, running) : null;
}

/** The end of an agent or a turn: decided and appended under the session's lock; project files before and after it. */
function atEnd(call: FlowRun): HookOutput {
	const { input, root, ports } = call;
	const { hook, sessionId } = input;
	const turn = hook === 'Stop' ? before(call) : null;
	const part = ports.flow.locked(sessionId, (flow: Flow): FlowPart => {
		const decided = turn ? endTurn(call, flow, turn.tasks, turn.settings) : endAgent(call, flow.workflow);
		append(call, [...flowNotes(flow), ...decided.drafts]);
		return decided;
	});
	const later = part.after?.() ?? [];
	if (later.length > 0) ports.append(sessionId, seal(later, input, call.run, ports, 'after'));
	return part.output;

	function before({ ports: { flow, features } }: FlowRun) {
		const { workflow } = flow.read(sessionId);
		const feature = isRunning(workflow) ? workflow.featureName : undefined;
		const tasks = feature === undefined ? null : features.tasks(root, feature);
		return { tasks, settings: findSettings(root, ports) };
	}
}

function append({ input, run, beside, ports }: FlowRun, drafts: readonly DraftEvent[]): void {
	ports.append(input.sessionId, seal([...drafts, ...beside], input, run, ports));
}
