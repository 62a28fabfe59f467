import type { DraftEvent, HookRun, Ports } from '../../engine/ports.ts';
import { agentComplete, agentError, agentStart } from './agent-drafts.ts';
import { batchEvent, hookEvent } from './hook-event.ts';
import type { HookEventName } from './hook-events.ts';
import { textOf } from './json.ts';
import type { HookInput } from './read-input.ts';
import { messageShow, promptSubmit, sessionNotice, sessionStart } from './session-drafts.ts';
import { toolCall, toolError, toolResult } from './tool-drafts.ts';

/**
 * What one hook input says has happened, gates apart. Every hook of the client is told, unknown ones too;
 * only a MessageDisplay that is not final says nothing. `root` is the project's folder.
 */
export function draftEvents(input: HookInput, run: HookRun, root: string, ports: Ports): DraftEvent[] {
	const tool = textOf(input.fields.tool_name, 200);
	const hook = input.hook as HookEventName;
	switch (hook) {
		case 'SessionStart':
			return sessionStart(input, run, root, ports);
		case 'SessionEnd':
			return [{ type: 'session:end', reason: textOf(input.fields.reason, 200) }];
		case 'PreCompact':
			return [{ type: 'session:compact', trigger: textOf(input.fields.trigger, 64) }];
		case 'UserPromptSubmit':
			return promptSubmit(input, run, root);
		case 'PreToolUse':
			return tool ? toolCall(input, tool, ports) : [hookEvent(input)];
		case 'PostToolUse':
			return tool ? toolResult(input, tool, ports) : [hookEvent(input)];
		case 'PostToolUseFailure':
			return tool ? toolError(input, tool, ports) : [hookEvent(input)];
		case 'PostToolBatch':
			return [batchEvent(input)];
		case 'SubagentStart':
			return agentStart(input, ports);
		case 'SubagentStop':
			return agentComplete(input);
		case 'StopFailure':
			return agentError(input);
		case 'Notification':
			return sessionNotice(input);
		case 'MessageDisplay':
			return messageShow(input);
		case 'Setup':
		case 'InstructionsLoaded':
		case 'UserPromptExpansion':
		case 'PermissionRequest':
		case 'PermissionDenied':
		case 'TeammateIdle':
		case 'TaskCreated':
		case 'TaskCompleted':
		case 'Stop':
		case 'PostCompact':
		case 'PreModelSwitch':
		case 'PostModelSwitch':
		case 'Elicitation':
		case 'ElicitationResult':
		case 'ConfigChange':
		case 'FileChanged':
		case 'CwdChanged':
		case 'DirectoryAdded':
		case 'WorktreeCreate':
		case 'WorktreeRemove':
			return [hookEvent(input)];
		default:
			return unknownHook(hook, input);
	}
}

/** The parameter proves that the switch names every known hook. */
function unknownHook(_hook: never, input: HookInput): DraftEvent[] {
	return [hookEvent(input)];
}
