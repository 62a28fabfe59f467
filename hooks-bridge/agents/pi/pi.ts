import { basename, dirname } from 'node:path';
import { piRow } from '#lib/agents/agent-table.ts';
import { isJson, parsedObject } from '#lib/json/json.ts';
import type { Transcripts } from '../agent-adapter.ts';
import { isNo, reasonOf, type Shapes, sharedAdapter } from '../shared-adapter.ts';
import { answerIn, countOf } from '../transcript-line.ts';

/** `sessions/PROJECT/TIME_SESSION.jsonl`. */
const transcripts: Transcripts = {
	folderOf(path, sessionId) {
		const root = dirname(path);
		const isItsOwn = path.endsWith(`_${sessionId}.jsonl`) && basename(dirname(root)) === 'sessions';
		return isItsOwn ? { root, main: path } : null;
	},
	agentOf: () => undefined,
	hint: '"usage"',
	readAnswer(line) {
		const fields = parsedObject(line);
		const message = fields?.type === 'message' && isJson(fields.message) ? fields.message : {};
		if (!fields || message.role !== 'assistant' || !isJson(message.usage)) return null;
		const { input, output, cacheRead, cacheWrite } = message.usage;
		// This client counts cached tokens separately.
		const whole = countOf(input) + countOf(cacheRead) + countOf(cacheWrite);
		const { model } = message;
		return answerIn({
			id: fields.id,
			model,
			at: fields.timestamp,
			input: whole,
			output: countOf(output),
			cacheRead,
			cacheWrite,
		});
	},
};

/** The answers that our extension in the client reads: see plugin-text.ts. */
const shapes: Shapes = {
	call(answer) {
		if (isNo(answer)) return { decision: 'deny', reason: reasonOf(answer) };
		return answer.input ? { args: answer.input } : null;
	},
	context: (context) => ({ context }),
	listens: ['prompt'],
	denied: (reason) => ({ decision: 'deny', reason }),
};

/** pi, run with 0.73.1. Our extension passes its events on in the shared field names. */
export const pi = sharedAdapter({
	row: piRow,
	shapes,
	inEnvelope: ['session_id', 'transcript_path', 'cwd', 'hook_event_name'],
	transcripts,
});
