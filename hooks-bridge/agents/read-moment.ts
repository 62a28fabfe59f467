import type { HookPoint, Moment, StartedAgent } from '#lib/agents/agent-hook.ts';
import type { ToolCall } from '#lib/agents/tool-call.ts';
import { keyIdOf } from '#lib/ids/safe-id.ts';
import { flagOf, isJson, type Json, numberOf, textOf } from '#lib/json/json.ts';

const MAX_PROMPT = 100_000;
const MAX_MESSAGE = 64 * 1024;

/** How one client's calls are read. */
export interface CallReaders {
	readCall(tool: string, input: unknown): ToolCall;
	/** The agent that the result of its call says was started. */
	startedAgent?: ((fields: Json) => StartedAgent) | undefined;
}

/** What a hook says at a point, by the field names that most clients share. A call without a tool's name is another hook. */
export function readMoment(at: HookPoint, fields: Json, readers: CallReaders): Moment {
	const agentType = textOf(fields.agent_type, 200);
	switch (at) {
		case 'session-start':
			return { at, source: textOf(fields.source, 64), model: textOf(fields.model, 128) };
		case 'session-end':
			return { at, reason: textOf(fields.reason, 200) };
		case 'compact':
			return { at, trigger: textOf(fields.trigger, 64) };
		case 'prompt': {
			const { prompt = null } = fields;
			return {
				at,
				prompt,
				text: textOf(prompt, MAX_PROMPT) ?? '',
				promptId: textOf(fields.prompt_id, 128),
				byClient: false,
			};
		}
		case 'call':
		case 'permission':
		case 'result':
		case 'failure':
			return readToolMoment(at, fields, readers);
		case 'batch':
			return { at, toolUseIds: idsOf(fields.tool_calls) };
		case 'agent-start':
			return { at, agentType };
		case 'agent-end':
			return { at, agentType, message: fields.last_assistant_message };
		case 'turn-end':
			return { at, message: textOf(fields.last_assistant_message, MAX_MESSAGE), running: null };
		case 'turn-failure':
			return { at, agentType, error: textOf(fields.error, 1000) };
		case 'notice':
			return { at, message: textOf(fields.message, 2000) ?? '', notice: textOf(fields.notification_type, 64) };
		case 'message':
			return {
				at,
				text: fields.displayed_text ?? null,
				messageId: textOf(fields.message_id, 128),
				isFinal: fields.is_final === true,
			};
		case 'interrupt':
			return { at };
		case 'task-end': {
			const taskId = textOf(fields.task_id);
			return taskId === undefined ? { at: 'other' } : { at, taskId, subject: textOf(fields.task_subject) };
		}
		case 'other':
			return { at };
	}
}

function readToolMoment(
	at: 'call' | 'permission' | 'result' | 'failure',
	fields: Json,
	{ readCall, startedAgent }: CallReaders,
): Moment {
	const tool = textOf(fields.tool_name, 200);
	if (tool === undefined) return { at: 'other' };
	const call = readCall(tool, fields.tool_input ?? null);
	const durationMs = numberOf(fields.duration_ms);
	switch (at) {
		case 'call':
			return { at, call };
		case 'permission':
			return { at, call, suggestions: [] };
		case 'result': {
			const response = fields.tool_response ?? null;
			const started = call.deed.does === 'start-agent' ? startedAgent?.(fields) : undefined;
			return started ? { at, call, response, started } : { at, call, response, durationMs };
		}
		case 'failure':
			return { at, call, error: fields.error ?? null, interrupt: flagOf(fields.is_interrupt), durationMs };
	}
}

function idsOf(calls: unknown): string[] {
	const ids = (Array.isArray(calls) ? calls : []).filter(isJson).map((call) => call.tool_use_id);
	return ids.flatMap((id) => keyIdOf(id, 'call') ?? []);
}
