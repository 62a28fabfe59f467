import { isSubagentTool } from '#lib/routing/agent-name.ts';
import { digestOfCall } from '../../engine/hold-call.ts';
import type { DraftEvent, Ports } from '../../engine/ports.ts';
import { flagOf, isJson, numberOf, textOf } from './json.ts';
import type { HookInput } from './read-input.ts';

const MAX_TODOS = 200;

/** PreToolUse: the call as the model made it, with the digest of what is judged. */
export function toolCall(input: HookInput, tool: string, ports: Ports): DraftEvent[] {
	return [{ type: 'tool:call', tool, input: input.fields.tool_input ?? null, ...inputDigest(input, tool, ports) }];
}

/** PostToolUse: the tool ran. For the sub-agent tool it also says which agent the call started. */
export function toolResult(input: HookInput, tool: string, ports: Ports): DraftEvent[] {
	const response = input.fields.tool_response ?? input.fields.tool_result ?? null;
	const started = isSubagentTool(tool) && isJson(response) ? response : undefined;
	const result: DraftEvent = {
		type: 'tool:result',
		tool,
		response,
		durationMs: numberOf(input.fields.duration_ms),
		...inputDigest(input, tool, ports),
		startedAgentId: textOf(started?.agentId, 128),
		...(started && { background: started.status === 'async_launched' }),
	};
	return tool === 'TodoWrite' ? [result, ...todoUpdate(input.fields.tool_input)] : [result];
}

/** PostToolUseFailure: the tool ran and failed, or was interrupted. */
export function toolError(input: HookInput, tool: string, ports: Ports): DraftEvent[] {
	return [
		{
			type: 'tool:error',
			tool,
			error: input.fields.error ?? null,
			...inputDigest(input, tool, ports),
			interrupt: flagOf(input.fields.is_interrupt),
			durationMs: numberOf(input.fields.duration_ms),
		},
	];
}

/** What was judged is held against what ran, by the call's id. */
function inputDigest({ toolUseId, cwd, fields }: HookInput, tool: string, ports: Ports): { inputDigest?: string } {
	return toolUseId === undefined ? {} : { inputDigest: digestOfCall(tool, fields.tool_input ?? null, ports, cwd) };
}

function todoUpdate(toolInput: unknown): DraftEvent[] {
	if (!isJson(toolInput) || !Array.isArray(toolInput.todos)) return [];
	const todos = toolInput.todos
		.filter(isJson)
		.slice(0, MAX_TODOS)
		.map((todo) => ({
			content: textOf(todo.content, 200) ?? '',
			status: textOf(todo.status, 32) ?? 'pending',
			activeForm: textOf(todo.activeForm, 200),
		}));
	return [{ type: 'todo:update', todos }];
}
