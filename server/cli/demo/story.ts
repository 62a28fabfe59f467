import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeFolder } from '#hooks-bridge/disk/make-folder.ts';
import { costOf } from '#lib/usage/cost-of.ts';
import { listPrices } from '#lib/usage/prices.ts';

/** What a line of a timeline says beside its place; `after` is seconds since the line before. */
export type StoryLine = { type: string; after?: number } & Record<string, unknown>;

/** A line as it stands in a timeline. */
export type ToldLine = { id: string; ts: string; sessionId: string; type: string } & Record<string, unknown>;

/** Writes a session's timeline as another program would have, beginning at `start` (ms), and gives what it wrote. */
export function writeStory(home: string, sessionId: string, start: number, lines: readonly StoryLine[]): ToldLine[] {
	let now = start;
	const told = lines.map((line, at) => {
		now += (line.after ?? 0) * 1000;
		return toldLine(sessionId, `${sessionId}-${at + 1}`, now, line);
	});
	append(home, sessionId, told.map(asText).join(''));
	return told;
}

/**
 * Writes the lines one by one at the time at which each happens, `speed` times as fast; `onLine` hears of each just before.
 * Rejects when `signal` aborts.
 */
export async function playStory(
	home: string,
	sessionId: string,
	lines: readonly StoryLine[],
	{ speed, signal, onLine }: { speed: number; signal: AbortSignal; onLine?: (line: StoryLine) => void },
): Promise<void> {
	for (const [at, line] of lines.entries()) {
		await pause(((line.after ?? 0) * 1000) / speed, undefined, { signal });
		onLine?.(line);
		append(home, sessionId, asText(toldLine(sessionId, `${sessionId}-live-${at + 1}`, Date.now(), line)));
	}
}

let answers = 0;

/** What one answer of a model took, as it is read from a client's transcript; more for longer work (`seconds`). */
export function usageLine(who: { agentId?: string; stage?: string }, seconds: number): StoryLine {
	answers += 1;
	const tokens = {
		inputTokens: 300 + seconds * 8,
		outputTokens: seconds * 40,
		cacheReadTokens: seconds * 900,
		cacheWriteTokens: seconds * 110,
	};
	const answer = { messageId: `msg_story_${answers}`, model: 'claude-opus-4-5', ...tokens };
	const costUsd = costOf({ ...answer, cacheHourTokens: 0, webSearches: 0 }, listPrices);
	const price = costUsd === undefined ? {} : { costUsd, prices: listPrices.date };
	return { type: 'model:usage', ...who, ...answer, ...price, source: 'transcript' };
}

/** A stage done by its agent, with one shell command of `seconds`. No client gives an id twice: `run` tells a further one apart. */
export function stageLines(stage: string, agent: string, result: string, seconds = 20, run = 1): StoryLine[] {
	const agentId = `${agent}-${stage}-${result}${run === 1 ? '' : `-${run}`}`;
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

function toldLine(sessionId: string, id: string, at: number, { type, after: _after, ...fields }: StoryLine): ToldLine {
	const place = { id, ts: new Date(at).toISOString(), sessionId };
	return { ...place, type, category: type.split(':')[0], label: type, ...fields };
}

const asText = (line: ToldLine) => `${JSON.stringify(line)}\n`;

function append(home: string, sessionId: string, text: string): void {
	const folder = join(home, 'sessions', sessionId);
	makeFolder(folder);
	appendFileSync(join(folder, 'timeline.jsonl'), text);
}
