import { basename, dirname } from 'node:path';
import { isJson } from '#lib/json/json.ts';
import type { Transcripts } from '../agent-adapter.ts';
import { answerIn, countOf, nameOf, parseLine, timeOf } from '../transcript-line.ts';

/** `session-state/SESSION/events.jsonl`, with the lines of sub-agents in it. */
export const transcripts: Transcripts = {
	placeOf(path, sessionId) {
		const root = dirname(path);
		const isItsOwn = basename(path) === 'events.jsonl' && basename(root) === sessionId;
		return isItsOwn && basename(dirname(root)) === 'session-state' ? { root, main: path } : null;
	},
	usual: (sessionId) => `session-state/${sessionId}/events.jsonl`,
	aborts: {
		hint: '"abort"',
		read(line) {
			const { type, id, timestamp } = parseLine(line) ?? {};
			const [name, at] = [nameOf(id), timeOf(timestamp)];
			return type === 'abort' && name !== undefined && at !== undefined ? { id: name, at } : null;
		},
	},
	agentOf: () => undefined,
	hint: '"session.usage_record"',
	readAnswer(line) {
		const fields = parseLine(line);
		const said = fields?.type === 'session.usage_record' && isJson(fields.data) ? fields.data.usage : undefined;
		if (!fields || !isJson(said)) return null;
		const { model, inputTokens: input, outputTokens, cacheReadTokens: cacheRead, cacheWriteTokens: cacheWrite } = said;
		const agentId = nameOf(fields.agentId);
		return answerIn(
			{ id: fields.id, model, at: fields.timestamp, input, output: countOf(outputTokens), cacheRead, cacheWrite },
			agentId === undefined ? {} : { agentId },
		);
	},
};
