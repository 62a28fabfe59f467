import { dirname, isAbsolute, join, normalize, resolve } from 'node:path';
import type { AgentHook, HookHead, HookRead, Moment } from '#lib/agents/agent-hook.ts';
import { agentRow, deedKindsOf, hookPointsOf } from '#lib/agents/agent-table.ts';
import { runsScript } from '#lib/agents/recorded-event.ts';
import type { Deed, Replacement, RequestedAgent, SkillFiles, ToolCall } from '#lib/agents/tool-call.ts';
import { isSafeId, keyIdOf } from '#lib/ids/safe-id.ts';
import { flagOf, isJson, type Json, textOf } from '#lib/json/json.ts';
import { readMoment } from '../read-moment.ts';
import { parseInput, readHead } from '../read-shared.ts';

const OVER: readonly unknown[] = ['completed', 'failed', 'killed', 'stopped', 'cancelled'];

/** Reads one hook input of Claude Code. Never throws: for text that is not a JSON object the result is a reason for a person. */
export function readHook(raw: unknown): HookRead {
	const parsed = parseInput(raw);
	if (!parsed.ok) return parsed;
	const { fields } = parsed;
	const name = textOf(fields.hook_event_name, 128) ?? guessEvent(fields);
	const head: HookHead = {
		...readHead('claude-code', name, fields, parsed.warning),
		transcript: textOf(fields.transcript_path, 4096),
	};
	const hook: AgentHook = { ...head, ...readOwnMoment(head) };
	return { ok: true, hook };
}

/** Seed 000: an input without an event's name is a call if it names a tool and has no result, else a Stop. */
function guessEvent(fields: Json): string {
	const isAnswered = 'tool_result' in fields || 'tool_response' in fields;
	return textOf(fields.tool_name) && !isAnswered ? 'PreToolUse' : 'Stop';
}

/** The moment by the shared field names, with what only this client's hooks say. */
function readOwnMoment({ name, raw, sessionId, agentId }: HookHead): Moment {
	const moment = readMoment(points.get(name) ?? 'other', raw, {
		readCall: (tool, input) => readCall(tool, input, raw),
	});
	switch (moment.at) {
		case 'session-start':
			return { ...moment, version: textOf(raw.version, 64) };
		case 'prompt':
			// The client writes this prompt itself, when a background agent has ended.
			return { ...moment, byClient: moment.text.trimStart().startsWith('<task-notification>') };
		case 'permission':
			return { ...moment, suggestions: Array.isArray(raw.permission_suggestions) ? raw.permission_suggestions : [] };
		case 'result':
			return readResult(moment, raw);
		case 'agent-start':
			return { ...moment, metaFile: metaFileOf(raw, sessionId, agentId) };
		case 'turn-end':
			return { ...moment, running: runningSubagents(raw.background_tasks) };
		case 'turn-failure':
			return { ...moment, message: textOf(raw.last_assistant_message, 1000) };
		case 'message':
			return { ...moment, text: raw.delta ?? null, isFinal: raw.final === true };
		default:
			return moment;
	}
}

function readResult(moment: Extract<Moment, { at: 'result' }>, { tool_result }: Json): Moment {
	const { deed } = moment.call;
	const response = moment.response ?? tool_result ?? null;
	const { agentId, status, stderr } = isJson(response) ? response : {};
	const isStart = deed.does === 'start-agent' && !deed.by && isJson(response);
	const started = isStart && { agentId: keyIdOf(agentId, 'agent'), background: status === 'async_launched' };
	return { ...moment, response, stderr: typeof stderr === 'string' ? stderr : undefined, ...(started && { started }) };
}

/** Sub-agents that continue in the background; null if the client lists none. */
function runningSubagents(listed: unknown): string[] | null {
	if (!Array.isArray(listed)) return null;
	return listed.flatMap((task) =>
		isJson(task) && task.type === 'subagent' && !OVER.includes(task.status) ? [keyIdOf(task.id, 'agent') ?? ''] : [],
	);
}

/** The client records in this file which call started an agent; the order of starts proves nothing. */
function metaFileOf({ transcript_path: path }: Json, sessionId: string, agentId?: string): string | undefined {
	const transcript = textOf(path, 4096);
	if (!transcript || !isAbsolute(transcript) || !isSafeId(agentId)) return undefined;
	return join(dirname(transcript), sessionId, 'subagents', `agent-${agentId}.meta.json`);
}

const MAX_AGENT_PROMPT = 64 * 1024;
/** Names that lead to one file; `:` separates folders. */
const SKILL_NAME = /^[\w-][\w.-]*(?::[\w-][\w.-]*)*$/;
const row = agentRow('claude-code');
const points = hookPointsOf(row);
const kinds = deedKindsOf(row);

/**
 * Fields that the client itself fills in or omits between the hook before a call and the one after it (observed on 2.1.112,
 * 2.1.197 and 2.1.330). No gate judges any of them.
 */
const OF_THE_CLIENT: Readonly<Record<string, readonly string[]>> = {
	// The answer of its person, a host or a hook.
	AskUserQuestion: ['answers', 'annotations'],
	// The plan is a file, and its person may edit it in the dialog.
	ExitPlanMode: ['plan', 'planFilePath'],
	// The second hook gets the recipient in another form.
	SendMessage: ['type', 'recipient', 'recipient_kind', 'content'],
	// In the terminal agents are always in the background.
	Agent: ['run_in_background'],
	Task: ['run_in_background'],
};
/** Only the hook before a call receives the whole path. */
const PATHS: readonly string[] = ['file_path', 'notebook_path'];
const OF_A_HOME = /^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root)(?=\/|$)/;

