import type { ToolCall } from '../agents/tool-call.ts';
import { readTask } from '../commands/task-command.ts';
import { GENERAL_AGENT } from '../routing/routing-state.ts';
import type { MemoryStore, Task } from './task.ts';

interface SpawnRequest extends SpawnWords {
	role: string;
}

/** Null for a call that starts no sub-agent; a `task:` line of the agent shell does. */
export function spawnRequest({ deed }: ToolCall): SpawnRequest | null {
	if (deed.does === 'start-agent' && !deed.by) {
		const { type, description = '', prompt = '', parentTaskId } = deed.requestedAgent;
		return { role: type?.slice(0, 200) || GENERAL_AGENT, description, prompt, parentTaskId };
	}
	if (deed.does !== 'run-shell' || !deed.line?.trimStart().startsWith('task:')) return null;
	const read = readTask(deed.line.slice(0, 64 * 1024));
	if (read.kind !== 'task') return null;
	const { type, description, prompt } = read.task;
	return { role: `task:${type}`, description: description.slice(0, 500), prompt };
}

interface SpawnWords {
	parentTaskId?: string | undefined;
	description: string;
	prompt: string;
}

const MIN_CHARS = 8;

/**
 * The task that the call names by id, else the one open piece of a list whose words occur in the call. The active task is not
 * chosen for that alone, and a call with several pieces is not a piece itself.
 */
export function findParent(words: SpawnWords, memory: MemoryStore): string | undefined {
	if (words.parentTaskId !== undefined) return words.parentTaskId;
	const spoken = ` ${normal(`${words.description}\n${words.prompt}`)} `;
	const title = normal(words.description);
	const named = piecesOf(memory.tasks()).filter(({ description }) => {
		const task = normal(description);
		return task.length >= MIN_CHARS && (task === title || spoken.includes(` ${task} `));
	});
	const [only, ...others] = named;
	return only && others.length === 0 ? only.id : undefined;
}

/** A list with one entry is a goal; pieces have siblings or a parent. */
function piecesOf(tasks: readonly Task[]): Task[] {
	const open = tasks.filter(({ status }) => status !== 'completed' && status !== 'abandoned');
	const kindOf = ({ id }: Task) => id.slice(0, id.indexOf(':') + 1);
	const sizes = new Map<string, number>();
	for (const task of tasks) sizes.set(kindOf(task), (sizes.get(kindOf(task)) ?? 0) + 1);
	return open.filter((task) => task.parentId !== undefined || (sizes.get(kindOf(task)) ?? 0) > 1);
}

function normal(text: string): string {
	return text
		.slice(0, 20_000)
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, ' ')
		.trim();
}
