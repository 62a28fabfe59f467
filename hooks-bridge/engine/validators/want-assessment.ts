import { SHELL_TOOL } from '#lib/commands/shell-tool.ts';
import type { Settings } from '#lib/settings/settings.ts';
import { completionCall } from '#lib/validators/completion-call.ts';
import { spawnRequest } from '#lib/validators/spawn-request.ts';
import type { HookInput } from '../../agents/claude-code/read-input.ts';
import type { HookRun, Ports, WantedAssessment } from '../ports.ts';
import { findSettings } from '../project.ts';

/** A hook killed by its own timeout lets the call run: an answer must be there this much earlier. */
export const ASSESSMENT_MARGIN_SECONDS = 10;

interface Asked {
	input: HookInput;
	run: HookRun;
	root: string;
	/** What the hook prints if nothing else is said. */
	output: Record<string, unknown> | null;
}

/** The start of a sub-agent that no gate denies, where the spawn validator is switched on. */
export function wantSpawn(asked: Asked, settings: Settings, ports: Ports): WantedAssessment | undefined {
	return settings.gates.spawnValidator.enabled ? wanted('spawn', asked, ports) : undefined;
}

/** A `task:` line of the agent shell, where the spawn validator is switched on. */
export function wantShellSpawn(asked: Asked, ports: Ports): WantedAssessment | undefined {
	const { tool_name: tool, tool_input: toolInput } = asked.input.fields;
	if (tool !== SHELL_TOOL || !spawnRequest(tool, toolInput)) return undefined;
	return wantSpawn(asked, findSettings(asked.root, ports), ports);
}

/** A task, todo or box that is about to be completed, where the completion validator is switched on. */
export function wantCompletion(asked: Asked, ports: Ports): WantedAssessment | undefined {
	const { input, root } = asked;
	if (!completionCall(input.hook, input.fields)) return undefined;
	return findSettings(root, ports).gates.completionValidator.enabled ? wanted('completion', asked, ports) : undefined;
}

function wanted(
	validator: WantedAssessment['validator'],
	{ input, run, root, output }: Asked,
	ports: Ports,
): WantedAssessment {
	const { sessionId, agentId, toolUseId, fields } = input;
	const waits = (run.timeoutSeconds ?? 0) > ASSESSMENT_MARGIN_SECONDS;
	return {
		validator,
		sessionId,
		...(agentId !== undefined && { agentId }),
		...(toolUseId !== undefined && { toolUseId }),
		root,
		output,
		deferred: waits && ports.mayAssess?.() === true,
		hookInput: fields,
		run,
	};
}
