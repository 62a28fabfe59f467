import { basename, dirname } from 'node:path';
import { isJson } from '#lib/json/json.ts';
import type { Transcripts } from '../agent-adapter.ts';
import { answerIn, countOf, nameOf, parseLine } from '../transcript-line.ts';

const ROLLOUT = /^rollout-[\dT-]+-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/;

/**
 * `sessions/YEAR/MONTH/DAY/rollout-TIME-THREAD.jsonl`: a session's and its sub-agents' stand beside those of others of the
 * day. A sub-agent that began on another day is not found. Its lines name no model.
 */
export const transcripts: Transcripts = {
	placeOf(path, sessionId) {
		const day = dirname(path);
		const isItsOwn = ROLLOUT.exec(basename(path))?.[1] === sessionId && /\/sessions\/\d{4}\/\d\d\/\d\d$/.test(day);
		return isItsOwn ? { root: dirname(day), main: path, agents: { folder: day, isShared: true } } : null;
	},
	agentOf: (fileName) => ROLLOUT.exec(fileName)?.[1],
	hint: '"token_usage_record"',
	readAnswer(line) {
		const fields = parseLine(line);
		const said = fields?.type === 'token_usage_record' && isJson(fields.payload) ? fields.payload : {};
		if (!isJson(said.usage)) return null;
		const { input_tokens, output_tokens, cached_input_tokens, cache_write_input_tokens } = said.usage;
		const [thread, askedBy] = [nameOf(said.thread_id), nameOf(said.session_id)];
		return answerIn(
			{
				...{ id: said.response_id, at: fields?.timestamp, input: input_tokens, output: countOf(output_tokens) },
				...{ cacheRead: cached_input_tokens, cacheWrite: cache_write_input_tokens },
			},
			{ ...(thread && thread !== askedBy && { agentId: thread }), ...(askedBy && { askedBy }) },
		);
	},
};
