import { basename, dirname, join } from 'node:path';
import { geminiRow } from '#lib/agents/agent-table.ts';
import { isJson, type Json, parsedObject, textOf } from '#lib/json/json.ts';
import type { Transcripts } from '../agent-adapter.ts';
import { isNo, reasonOf, type Shapes, sharedAdapter } from '../shared-adapter.ts';
import { answerIn, countOf } from '../transcript-line.ts';

const OF_AGENT = /^([\w-]{1,120})\.jsonl$/;

/** `tmp/PROJECT/chats/session-TIME-ID8.jsonl`, and beside it `SESSION/AGENT.jsonl`, of agents that no hook names. */
const transcripts: Transcripts = {
	folderOf(path, sessionId) {
		const chats = dirname(path);
		const isItsOwn = basename(chats) === 'chats' && /^session-[\dT-]+-/.test(basename(path));
		if (!isItsOwn || !path.endsWith(`-${sessionId.slice(0, 8)}.jsonl`)) return null;
		return { root: dirname(chats), main: path, agents: { folder: join(chats, sessionId) } };
	},
	agentOf: (fileName) => OF_AGENT.exec(fileName)?.[1],
	hint: '"tokens"',
	readAnswer(line) {
		const fields = parsedObject(line);
		if (fields?.type !== 'gemini' || !isJson(fields.tokens)) return null;
		const { id, model, timestamp: at, tokens } = fields;
		const output = countOf(tokens.output) + countOf(tokens.thoughts);
		return answerIn({ id, model, at, input: tokens.input, output, cacheRead: tokens.cached });
	},
};

const denied = (reason: string): Json => ({ decision: 'deny', reason });

const shapes: Shapes = {
	call(answer) {
		const { endsTurn, stopReason, input } = answer;
		// Without a terminal, a question would hang for ever.
		if (isNo(answer)) {
			const stops = endsTurn && { continue: false, stopReason: stopReason ?? reasonOf(answer) };
			return { ...denied(reasonOf(answer)), ...stops };
		}
		return input ? { hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: input } } : null;
	},
	block: denied,
	context: (additionalContext, name) => ({ hookSpecificOutput: { hookEventName: name, additionalContext } }),
	listens: ['session-start', 'prompt', 'result'],
	denied,
};

/** Gemini CLI, run with 0.61.0. Its calls have no ids. */
export const gemini = sharedAdapter({
	row: geminiRow,
	shapes,
	inEnvelope: ['session_id', 'transcript_path', 'cwd', 'hook_event_name', 'timestamp'],
	transcripts,
	differ(fields, point) {
		if (point === 'turn-end') {
			return { at: 'turn-end', message: textOf(fields.prompt_response, 64 * 1024), running: null };
		}
		const isPrompt = point === 'notice' && fields.notification_type === 'ToolPermission';
		return isPrompt ? { at: 'notice', message: textOf(fields.message, 2000) ?? '', notice: 'permission_prompt' } : null;
	},
});
