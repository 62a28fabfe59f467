import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '#hooks-bridge/disk/write-files.ts';

/** What a line of a timeline says beside its time and ids; `after` is seconds since the line before. */
export type StoryLine = { type: string; after?: number } & Record<string, unknown>;

/** Writes a session's timeline as another program would have, beginning at `start` (ms). */
export function writeStory(home: string, sessionId: string, start: number, lines: readonly StoryLine[]): void {
	let now = start;
	const written = lines.map(({ type, after = 0, ...fields }, index) => {
		now += after * 1000;
		const envelope = { id: `${sessionId}-${index + 1}`, ts: new Date(now).toISOString(), sessionId };
		return `${JSON.stringify({ ...envelope, type, category: type.split(':')[0], label: type, ...fields })}\n`;
	});
	const folder = join(home, 'sessions', sessionId);
	makeFolder(folder);
	appendFileSync(join(folder, 'timeline.jsonl'), written.join(''));
}

/** A stage done by its agent, with one shell command of `seconds`. */
export function stageLines(stage: string, agent: string, result: string, seconds = 20): StoryLine[] {
	const agentId = `${agent}-${stage}-${result}`;
	const call = { toolUseId: `tool-${agentId}`, tool: 'Bash', agentId };
	return [
		{ type: 'stage:start', stage, after: 2 },
		{ type: 'agent:start', agent, stage, agentId },
		{ type: 'tool:call', ...call, input: { command: `work on ${stage}` } },
		{ type: 'tool:result', ...call, response: 'ok', after: seconds },
		{ type: 'agent:complete', agent, stage, agentId, result },
		{ type: 'stage:complete', stage, result },
	];
}
