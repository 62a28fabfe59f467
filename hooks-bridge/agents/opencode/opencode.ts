import { basename, dirname } from 'node:path';
import { opencodeRow } from '#lib/agents/agent-table.ts';
import { keyIdOf } from '#lib/ids/safe-id.ts';
import { isJson, parsedObject } from '#lib/json/json.ts';
import type { Transcripts } from '../agent-adapter.ts';
import { isNo, reasonOf, type Shapes, sharedAdapter } from '../shared-adapter.ts';
import { answerIn, countOf } from '../transcript-line.ts';

const NOTE = /^([\w-]{1,120})\.jsonl$/;

/**
 * `opencode/signalbox/SESSION.jsonl` below the client's data, one for each session and sub-agent. Our plugin writes it: the
 * client itself has a database.
 */
export const transcripts: Transcripts = {
	folderOf(path, sessionId) {
		const folder = dirname(path);
		const isItsOwn = basename(path) === `${sessionId}.jsonl` && folder.endsWith('/opencode/signalbox');
		return isItsOwn ? { root: folder, main: path, agents: { folder, isShared: true } } : null;
	},
	agentOf: (fileName) => NOTE.exec(fileName)?.[1],
	hint: '"tokens"',
	readAnswer(line) {
		const fields = parsedObject(line);
		if (!fields || !isJson(fields.tokens)) return null;
		const { id, model, at, tokens } = fields;
		const { read: cacheRead, write: cacheWrite } = isJson(tokens.cache) ? tokens.cache : {};
		// This client counts cached and reasoning tokens separately.
		const input = countOf(tokens.input) + countOf(cacheRead) + countOf(cacheWrite);
		const output = countOf(tokens.output) + countOf(tokens.reasoning);
		return answerIn({ id, model, at, input, output, cacheRead, cacheWrite });
	},
};

/** The answers that our plugin in the client reads: see plugin-text.ts. */
const shapes: Shapes = {
	call(answer) {
		if (isNo(answer)) return { decision: 'deny', reason: reasonOf(answer) };
		return answer.input ? { args: answer.input } : null;
	},
	permission(answer) {
		if (answer.decision === 'allow') return { reply: 'once' };
		return answer.decision === 'deny' ? { reply: 'reject' } : null;
	},
	listens: [],
	denied: (reason) => ({ decision: 'deny', reason }),
};

/** OpenCode, run with 1.18.33. Our plugin passes its events on in the shared field names. */
export const opencode = sharedAdapter({
	row: opencodeRow,
	shapes,
	inEnvelope: ['session_id', 'transcript_path', 'cwd', 'hook_event_name', 'agent_id'],
	transcripts,
	startedAgent: ({ started_agent }) => ({ agentId: keyIdOf(started_agent, 'agent'), background: false }),
});
