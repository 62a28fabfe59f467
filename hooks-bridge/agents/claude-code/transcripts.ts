import { basename, dirname, join } from 'node:path';
import { isJson } from '#lib/json/json.ts';
import type { AbortLine, Transcripts } from '../agent-adapter.ts';
import { nameOf, parseLine, timeOf } from '../transcript-line.ts';
import { readAnswer } from './read-answer.ts';

/** As 2.1.330 writes a call that its person ends by Esc or SIGINT: no hook tells of it. */
function readStop(line: string): AbortLine | null {
	const { type, toolDenialKind, message, timestamp } = parseLine(line) ?? {};
	if (type !== 'user' || toolDenialKind !== 'user-rejected' || !isJson(message)) return null;
	const results = Array.isArray(message.content) ? message.content.filter(isJson) : [];
	const toolUseId = nameOf(results.find((one) => one.type === 'tool_result')?.tool_use_id);
	const at = timeOf(timestamp);
	return toolUseId === undefined || at === undefined ? null : { id: toolUseId, toolUseId, at };
}

const OF_AGENT = /^agent-([\w-]{1,120})\.jsonl$/;

/**
 * `<the client's folder>/projects/<project>/<session>.jsonl`, and beside it `<session>/subagents/agent-<id>.jsonl`. The
 * client's folder may be anywhere (CLAUDE_CONFIG_DIR) and only the agent names it, so that the shape alone can be checked.
 */
export const transcripts: Transcripts = {
	placeOf(path, sessionId) {
		const root = dirname(dirname(path));
		const isItsOwn = basename(path) === `${sessionId}.jsonl` && basename(root) === 'projects';
		if (!isItsOwn) return null;
		return { root, main: path, agents: { folder: join(dirname(path), sessionId, 'subagents') } };
	},
	agentOf: (fileName) => OF_AGENT.exec(fileName)?.[1],
	hint: '"assistant"',
	readAnswer,
	aborts: { hint: '"user-rejected"', read: readStop },
};
