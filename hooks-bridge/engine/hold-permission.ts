import { printable } from '#lib/text/printable.ts';
import { isJson } from '../agents/claude-code/json.ts';
import type { HookOutput } from '../agents/claude-code/outputs.ts';
import type { HookInput } from '../agents/claude-code/read-input.ts';
import { digestOfCall } from './hold-call.ts';
import type { HeldCall, HookRun, Ports } from './ports.ts';
import { findSettings } from './project.ts';

const MOST_SUGGESTIONS = 20;

/**
 * The client's own permission prompt, its questions included, to be held as a denial is, with nothing as its verdict:
 * when nobody answers, the terminal's dialog stands (DESIGN 6). Undefined where it is not put to a person here.
 */
export function holdPermission(input: HookInput, run: HookRun, root: string, ports: Ports): HeldCall | undefined {
	const { tool_name: tool, tool_input: toolInput = null, permission_suggestions: suggestions } = input.fields;
	if (typeof tool !== 'string' || !findSettings(root, ports).holdsPrompts) return undefined;
	return {
		sessionId: input.sessionId,
		agentId: input.agentId,
		toolUseId: input.toolUseId,
		tool,
		input: toolInput,
		inputDigest: digestOfCall(tool, toolInput, ports, input.cwd),
		denials: [],
		mayWait: true,
		output: null,
		form: 'deny',
		facts: {},
		permission: { suggestions: Array.isArray(suggestions) ? suggestions.slice(0, MOST_SUGGESTIONS) : [] },
		hookInput: input.fields,
		run,
	};
}

/** What a person decided about a permission prompt. */
interface PromptDecision {
	decision: 'approve' | 'deny';
	reason?: string;
	updatedInput?: Record<string, unknown>;
	stop?: true;
	/** Which of the client's suggestions are to be applied. */
	suggestions?: readonly number[];
}

/**
 * The client asks its own person about these whatever a hook allows, unless the hook hands back an input; the call's own
 * will do (measured on 2.1.200 and 2.1.330).
 */
const NEEDS_INPUT_BACK: readonly string[] = ['ExitPlanMode'];

/** The client's words for a decision about its own permission prompt. Only what it suggested itself becomes a rule. */
export function releasePermission(
	{ tool, hookInput, permission }: Pick<HeldCall, 'tool' | 'hookInput' | 'permission'>,
	decided: PromptDecision,
): HookOutput {
	const { decision, stop, suggestions = [] } = decided;
	const offered = permission?.suggestions ?? [];
	const own = NEEDS_INPUT_BACK.includes(tool) && isJson(hookInput.tool_input) ? hookInput.tool_input : undefined;
	const updatedInput = decided.updatedInput ?? own;
	const reason = decided.reason === undefined ? '' : printable(decided.reason, 1000);
	const message = `Denied in Signalbox by an operator${reason && `: "${reason}"`}`;
	const updatedPermissions = suggestions.map((at) => offered[at]).filter(isJson);
	const answer =
		decision === 'deny'
			? { behavior: 'deny', message, ...(stop && { interrupt: true }) }
			: {
					behavior: 'allow',
					...(updatedInput && { updatedInput }),
					...(updatedPermissions.length > 0 && { updatedPermissions }),
				};
	return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: answer } };
}
