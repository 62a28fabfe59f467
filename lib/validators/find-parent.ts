import type { MemoryStore, Task } from './task.ts';

/** What a call of the sub-agent tool says that may name the task it belongs to. */
export interface SpawnWords {
	/** Named by the agent itself. */
	parentTaskId?: string | undefined;
	description: string;
	prompt: string;
}

const SHORTEST = 8;

/**
 * The task that a sub-agent works for: the one that the call names by id, else the one open piece of a list whose
 * words stand in the call. A task that is merely active is not it, and a call that speaks of several pieces is no
 * piece itself (a hole of the seed's own program, where any active task let everything through).
 */
export function findParent(words: SpawnWords, memory: MemoryStore): string | undefined {
	if (words.parentTaskId !== undefined) return words.parentTaskId;
	const spoken = ` ${normal(`${words.description}\n${words.prompt}`)} `;
	const title = normal(words.description);
	const named = piecesOf(memory.tasks()).filter(({ description }) => {
		const task = normal(description);
		return task.length >= SHORTEST && (task === title || spoken.includes(` ${task} `));
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
