import type { Task, TaskPriority } from './task.ts';

/** The task that comes next, as far as rules can tell. */
export interface NextTask {
	task: Task;
	/** What is written about the tasks and decided it, in words; undefined where it is merely the first of the list. */
	because?: string;
}

const weight: Record<TaskPriority, number> = { critical: 4, high: 3, medium: 2, low: 1 };

/**
 * The next task without a model: of those that nothing remaining holds up, the one with the highest priority; among equals
 * the first. A task is held up by what it waits for, by its open subtasks, and by what its parent waits for. Where all
 * are (a cycle), all are looked at, so that work goes on.
 */
export function nextByPriority(remaining: readonly Task[]): NextTask | undefined {
	const parents = new Set(remaining.filter(({ id, parentId }) => parentId !== id).map(({ parentId }) => parentId));
	const waits = waitsAmong(remaining);
	const pieces = remaining.filter(({ id }) => !parents.has(id));
	const free = pieces.filter((task) => !waits(task));
	const candidates = free.length > 0 ? free : remaining;
	const [first, ...others] = candidates;
	if (!first) return undefined;
	const task = others.reduce((best, one) => (weight[best.priority] >= weight[one.priority] ? best : one), first);
	if (candidates !== free) return { task };
	const outweighs = free.some((one) => weight[one.priority] < weight[task.priority]);
	const reasons = [
		...(outweighs ? [`its priority is ${task.priority}`] : []),
		...(task.blockedBy?.length ? ['what it waited for is done'] : []),
		...(pieces[0] && waits(pieces[0]) ? ['the ones before it wait for open tasks'] : []),
	];
	return { task, ...(reasons.length > 0 && { because: reasons.join(' and ') }) };
}

/** Whether a task, or one above it, waits for a task that is still open. */
function waitsAmong(remaining: readonly Task[]): (task: Task) => boolean {
	const open = new Map(remaining.map((task) => [task.id, task]));
	const isBlocked = ({ id, status, blockedBy }: Task) =>
		status === 'blocked' || (blockedBy?.some((other) => other !== id && open.has(other)) ?? false);
	return (task) => {
		const seen = new Set<Task>();
		for (let at: Task | undefined = task; at && !seen.has(at); at = open.get(at.parentId ?? '')) {
			if (isBlocked(at)) return true;
			seen.add(at);
		}
		return false;
	};
}
