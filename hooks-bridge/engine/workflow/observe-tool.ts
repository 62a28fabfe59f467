import { isAbsolute, relative } from 'node:path';
import { isSubagentTool } from '#lib/routing/agent-name.ts';
import { compactionHint, nextStep } from '#lib/workflow/next-step.ts';
import { guardAdvice, guardedProgram, searchProgram } from '#lib/workflow/shell-guard.ts';
import { wordingMismatches } from '#lib/workflow/wording.ts';
import type { WorkflowState } from '#lib/workflow/workflow-state.ts';
import { isJson, textOf } from '../../agents/claude-code/json.ts';
import { addContext, type HookOutput } from '../../agents/claude-code/outputs.ts';
import type { FlowCall } from './flow-part.ts';
import { noteSighting } from './note-sighting.ts';

/**
 * PostToolUse and PostToolUseFailure in a running workflow (seed 001): what the tool's use teaches goes to the
 * observations, and what the agent should know of it is printed as context.
 */
export function observeTool(call: FlowCall, state: WorkflowState): HookOutput {
	const { input } = call;
	const tool = input.fields.tool_name;
	if (isSubagentTool(tool)) return afterAgent(call, state);
	const toolInput = isJson(input.fields.tool_input) ? input.fields.tool_input : {};
	if (tool === 'Bash') return afterCommand(call, textOf(toolInput.command, 16_384) ?? '');
	if (tool === 'Write' || tool === 'Edit') return afterWriting(call, textOf(toolInput.file_path, 4096) ?? '');
	return null;
}

/** A sub-agent that ran in the foreground has ended: the next step, where the model reads it. */
function afterAgent({ input }: FlowCall, state: WorkflowState): HookOutput {
	const { tool_response: response } = input.fields;
	if (input.hook !== 'PostToolUse' || (isJson(response) && response.status === 'async_launched')) return null;
	const step = nextStep(state);
	const hints = [step, compactionHint(state)].filter((hint) => hint !== null);
	return step === null ? null : addContext(input.hook, `Workflow ${state.workflowType}: ${hints.join(' ')}`);
}

function afterCommand(call: FlowCall, command: string): HookOutput {
	const { input } = call;
	const failed = input.hook === 'PostToolUseFailure';
	const search = searchProgram(command);
	if (search !== undefined && !failed) {
		const action = `used ${search} in Bash; Grep and Glob are the agent's own tools for it`;
		noteSighting(call, { type: 'tool_preferences', tag: 'search-tools', trigger: 'searching files', action });
	}
	const program = guardedProgram(command, failed ? whole(input.fields.error) : stderrOf(input.fields.tool_response));
	if (failed) {
		const tag = `cmd-${program ?? 'shell'}`;
		noteSighting(call, { type: 'error_resolutions', tag, trigger: 'a command failed', action: command });
	}
	// Inside a sub-agent the error is its own work.
	return program === undefined || input.agentId ? null : addContext(input.hook, guardAdvice(program));
}

function afterWriting(call: FlowCall, path: string): HookOutput {
	const { input, root, ports } = call;
	if (input.hook !== 'PostToolUse' || !/\.md$/i.test(path) || root === '') return null;
	const inside = isAbsolute(path) ? relative(root, path) : path;
	if (inside.startsWith('..') || isAbsolute(inside)) return null;
	const file = ports.readProjectFile(root, inside);
	const found = file.ok ? wordingMismatches(file.text) : [];
	if (found.length === 0) return null;
	const action = 'wrote a line whose sign and words differ in strength';
	noteSighting(call, { type: 'wording_mismatch', tag: 'emoji-keyword', trigger: 'writing Markdown', action });
	const lines = found.map(({ line, sign, word, advice }) => `line ${line}: ${sign} with "${word}" (${sign} ${advice})`);
	return addContext(input.hook, `The wording does not fit its signs:\n${lines.join('\n')}`);
}

function stderrOf(response: unknown): string {
	return isJson(response) ? whole(response.stderr) : '';
}

function whole(value: unknown): string {
	return typeof value === 'string' ? value : '';
}
