import type { ToolCall } from '../agents/tool-call.ts';
import { readTask } from '../commands/task-command.ts';
import { GENERAL_AGENT } from '../routing/agent-name.ts';
import type { SpawnWords } from './find-parent.ts';

/** A sub-agent that a call would start. */
export interface SpawnRequest extends SpawnWords {
	/** What kind of agent. */
	role: string;
}

/** What a call that starts a sub-agent, or a `task:` line of the agent shell, asks for; null for every other call. */
export function spawnRequest({ deed }: ToolCall): SpawnRequest | null {
	if (deed.does === 'start-agent' && !deed.by) {
		const { type, description = '', prompt = '', parentTaskId } = deed.asked;
		return { role: type?.slice(0, 200) || GENERAL_AGENT, description, prompt, parentTaskId };
	}
	if (deed.does !== 'run-shell' || !deed.line?.trimStart().startsWith('task:')) return null;
	const read = readTask(deed.line.slice(0, 64 * 1024));
	if (read.kind !== 'task') return null;
	const { type, description, prompt } = read.task;
	return { role: `task:${type}`, description: description.slice(0, 500), prompt };
}
