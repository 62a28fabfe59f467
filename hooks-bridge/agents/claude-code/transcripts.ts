import { basename, dirname, join } from 'node:path';
import type { Transcripts } from '../agent-adapter.ts';
import { readAnswer } from './read-answer.ts';

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
};