/**
 * What a call of a tool of this client does. Never throws: an input of another shape leaves its parts out. `raw` is the hook's
 * whole input, which names the client's folder of personal skills.
 */
export function readCall(tool: string, input: unknown, raw: Json = {}): ToolCall {
	return { tool, input, deed: deedOf(tool, isJson(input) ? input : {}, raw) };
}

function deedOf(tool: string, input: Json, raw: Json): Deed {
	const kind = kinds.get(tool);
	switch (kind) {
		case 'run-command': {
			const leaves = input.dangerouslyDisableSandbox === true;
			return { does: kind, line: commandLine(input), ...(leaves && { leavesSandbox: true }) };
		}
		case 'run-shell':
			return { does: kind, line: commandLine(input) };
		case 'edit-file':
			return editOf(input);
		case 'start-agent':
			// A script's call names none of its agents.
			return runsScript(tool)
				? { does: kind, requestedAgent: { type: null }, by: 'script' }
				: { does: kind, requestedAgent: askedAgent(input) };
		case 'use-skill':
			return { does: kind, files: skillFiles(input.skill, clientFolderOf(raw)) };
		case 'update-todos':
			return Array.isArray(input.todos) ? { does: kind, todos: input.todos } : { does: 'other' };
		case 'complete-task':
			return input.status === 'completed' && typeof input.taskId === 'string'
				? { does: kind, id: input.taskId }
				: { does: 'other' };
		case 'ask-person':
		case 'enter-plan-mode':
		case 'show-plan':
			return { does: kind };
		case 'other':
		case undefined:
			return { does: 'other' };
	}
}

/** A command that is not a text is not harmless: its line is null. */
const commandLine = ({ command }: Json): string | null => (typeof command === 'string' ? command : null);

function editOf(input: Json): Deed {
	const path = [input.file_path, input.notebook_path].find((one) => typeof one === 'string' && one !== '');
	const edits = (Array.isArray(input.edits) ? input.edits : [input]).filter(isJson).flatMap(replacementOf);
	return {
		does: 'edit-file',
		path: typeof path === 'string' ? path : null,
		...(typeof input.content === 'string' ? { text: input.content } : edits.length > 0 && { edits }),
	};
}

function replacementOf({ old_string: from, new_string: to, replace_all: all }: Json): Replacement[] {
	return typeof from === 'string' && from !== '' && typeof to === 'string' ? [{ from, to, all: all === true }] : [];
}

function askedAgent(input: Json): RequestedAgent {
	return {
		type: typeof input.subagent_type === 'string' ? input.subagent_type : null,
		description: textOf(input.description, 500),
		prompt: textOf(input.prompt, MAX_AGENT_PROMPT),
		background: flagOf(input.run_in_background),
		parentTaskId: textOf(input.parent_task_id, 200),
	};
}

/** `<the client's folder>/projects/<project>/<session>.jsonl` */
function clientFolderOf({ transcript_path: path }: Json): string | undefined {
	return typeof path === 'string' ? dirname(dirname(dirname(path))) : undefined;
}

/** The project's file before the person's, as a skill or as a command. */
function skillFiles(skill: unknown, clientFolder: string | undefined): SkillFiles {
	const name = textOf(skill, 200)?.trim().replace(/^\//, '') ?? '';
	if (!SKILL_NAME.test(name)) return { project: [], machine: [] };
	const path = name.replaceAll(':', '/');
	const places = [`skills/${path}/SKILL.md`, `commands/${path}.md`];
	return {
		project: places.map((path) => `.claude/${path}`),
		machine: clientFolder === undefined ? [] : places.map((path) => `${clientFolder}/${path}`),
	};
}

/** A call's input without what the client itself changes: equal before and after the call, unless something else changed it. */
export function runInput(tool: string, input: unknown, cwd: string | undefined): unknown {
	if (!isJson(input)) return input;
	const left = leftOut(tool, input);
	const paths = PATHS.filter((name) => typeof input[name] === 'string');
	if (paths.length === 0 && !left.some((name) => Object.hasOwn(input, name))) return input;
	const kept = Object.entries(input).filter(([name]) => !left.includes(name));
	const whole = paths.map((name) => [name, wholePath(String(input[name]), cwd)] as const);
	return { ...Object.fromEntries(kept), ...Object.fromEntries(whole) };
}

function leftOut(tool: string, { command }: Json): readonly string[] {
	// The client's dialog shows the result of sed on a file, and writes exactly that.
	if (tool === 'Bash') return typeof command === 'string' && /^\s*sed\s/.test(command) ? ['_simulatedSedEdit'] : [];
	return Object.hasOwn(OF_THE_CLIENT, tool) ? (OF_THE_CLIENT[tool] ?? []) : [];
}

/** A path as the client would open it; the home, which only the client knows, is written `~`. */
function wholePath(path: string, cwd: string | undefined): string {
	const text = path.trim().normalize('NFC');
	if (text === '~' || text.startsWith('~/')) return normalize(text);
	const at = isAbsolute(text) || cwd === undefined ? normalize(text) : resolve(cwd, text);
	return at.replace(OF_A_HOME, '~');
}
