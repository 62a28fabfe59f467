import { dirname, isAbsolute, join } from 'node:path';
import type { AgentHook, HookHead, HookRead, Moment, StartedAgent } from '#lib/agents/agent-hook.ts';
import { keyIdOf } from '#lib/ids/key-id.ts';
import { isSafeId } from '#lib/ids/safe-id.ts';
import { flagOf, isJson, type Json, numberOf, textOf } from '#lib/json/json.ts';
import { parseInput } from '../parse-input.ts';
import { readHead } from '../read-shared.ts';
import type { HookEventName } from './hook-events.ts';
import { readCall } from './read-call.ts';

const OVER: readonly unknown[] = ['completed', 'failed', 'killed', 'stopped', 'cancelled'];
const MAX_PROMPT = 100_000;

/** Reads one hook input of Claude Code. Total: text that is no JSON object comes back as a reason for a person. */
export function readHook(raw: unknown): HookRead {
	const parsed = parseInput(raw);
	if (!parsed.ok) return parsed;
	const { fields } = parsed;
	const name = textOf(fields.hook_event_name, 128) ?? guessEvent(fields);
	const head: HookHead = {
		...readHead('claude-code', name, fields, parsed.warning),
		transcript: textOf(fields.transcript_path, 4096),
	};
	const hook: AgentHook = { ...head, ...readMoment(head) };
	return { ok: true, hook };
}

/** Seed 000: an input without an event's name is a call where it names a tool and holds no result, else a Stop. */
function guessEvent(fields: Json): string {
	const isAnswered = 'tool_result' in fields || 'tool_response' in fields;
	return textOf(fields.tool_name) && !isAnswered ? 'PreToolUse' : 'Stop';
}

function readMoment({ name, raw, sessionId, agentId }: HookHead): Moment {
	const event = name as HookEventName;
	switch (event) {
		case 'SessionStart':
			return {
				at: 'session-start',
				source: textOf(raw.source, 64),
				model: textOf(raw.model, 128),
				version: textOf(raw.version, 64),
			};
		case 'SessionEnd':
			return { at: 'session-end', reason: textOf(raw.reason, 200) };
		case 'PreCompact':
			return { at: 'compact', trigger: textOf(raw.trigger, 64) };
		case 'UserPromptSubmit':
			return readPrompt(raw);
		case 'PreToolUse':
		case 'PostToolUse':
		case 'PostToolUseFailure':
		case 'PermissionRequest':
			return readToolMoment(event, raw);
		case 'PostToolBatch':
			return { at: 'batch', toolUseIds: idsOf(raw.tool_calls) };
		case 'SubagentStart':
			return {
				at: 'agent-start',
				agentType: textOf(raw.agent_type, 200),
				metaFile: metaFileOf(raw, sessionId, agentId),
			};
		case 'SubagentStop':
			return { at: 'agent-end', agentType: textOf(raw.agent_type, 200), message: raw.last_assistant_message };
		case 'Stop':
			return {
				at: 'turn-end',
				message: textOf(raw.last_assistant_message, 64 * 1024),
				running: runningSubagents(raw.background_tasks),
			};
		case 'StopFailure':
			return {
				at: 'turn-failure',
				agentType: textOf(raw.agent_type, 200),
				error: textOf(raw.error, 1000),
				message: textOf(raw.last_assistant_message, 1000),
			};
		case 'TaskCompleted': {
			const taskId = textOf(raw.task_id);
			return taskId === undefined ? { at: 'other' } : { at: 'task-end', taskId, subject: textOf(raw.task_subject) };
		}
		case 'Notification':
			return { at: 'notice', message: textOf(raw.message, 2000) ?? '', notice: textOf(raw.notification_type, 64) };
		case 'MessageDisplay':
			return {
				at: 'message',
				text: raw.delta ?? null,
				messageId: textOf(raw.message_id, 128),
				isFinal: raw.final === true,
			};
		case 'Setup':
		case 'InstructionsLoaded':
		case 'UserPromptExpansion':
		case 'PermissionDenied':
		case 'TeammateIdle':
		case 'TaskCreated':
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
			return { at: 'other' };
		default:
			return unknownEvent(event);
	}
}

/** The parameter proves that the switch names every known event. */
function unknownEvent(_event: never): Moment {
	return { at: 'other' };
}

/** The client itself writes a prompt about an agent that has ended behind the turn. */
function readPrompt({ prompt = null, prompt_id: promptId }: Json): Moment {
	const text = textOf(prompt, MAX_PROMPT) ?? '';
	const byClient = text.trimStart().startsWith('<task-notification>');
	return { at: 'prompt', prompt, text, promptId: textOf(promptId, 128), byClient };
}

function readToolMoment(
	event: 'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure' | 'PermissionRequest',
	raw: Json,
): Moment {
	const tool = textOf(raw.tool_name, 200);
	if (tool === undefined) return { at: 'other' };
	const call = readCall(tool, raw.tool_input ?? null, raw);
	const durationMs = numberOf(raw.duration_ms);
	switch (event) {
		case 'PreToolUse':
			return { at: 'call', call };
		case 'PermissionRequest': {
			const { permission_suggestions: suggestions } = raw;
			return { at: 'permission', call, suggestions: Array.isArray(suggestions) ? suggestions : [] };
		}
		case 'PostToolUse': {
			const response = raw.tool_response ?? raw.tool_result ?? null;
			const said = isJson(response) ? response : {};
			const started: StartedAgent | undefined =
				call.deed.does === 'start-agent' && !call.deed.by && isJson(response)
					? { agentId: keyIdOf(said.agentId, 'agent'), background: said.status === 'async_launched' }
					: undefined;
			const stderr = typeof said.stderr === 'string' ? said.stderr : undefined;
			return { at: 'result', call, response, stderr, durationMs, ...(started && { started }) };
		}
		case 'PostToolUseFailure':
			return { at: 'failure', call, error: raw.error ?? null, interrupt: flagOf(raw.is_interrupt), durationMs };
	}
}

function idsOf(calls: unknown): string[] {
	const ids = (Array.isArray(calls) ? calls : []).filter(isJson).map((call) => call.tool_use_id);
	return ids.flatMap((id) => keyIdOf(id, 'call') ?? []);
}

/** Sub-agents that go on behind the turn; null where the client lists none. */
function runningSubagents(listed: unknown): string[] | null {
	if (!Array.isArray(listed)) return null;
	return listed.flatMap((task) =>
		isJson(task) && task.type === 'subagent' && !OVER.includes(task.status) ? [keyIdOf(task.id, 'agent') ?? ''] : [],
	);
}

/** The client says there which call started an agent; the order of starts proves nothing. */
function metaFileOf({ transcript_path: path }: Json, sessionId: string, agentId?: string): string | undefined {
	const transcript = textOf(path, 4096);
	if (!transcript || !isAbsolute(transcript) || !isSafeId(agentId)) return undefined;
	return join(dirname(transcript), sessionId, 'subagents', `agent-${agentId}.meta.json`);
}
