/** What has become of a task (seed 002). */
export type TaskStatus = 'active' | 'blocked' | 'waiting' | 'completed' | 'abandoned';

/** How much a task matters. */
export type TaskPriority = 'low' | 'medium' | 'high' | 'critical';

/** One piece of work of a session: a task of the client, a todo, a box of a feature or a task of its plan. */
export interface Task {
	id: string;
	description: string;
	status: TaskStatus;
	priority: TaskPriority;
	parentId?: string;
	/** Ids of the tasks that must be completed first. */
	blockedBy?: readonly string[];
	/** Files that it is about. */
	relatedFiles?: readonly string[];
	/** Files that were changed while it was worked on. */
	filesModified?: readonly string[];
}

/** Where a validator finds the tasks of a session (the seed's name). */
export interface MemoryStore {
	getTask(id: string): Task | undefined;
	/** In the order in which they were made. */
	tasks(): readonly Task[];
}

/** A memory over a list; of two tasks with one id the later counts. */
export function memoryOf(tasks: readonly Task[]): MemoryStore {
	const byId = new Map(tasks.map((task) => [task.id, task]));
	return { getTask: (id) => byId.get(id), tasks: () => tasks };
}

/** Whether it still has to be done: neither completed nor abandoned. */
export function isRemaining({ status }: Task): boolean {
	return status !== 'completed' && status !== 'abandoned';
}

const weight: Record<TaskPriority, number> = { critical: 4, high: 3, medium: 2, low: 1 };

/**
 * The next task without a model: of those that nothing remaining blocks, the one with the highest priority; among
 * equals the first. Where every task is blocked (a cycle), the blocked ones are looked at, so that work goes on.
 */
export function nextByPriority(remaining: readonly Task[]): Task | undefined {
	const open = new Set(remaining.map(({ id }) => id));
	const free = remaining.filter((task) => !task.blockedBy?.some((id) => id !== task.id && open.has(id)));
	const candidates = free.length > 0 ? free : remaining;
	return candidates.reduce<Task | undefined>(
		(best, task) => (best && weight[best.priority] >= weight[task.priority] ? best : task),
		undefined,
	);
}
