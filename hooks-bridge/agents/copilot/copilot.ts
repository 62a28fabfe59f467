import { basename, dirname } from 'node:path';
import { copilotRow } from '#lib/agents/agent-table.ts';
import { isJson, type Json, parsedObject, textOf } from '#lib/json/json.ts';
import type { Transcripts } from '../agent-adapter.ts';
import { reasonOf, type Shapes, sharedAdapter } from '../shared-adapter.ts';
import { answerIn, countOf, nameOf, timeOf } from '../transcript-line.ts';

/** `session-state/SESSION/events.jsonl`, with the lines of sub-agents in it. */
const transcripts: Transcripts = {
	folderOf(path, sessionId) {
		const root = dirname(path);
		const isItsOwn = basename(path) === 'events.jsonl' && basename(root) === sessionId;
		return isItsOwn && basename(dirname(root)) === 'session-state' ? { root, main: path } : null;
	},
	usual: (sessionId) => `session-state/${sessionId}/events.jsonl`,
	aborts: {
		hint: '"abort"',
		read(line) {
			const { type, id, timestamp } = parsedObject(line) ?? {};
			const [name, at] = [nameOf(id), timeOf(timestamp)];
			return type === 'abort' && name !== undefined && at !== undefined ? { id: name, at } : null;
		},
	},
	agentOf: () => undefined,
	hint: '"session.usage_record"',
	readAnswer(line) {
		const fields = parsedObject(line);
		const usage = fields?.type === 'session.usage_record' && isJson(fields.data) ? fields.data.usage : undefined;
		if (!fields || !isJson(usage)) return null;
		const { model, inputTokens: input, outputTokens, cacheReadTokens: cacheRead, cacheWriteTokens: cacheWrite } = usage;
		const agentId = nameOf(fields.agentId);
		return answerIn(
			{ id: fields.id, model, at: fields.timestamp, input, output: countOf(outputTokens), cacheRead, cacheWrite },
			agentId === undefined ? {} : { agentId },
		);
	},
};

const decided = (permissionDecision: 'deny' | 'ask', permissionDecisionReason: string): Json => ({
	permissionDecision,
	permissionDecisionReason,
});

const shapes: Shapes = {
	call(answer) {
		const { decision, input } = answer;
		if (decision === 'deny' || decision === 'ask') return decided(decision, reasonOf(answer));
		// An allow removes the client's own prompt, so only a person's decision, which has a reason, may do that.
		const isPersons = decision === 'allow' && answer.reason !== undefined;
		return isPersons ? { permissionDecision: 'allow', ...(input && { modifiedArgs: input }) } : null;
	},
	permission(answer) {
		if (answer.decision === 'allow') return { behavior: 'allow' };
		return answer.decision === 'deny' ? { behavior: 'deny', message: reasonOf(answer) } : null;
	},
	block: (reason) => ({ decision: 'block', reason }),
	context: (additionalContext) => ({ additionalContext }),
	listens: ['session-start', 'prompt', 'result'],
	denied: (reason) => decided('deny', reason),
};

/** Hooks name no event: each kind is recognised by fields of its own. */
const SIGNS: readonly (readonly [name: string, ...fields: string[]])[] = [
	['permissionRequest', 'permissionSuggestions'],
	['postToolUse', 'toolName', 'toolResult'],
	['postToolUseFailure', 'toolName', 'error'],
	['preToolUse', 'toolName'],
	['userPromptTransformed', 'transformedPrompt'],
	['sessionStart', 'source'],
	['userPromptSubmitted', 'prompt'],
	['notification', 'notification_type'],
	['errorOccurred', 'errorContext'],
	['subagentStop', 'agentName', 'stopReason'],
	['subagentStart', 'agentName'],
	['agentStop', 'stopReason'],
	['sessionEnd', 'reason'],
];

/** In a sub-agent the session's id is the agent's own; its parent is the session. */
function share(raw: Json): Json {
	const [name] = SIGNS.find(([, ...fields]) => fields.every((field) => field in raw)) ?? ['unnamed'];
	const { sessionId, agentId, parentAgentId, toolResult } = raw;
	const isOwnSession = agentId !== undefined && agentId === sessionId;
	return {
		...raw,
		hook_event_name: name,
		session_id: isOwnSession && typeof parentAgentId === 'string' ? parentAgentId : sessionId,
		agent_id: agentId,
		agent_type: raw.agentType,
		transcript_path: raw.transcriptPath,
		tool_name: raw.toolName,
		tool_input: raw.toolArgs ?? raw.toolInput,
		tool_response: isJson(toolResult) ? (toolResult.textResultForLlm ?? toolResult) : toolResult,
		last_assistant_message: raw.response,
	};
}

/** Copilot CLI, run with 1.0.102. Its calls have no ids. */
export const copilot = sharedAdapter({
	row: copilotRow,
	shapes,
	inEnvelope: ['sessionId', 'transcriptPath', 'cwd', 'agentId', 'timestamp'],
	transcripts,
	share,
	differ(fields, point) {
		// A sub-agent has a prompt and a turn of its own; its start and end are separate hooks.
		const isInside = textOf(fields.agent_id) !== undefined && (point === 'prompt' || point === 'turn-end');
		return isInside ? { at: 'other' } : null;
	},
});
