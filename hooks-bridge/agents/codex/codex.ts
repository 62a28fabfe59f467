import { basename, dirname } from 'node:path';
import { codexRow } from '#lib/agents/agent-table.ts';
import { keyIdOf } from '#lib/ids/safe-id.ts';
import { isJson, type Json, parsedObject } from '#lib/json/json.ts';
import { GENERAL_AGENT } from '#lib/routing/routing-state.ts';
import type { Transcripts } from '../agent-adapter.ts';
import { isNo, reasonOf, type Shapes, sharedAdapter } from '../shared-adapter.ts';
import { answerIn, countOf, nameOf } from '../transcript-line.ts';

const ROLLOUT = /^rollout-[\dT-]+-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/;

/**
 * `sessions/YEAR/MONTH/DAY/rollout-TIME-THREAD.jsonl`, shared with all sessions of that day. A sub-agent that began on another
 * day is not found. Lines name no model.
 */
const transcripts: Transcripts = {
	folderOf(path, sessionId) {
		const day = dirname(path);
		const isItsOwn = ROLLOUT.exec(basename(path))?.[1] === sessionId && /\/sessions\/\d{4}\/\d\d\/\d\d$/.test(day);
		return isItsOwn ? { root: dirname(day), main: path, agents: { folder: day, isShared: true } } : null;
	},
	agentOf: (fileName) => ROLLOUT.exec(fileName)?.[1],
	hint: '"token_usage_record"',
	readAnswer(line) {
		const fields = parsedObject(line);
		const payload = fields?.type === 'token_usage_record' && isJson(fields.payload) ? fields.payload : {};
		if (!isJson(payload.usage)) return null;
		const { input_tokens, output_tokens, cached_input_tokens, cache_write_input_tokens } = payload.usage;
		const [thread, askedBy] = [nameOf(payload.thread_id), nameOf(payload.session_id)];
		return answerIn(
			{
				id: payload.response_id,
				at: fields?.timestamp,
				input: input_tokens,
				output: countOf(output_tokens),
				cacheRead: cached_input_tokens,
				cacheWrite: cache_write_input_tokens,
			},
			{ ...(thread && thread !== askedBy && { agentId: thread }), ...(askedBy && { askedBy }) },
		);
	},
};

const DEFAULT_AGENT = 'default';

const specific = (hookEventName: string, fields: Json): Json => ({ hookSpecificOutput: { hookEventName, ...fields } });

const denied = (permissionDecisionReason: string): Json =>
	specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason });

/** The schema is strict: the client ignores a denial with an unknown key, or without a reason. */
const shapes: Shapes = {
	call(answer) {
		if (isNo(answer)) return denied(reasonOf(answer));
		const { input } = answer;
		// An allow is printed only with an input: the client asks its person anyway.
		return input ? specific('PreToolUse', { permissionDecision: 'allow', updatedInput: input }) : null;
	},
	permission(answer) {
		if (answer.decision === 'allow') return permissionOf({ behavior: 'allow' });
		return answer.decision === 'deny' ? permissionOf({ behavior: 'deny', message: reasonOf(answer) }) : null;
	},
	block: (reason) => ({ decision: 'block', reason }),
	context: (additionalContext, name) => specific(name, { additionalContext }),
	listens: ['session-start', 'prompt', 'result'],
	denied,
};

const permissionOf = (decision: Json): Json => specific('PermissionRequest', { decision });

/** Codex CLI, run with 0.169.0. */
export const codex = sharedAdapter({
	row: codexRow,
	shapes,
	inEnvelope: ['session_id', 'transcript_path', 'cwd', 'hook_event_name', 'agent_id'],
	transcripts,
	share: (raw) => (raw.agent_type === DEFAULT_AGENT ? { ...raw, agent_type: GENERAL_AGENT } : raw),
	// The tool's result arrives when the agent has started.
	startedAgent: ({ tool_response }) => ({ agentId: agentIn(tool_response), background: true }),
});

/** Some versions name the agent in the answer, as JSON in a text. */
function agentIn(response: unknown): string | undefined {
	const answer = typeof response === 'string' ? parsedObject(response) : response;
	return isJson(answer) ? keyIdOf(answer.agent_id, 'agent') : undefined;
}
