import { SHELL_TOOL } from '../commands/shell-tool.ts';
import { readTask } from '../commands/task-command.ts';
import { isSubagentTool } from '../routing/agent-name.ts';
import type { SpawnWords } from './find-parent.ts';

/** A sub-agent that a call would start. */
export interface SpawnRequest extends SpawnWords {
	/** What kind of agent. */
	role: string;
}

type Json = Record<string, unknown>;
const textOf = (value: unknown, max: number) =>
	typeof value === 'string' && value !== '' ? value.slice(0, max) : undefined;

/** What a call of the client's sub-agent tool, or a `task:` line of the agent shell, asks for; null for every other call. */
export function spawnRequest(tool: unknown, input: unknown): SpawnRequest | null {
	const given = typeof input === 'object' && input !== null ? (input as Json) : {};
	if (isSubagentTool(tool)) {
		return {
			role: textOf(given.subagent_type, 200) ?? 'general-purpose',
			description: textOf(given.description, 500) ?? '',
			prompt: textOf(given.prompt, 64 * 1024) ?? '',
			parentTaskId: textOf(given.parent_task_id, 200),
		};
	}
	const line = tool === SHELL_TOOL ? textOf(given.command, 64 * 1024) : undefined;
	if (!line?.trimStart().startsWith('task:')) return null;
	const read = readTask(line);
	if (read.kind !== 'task') return null;
	const { type, description, prompt } = read.task;
	return { role: `task:${type}`, description: description.slice(0, 500), prompt };
}
