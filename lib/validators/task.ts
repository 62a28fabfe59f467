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

/**
 * The tasks with what they wait for as their status: one that an open task holds up is blocked, one whose blockers are all
 * done is waiting. What is active or over stays so.
 */
export function withBlocked(tasks: readonly Task[]): Task[] {
	const open = new Map(tasks.map((task) => [task.id, isRemaining(task)]));
	return tasks.map((task) => {
		const blockers = task.blockedBy?.filter((id) => id !== task.id) ?? [];
		if (blockers.length === 0) return task;
		if (task.status === 'waiting' && blockers.some((id) => open.get(id))) return { ...task, status: 'blocked' };
		if (task.status === 'blocked' && blockers.every((id) => open.get(id) === false)) {
			return { ...task, status: 'waiting' };
		}
		return task;
	});
}
