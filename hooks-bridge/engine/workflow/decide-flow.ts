import { isAbsolute, relative } from 'node:path';
import type { HookAt } from '#lib/agents/agent-hook.ts';
import { filesOf } from '#lib/agents/tool-call.ts';
import type { DraftEvent } from '#lib/contract/events/event.ts';
import type { WorkflowState } from '#lib/contract/sessions/read-model/workflow-state.ts';
import { compactionHint, nextStep } from '#lib/workflow/next-step.ts';
import { guardAdvice, guardedProgram, searchProgram, wordingMismatches } from '#lib/workflow/tool-advice.ts';
import { isRunning } from '#lib/workflow/workflow-state.ts';
import type { Flow } from '../../ports/flow-port.ts';
import type { Effect } from '../perform-effects.ts';
import { eventsOnly, joinRulings, type Ruling } from '../record.ts';
import { endAgent } from './end-agent.ts';
import { addStage, endLostAgents } from './end-stage.ts';
import { handleTurnEnd } from './end-turn.ts';
import { ENRICHED, type FlowCall, foldDrafts, mayEndAgents } from './flow-call.ts';
import { guideSession } from './guide-session.ts';

/** The ruling of the session's workflow on a hook. Starts of sub-agents are judged elsewhere. */
export function decideFlow(call: FlowCall): Ruling {
	const { hook, context } = call;
	const flow = context.flow();
	if (hook.at === 'turn-end') return handleTurnEnd({ ...call, hook }, flow);
	if (flow && hook.at === 'agent-end') return endAgent({ ...call, hook }, flow.workflow);
	const events = flow ? eventsInWorkflow(call, flow) : call.reported;
	const after = flow?.workflow ? foldDrafts(flow.workflow, events, call) : null;
	return joinRulings(eventsOnly(events), advise(call, isRunning(after) ? after : null));
}

function eventsInWorkflow(call: FlowCall, flow: Flow): readonly DraftEvent[] {
	if (mayEndAgents(call.hook)) return endLostAgents(call, flow);
	return ENRICHED.includes(call.hook.at) ? addStage(call, flow) : call.reported;
}

/** What the agent is advised; `running` is its workflow, if one runs. */
function advise(call: FlowCall, running: WorkflowState | null): Ruling {
	const { hook, context } = call;
	if (hook.at !== 'result' && hook.at !== 'failure') return guideSession(call, running);
	const isObserved = running !== null || context.settings.workflow.enabled === true;
	return isObserved ? observeTool({ ...call, hook }, running) : eventsOnly([]);
}

const MAX_COMMAND = 16_384;

type ToolEndCall = FlowCall<HookAt<'result' | 'failure'>>;

/** Records observations of a tool's use and advises the agent, if a workflow runs or is switched on. */
function observeTool(call: ToolEndCall, state: WorkflowState | null): Ruling {
	const { deed } = call.hook.call;
	switch (deed.does) {
		case 'start-agent':
			return contextRuling(state === null ? undefined : adviseNext(call, state));
		case 'run-command':
			return observeCommand(call, (deed.line ?? '').slice(0, MAX_COMMAND));
		case 'edit-file':
			return filesOf(deed).reduce(
				(ruling, { path }) => joinRulings(ruling, observeWriting(call, path ?? '')),
				eventsOnly([]),
			);
		default:
			return eventsOnly([]);
	}
}

/** A sub-agent that ran in the foreground has ended: the next step goes where the model reads it. */
function adviseNext({ hook }: ToolEndCall, state: WorkflowState): string | undefined {
	if (hook.at !== 'result' || hook.started?.background) return undefined;
	const step = nextStep(state);
	const hints = [step, compactionHint(state)].filter((hint) => hint !== null);
	return step === null ? undefined : `Workflow ${state.workflowType}: ${hints.join(' ')}`;
}

function observeCommand({ hook }: ToolEndCall, command: string): Ruling {
	const failed = hook.at === 'failure';
	const search = searchProgram(command);
	const effects: Effect[] = [];
	if (search !== undefined && !failed) {
		const action = `used ${search} in Bash; Grep and Glob are the agent's own tools for it`;
		const seen = { type: 'tool_preferences', tag: 'search-tools', trigger: 'searching files', action } as const;
		effects.push({ does: 'note-sighting', seen });
	}
	const output = failed ? hook.error : hook.stderr;
	const program = guardedProgram(command, typeof output === 'string' ? output : '');
	if (failed) {
		const tag = `cmd-${program ?? 'shell'}`;
		const seen = { type: 'error_resolutions', tag, trigger: 'a command failed', action: command } as const;
		effects.push({ does: 'note-sighting', seen });
	}
	// A sub-agent's errors are part of its work, so it gets no advice.
	return contextRuling(program === undefined || hook.agentId ? undefined : guardAdvice(program), effects);
}

function observeWriting({ hook, context }: ToolEndCall, path: string): Ruling {
	const { project: root, ports } = context;
	if (hook.at !== 'result' || !/\.md$/i.test(path) || root === '') return eventsOnly([]);
	const relativePath = isAbsolute(path) ? relative(root, path) : path;
	if (relativePath.startsWith('..') || isAbsolute(relativePath)) return eventsOnly([]);
	const file = ports.readProjectFile(root, relativePath);
	const mismatches = file.ok ? wordingMismatches(file.text) : [];
	if (mismatches.length === 0) return eventsOnly([]);
	const action = 'wrote a line whose sign and words differ in strength';
	const seen = { type: 'wording_mismatch', tag: 'emoji-keyword', trigger: 'writing Markdown', action } as const;
	const lines = mismatches.map(
		({ line, sign, word, advice }) => `line ${line}: ${sign} with "${word}" (${sign} ${advice})`,
	);
	return contextRuling(`The wording does not fit its signs:\n${lines.join('\n')}`, [{ does: 'note-sighting', seen }]);
}

function contextRuling(context: string | undefined, effects: readonly Effect[] = []): Ruling {
	return { decision: context === undefined ? null : { decision: 'pass', context }, events: [], effects };
}
