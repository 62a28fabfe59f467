import { basename, dirname, join } from 'node:path';
import { qwenRow } from '#lib/agents/agent-table.ts';
import { isJson, type Json, parsedObject, textOf } from '#lib/json/json.ts';
import type { Transcripts } from '../agent-adapter.ts';
import { reasonOf, type Shapes, sharedAdapter } from '../shared-adapter.ts';
import { answerIn, countOf } from '../transcript-line.ts';

const OF_AGENT = /^agent-([\w-]{1,120})\.jsonl$/;

/** `projects/PROJECT/chats/SESSION.jsonl`, and `projects/PROJECT/subagents/SESSION/agent-AGENT.jsonl`. */
const transcripts: Transcripts = {
	folderOf(path, sessionId) {
		const chats = dirname(path);
		const root = dirname(chats);
		const isItsOwn = basename(path) === `${sessionId}.jsonl` && basename(chats) === 'chats';
		return isItsOwn ? { root, main: path, agents: { folder: join(root, 'subagents', sessionId) } } : null;
	},
	agentOf: (fileName) => OF_AGENT.exec(fileName)?.[1],
	hint: '"usageMetadata"',
	readAnswer(line) {
		const fields = parsedObject(line);
		if (fields?.type !== 'assistant' || !isJson(fields.usageMetadata)) return null;
		const { uuid: id, model, timestamp: at, usageMetadata: used } = fields;
		const output = countOf(used.candidatesTokenCount);
		return answerIn({ id, model, at, input: used.promptTokenCount, output, cacheRead: used.cachedContentTokenCount });
	},
};

const specific = (hookEventName: string, fields: Json): Json => ({ hookSpecificOutput: { hookEventName, ...fields } });
const decided = (permissionDecision: 'deny' | 'ask', permissionDecisionReason: string): Json =>
	specific('PreToolUse', { permissionDecision, permissionDecisionReason });

const shapes: Shapes = {
	// The hook before a call cannot change its input, and the client's own prompt has already been answered.
	call: (answer) =>
		answer.decision === 'deny' || answer.decision === 'ask' ? decided(answer.decision, reasonOf(answer)) : null,
	permission(answer) {
		if (answer.decision === 'allow') return specific('PermissionRequest', { decision: { behavior: 'allow' } });
		if (answer.decision !== 'deny') return null;
		return specific('PermissionRequest', { decision: { behavior: 'deny', message: reasonOf(answer) } });
	},
	block: (reason) => ({ decision: 'block', reason }),
	context: (additionalContext, name) => specific(name, { additionalContext }),
	listens: ['session-start', 'prompt', 'result'],
	denied: (reason) => decided('deny', reason),
};

const OVER: readonly unknown[] = ['completed', 'failed', 'cancelled'];

/** Qwen Code, run with 0.24.4. */
export const qwen = sharedAdapter({
	row: qwenRow,
	shapes,
	inEnvelope: ['session_id', 'transcript_path', 'cwd', 'hook_event_name', 'agent_id', 'timestamp'],
	transcripts,
	differ(fields, point) {
		// Fired before every request to the model; only a person's prompt was submitted.
		if (point === 'prompt' && !('submitted_prompt' in fields)) return { at: 'other' };
		if (point === 'batch') return { at: 'batch', toolUseIds: [] };
		if (point !== 'turn-end') return null;
		const message = textOf(fields.last_assistant_message, 64 * 1024);
		return { at: 'turn-end', message, running: runningAgents(fields.background_tasks) };
	},
	startedAgent,
});

/** In the background the answer names the agent; in the foreground it is the agent's message. */
function startedAgent({ tool_response: response }: Json): { agentId?: string; background: boolean } {
	const text = isJson(response) ? textOf(response.llmContent, 2000) : undefined;
	const agentId = /^Background agent launched[^\n]*\ntask_id: (\S{1,128})/.exec(text ?? '')?.[1];
	return agentId === undefined ? { background: false } : { agentId, background: true };
}

function runningAgents(listed: unknown): string[] | null {
	if (!Array.isArray(listed)) return null;
	const agents = listed.filter((task) => isJson(task) && 'agent_type' in task && !OVER.includes(task.status));
	return agents.map((task) => textOf((task as Json).id, 128) ?? '');
}
