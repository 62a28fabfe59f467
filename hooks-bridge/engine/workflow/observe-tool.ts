import { isAbsolute, relative } from 'node:path';
import type { HookAt } from '#lib/agents/agent-hook.ts';
import { filesOf } from '#lib/agents/tool-call.ts';
import type { HookDecision } from '#lib/contract/catalogue/judgement.ts';
import { joinDecisions } from '#lib/gates/hook-decision.ts';
import { compactionHint, nextStep } from '#lib/workflow/next-step.ts';
import { guardAdvice, guardedProgram, searchProgram } from '#lib/workflow/shell-guard.ts';
import { wordingMismatches } from '#lib/workflow/wording.ts';
import type { WorkflowState } from '#lib/workflow/workflow-state.ts';
import type { FlowCall } from './flow-part.ts';
import { noteSighting } from './note-sighting.ts';

const MAX_COMMAND = 16_384;

/** A tool has run. */
type Ran = FlowCall<HookAt<'result' | 'failure'>>;

/**
 * A tool ran or failed where a workflow runs, or the settings switch them on (seed 001): what its use teaches goes to the
 * observations, and what the agent should know of it is printed as context.
 */
export function observeTool(call: Ran, state: WorkflowState | null): HookDecision | null {
	const { deed } = call.hook.call;
	switch (deed.does) {
		case 'start-agent':
			return state && afterAgent(call, state);
		case 'run-command':
			return afterCommand(call, (deed.line ?? '').slice(0, MAX_COMMAND));
		case 'edit-file':
			return filesOf(deed).reduce<HookDecision | null>(
				(said, { path }) => joinDecisions(said, afterWriting(call, path ?? '')),
				null,
			);
		default:
			return null;
	}
}

/** A sub-agent that ran in the foreground has ended: the next step, where the model reads it. */
function afterAgent({ hook }: Ran, state: WorkflowState): HookDecision | null {
	if (hook.at !== 'result' || hook.started?.background) return null;
	const step = nextStep(state);
	const hints = [step, compactionHint(state)].filter((hint) => hint !== null);
	return step === null ? null : say(`Workflow ${state.workflowType}: ${hints.join(' ')}`);
}

function afterCommand(call: Ran, command: string): HookDecision | null {
	const { hook } = call;
	const failed = hook.at === 'failure';
	const search = searchProgram(command);
	if (search !== undefined && !failed) {
		const action = `used ${search} in Bash; Grep and Glob are the agent's own tools for it`;
		noteSighting(call, { type: 'tool_preferences', tag: 'search-tools', trigger: 'searching files', action });
	}
	const program = guardedProgram(command, failed ? whole(hook.error) : (hook.stderr ?? ''));
	if (failed) {
		const tag = `cmd-${program ?? 'shell'}`;
		noteSighting(call, { type: 'error_resolutions', tag, trigger: 'a command failed', action: command });
	}
	// Inside a sub-agent the error is its own work.
	return program === undefined || hook.agentId ? null : say(guardAdvice(program));
}

function afterWriting(call: Ran, path: string): HookDecision | null {
	const { hook, root, ports } = call;
	if (hook.at !== 'result' || !/\.md$/i.test(path) || root === '') return null;
	const inside = isAbsolute(path) ? relative(root, path) : path;
	if (inside.startsWith('..') || isAbsolute(inside)) return null;
	const file = ports.readProjectFile(root, inside);
	const found = file.ok ? wordingMismatches(file.text) : [];
	if (found.length === 0) return null;
	const action = 'wrote a line whose sign and words differ in strength';
	noteSighting(call, { type: 'wording_mismatch', tag: 'emoji-keyword', trigger: 'writing Markdown', action });
	const lines = found.map(({ line, sign, word, advice }) => `line ${line}: ${sign} with "${word}" (${sign} ${advice})`);
	return say(`The wording does not fit its signs:\n${lines.join('\n')}`);
}

const say = (context: string): HookDecision => ({ decision: 'pass', context });

function whole(value: unknown): string {
	return typeof value === 'string' ? value : '';
}
