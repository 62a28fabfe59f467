import { basename, dirname } from 'node:path';
import { isJson } from '#lib/json/json.ts';
import type { Transcripts } from '../agent-adapter.ts';
import { answerIn, countOf, parseLine } from '../transcript-line.ts';

/** `sessions/PROJECT/TIME_SESSION.jsonl`. */
export const transcripts: Transcripts = {
	placeOf(path, sessionId) {
		const root = dirname(path);
		const isItsOwn = path.endsWith(`_${sessionId}.jsonl`) && basename(dirname(root)) === 'sessions';
		return isItsOwn ? { root, main: path } : null;
	},
	agentOf: () => undefined,
	hint: '"usage"',
	readAnswer(line) {
		const fields = parseLine(line);
		const said = fields?.type === 'message' && isJson(fields.message) ? fields.message : {};
		if (!fields || said.role !== 'assistant' || !isJson(said.usage)) return null;
		const { input, output, cacheRead, cacheWrite } = said.usage;
		// What came from the cache is told apart here.
		const whole = countOf(input) + countOf(cacheRead) + countOf(cacheWrite);
		const { model } = said;
		return answerIn({
			...{ id: fields.id, model, at: fields.timestamp, input: whole, output: countOf(output), cacheRead, cacheWrite },
		});
	},
};
