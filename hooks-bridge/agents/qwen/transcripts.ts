import { basename, dirname, join } from 'node:path';
import { isJson } from '#lib/json/json.ts';
import type { Transcripts } from '../agent-adapter.ts';
import { answerIn, countOf, parseLine } from '../transcript-line.ts';

const OF_AGENT = /^agent-([\w-]{1,120})\.jsonl$/;

/** `projects/PROJECT/chats/SESSION.jsonl`, and `projects/PROJECT/subagents/SESSION/agent-AGENT.jsonl`. */
export const transcripts: Transcripts = {
	placeOf(path, sessionId) {
		const chats = dirname(path);
		const root = dirname(chats);
		const isItsOwn = basename(path) === `${sessionId}.jsonl` && basename(chats) === 'chats';
		return isItsOwn ? { root, main: path, agents: { folder: join(root, 'subagents', sessionId) } } : null;
	},
	agentOf: (fileName) => OF_AGENT.exec(fileName)?.[1],
	hint: '"usageMetadata"',
	readAnswer(line) {
		const fields = parseLine(line);
		if (fields?.type !== 'assistant' || !isJson(fields.usageMetadata)) return null;
		const { uuid: id, model, timestamp: at, usageMetadata: used } = fields;
		const output = countOf(used.candidatesTokenCount);
		return answerIn({ id, model, at, input: used.promptTokenCount, output, cacheRead: used.cachedContentTokenCount });
	},
};
