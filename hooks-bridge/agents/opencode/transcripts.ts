import { basename, dirname } from 'node:path';
import { isJson } from '#lib/json/json.ts';
import type { Transcripts } from '../agent-adapter.ts';
import { answerIn, countOf, parseLine } from '../transcript-line.ts';

const NOTE = /^([\w-]{1,120})\.jsonl$/;

/**
 * `opencode/signalbox/SESSION.jsonl` below the client's data, one for each session and sub-agent: written by our plugin, since
 * the client itself keeps a database.
 */
export const transcripts: Transcripts = {
	placeOf(path, sessionId) {
		const folder = dirname(path);
		const isItsOwn = basename(path) === `${sessionId}.jsonl` && folder.endsWith('/opencode/signalbox');
		return isItsOwn ? { root: folder, main: path, agents: { folder, isShared: true } } : null;
	},
	agentOf: (fileName) => NOTE.exec(fileName)?.[1],
	hint: '"tokens"',
	readAnswer(line) {
		const fields = parseLine(line);
		if (!fields || !isJson(fields.tokens)) return null;
		const { id, model, at, tokens } = fields;
		const { read: cacheRead, write: cacheWrite } = isJson(tokens.cache) ? tokens.cache : {};
		// What came from the cache, and what was only thought, is told apart here.
		const input = countOf(tokens.input) + countOf(cacheRead) + countOf(cacheWrite);
		const output = countOf(tokens.output) + countOf(tokens.reasoning);
		return answerIn({ id, model, at, input, output, cacheRead, cacheWrite });
	},
};
