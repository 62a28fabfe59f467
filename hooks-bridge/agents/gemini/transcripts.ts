import { basename, dirname, join } from 'node:path';
import { isJson } from '#lib/json/json.ts';
import type { Transcripts } from '../agent-adapter.ts';
import { answerIn, countOf, parseLine } from '../transcript-line.ts';

const OF_AGENT = /^([\w-]{1,120})\.jsonl$/;

/** `tmp/PROJECT/chats/session-TIME-ID8.jsonl`, and beside it `SESSION/AGENT.jsonl`, of agents that no hook names. */
export const transcripts: Transcripts = {
	placeOf(path, sessionId) {
		const chats = dirname(path);
		const isItsOwn = basename(chats) === 'chats' && /^session-[\dT-]+-/.test(basename(path));
		if (!isItsOwn || !path.endsWith(`-${sessionId.slice(0, 8)}.jsonl`)) return null;
		return { root: dirname(chats), main: path, agents: { folder: join(chats, sessionId) } };
	},
	agentOf: (fileName) => OF_AGENT.exec(fileName)?.[1],
	hint: '"tokens"',
	readAnswer(line) {
		const fields = parseLine(line);
		if (fields?.type !== 'gemini' || !isJson(fields.tokens)) return null;
		const { id, model, timestamp: at, tokens } = fields;
		const output = countOf(tokens.output) + countOf(tokens.thoughts);
		return answerIn({ id, model, at, input: tokens.input, output, cacheRead: tokens.cached });
	},
};
